// Name, result and first parameter of tests; setup parts.
// RUN: %clang -fsyntax-only -ferror-limit=0 -Wno-unknown-warning-option -Wno-deprecated-non-prototype -Xclang -verify %s
#include <cfuzz.h>

FUZZ_TEST(Fuzzparse, int)(cfuzz_t *t, int a) // expected-error {{the name of fuzz test 'Fuzzparse' has a lower-case letter after 'Fuzz'}}
{ (void)t, (void)a; }

FUZZ_TEST(Parse, int)(cfuzz_t *t, int a) // expected-error {{the name of fuzz test 'Parse' does not begin with 'Fuzz'}}
{ (void)t, (void)a; }

#define FuzzNamed FuzzOther
FUZZ_TEST(FuzzNamed, int)(cfuzz_t *t, int a) // expected-error {{the name 'FuzzNamed' of this fuzz test is a macro, which makes the function 'FuzzOther'}}
{ (void)t, (void)a; }

FUZZ_TEST(FuzzNoT, int)
(int a) // expected-error {{the first parameter of fuzz test 'FuzzNoT' is 'int'; it must be 'cfuzz_t *'}}
{ (void)a; }

FUZZ_TEST(FuzzConstT, int)
(const cfuzz_t *t, int a) // expected-error {{the first parameter of fuzz test 'FuzzConstT' is 'const cfuzz_t *'}}
{ (void)t, (void)a; }

FUZZ_TEST(FuzzWrongT, int)
(cfuzz_f *f, int a) // expected-error {{the first parameter of fuzz test 'FuzzWrongT' is 'cfuzz_f *'}}
{ (void)f, (void)a; }

FUZZ_TEST_VALUES(FuzzOnlyValues, int)(int a) { (void)a; }
FUZZ_TEST_VALUES(FuzzNotT, int)
(cfuzz_t *t, int a) // expected-error {{fuzz test 'FuzzNotT' is a FUZZ_TEST_VALUES, which has no 'cfuzz_t *'; FUZZ_TEST has one}}
{ (void)t, (void)a; }
FUZZ_TEST_VALUES(FuzzMissing, int, bool) // expected-note {{'bool' is listed here}}
(int a) // expected-error {{fuzz test 'FuzzMissing' has no parameter for type 'bool' of its list}}
{ (void)a; }

FUZZ_TEST(FuzzVoid, int)(void) // expected-error {{fuzz test 'FuzzVoid' has no parameters; the first must be 'cfuzz_t *'}}
{ }

FUZZ_TEST(FuzzVariadic, int)(cfuzz_t *t, int a,
                             ...) // expected-error {{fuzz test 'FuzzVariadic' has variable arguments}}
{ (void)t, (void)a; }

FUZZ_TEST(FuzzOld, int)(t, a) // expected-error {{fuzz test 'FuzzOld' has no prototype}}
    cfuzz_t *t; int a;
{ (void)t, (void)a; }

// What the macro writes, with a result of its own.
__attribute__((annotate("cfuzz.test", "FuzzResult", "int"), unused)) static int
FuzzResult(cfuzz_t *t, int a) // expected-error {{fuzz test 'FuzzResult' returns 'int'; its result must be 'void'}}
{ (void)t; return a; }

FUZZ_TEST(FuzzSetups, int)(cfuzz_t *t, int a) { (void)t, (void)a; }
FUZZ_SETUP(FuzzSetups)(cfuzz_t *t) // expected-error {{FUZZ_SETUP(FuzzSetups) must have one parameter, 'cfuzz_f *'}}
{ (void)t; }

FUZZ_TEST(FuzzSetups2, int)(cfuzz_t *t, int a) { (void)t, (void)a; }
FUZZ_SETUP(FuzzSetups2)(cfuzz_f *f,
                        int a) // expected-error {{FUZZ_SETUP(FuzzSetups2) must have one parameter, 'cfuzz_f *'}}
{ (void)f, (void)a; }

FUZZ_TEST(FuzzSetups3, int)(cfuzz_t *t, int a) { (void)t, (void)a; }
FUZZ_SETUP(FuzzSetups3)(void) // expected-error {{FUZZ_SETUP(FuzzSetups3) must have one parameter, 'cfuzz_f *'}}
{ }

FUZZ_SETUP(FuzzNobody)(cfuzz_f *f) // expected-warning {{FUZZ_SETUP(FuzzNobody) has no FUZZ_TEST(FuzzNobody, ...) in this file}}
{ (void)f; }

// Before its test is as good as after it.
FUZZ_SETUP(FuzzLater)(cfuzz_f *f) { (void)f; }
FUZZ_TEST(FuzzLater, int)(cfuzz_t *t, int a) { (void)t, (void)a; }

FUZZ_TEST(FuzzBodiless, int)(cfuzz_t *t, int a); // expected-warning {{'FuzzBodiless' is declared here, but has no body in this file}}
