// Parameters against the type list: every error at the parameter, with a note at the word.
// RUN: %clang -fsyntax-only -ferror-limit=0 -Xclang -verify %s
// RUN: %clang -fsyntax-only -ferror-limit=0 -Xclang -verify -x c++ -std=c++17 %s
#include <cfuzz.h>

FUZZ_TEST(FuzzSign, int, // expected-note {{'int' is listed here}}
          uint16)        // expected-note {{'uint16' is listed here}}
(cfuzz_t *t,
 unsigned a, // expected-error {{parameter 'a' of fuzz test 'FuzzSign' is 'unsigned int', but the list declares 'int'}}
 int16_t b)  // expected-error-re {{parameter 'b' of fuzz test 'FuzzSign' is 'int16_t' {{.*}}, but the list declares 'uint16', which is 'uint16_t'}}
{ (void)t, (void)a, (void)b; }

FUZZ_TEST(FuzzWidth, int64, byte, float32) // expected-note 3 {{is listed here}}
(cfuzz_t *t, int a,       // expected-error {{is 'int', but the list declares 'int64', which is 'int64_t'}}
 unsigned short b,        // expected-error {{is 'unsigned short', but the list declares 'byte', which is 'uint8_t'}}
 double c)                // expected-error {{is 'double', but the list declares 'float32', which is 'float'}}
{ (void)t, (void)a, (void)b, (void)c; }

FUZZ_TEST(FuzzBool, bool, int32) // expected-note 2 {{is listed here}}
(cfuzz_t *t, int a,              // expected-error {{is 'int', but the list declares 'bool'}}
 bool b)                         // expected-error {{which is 'int32_t'}}
{ (void)t, (void)a, (void)b; }

struct pair { int a, b; };
FUZZ_TEST(FuzzStruct, int)  // expected-note {{'int' is listed here}}
(cfuzz_t *t, struct pair p) // expected-error {{parameter 'p' of fuzz test 'FuzzStruct' is 'struct pair'}}
{ (void)t, (void)p; }

FUZZ_TEST(FuzzWritable, []byte, string) // expected-note 2 {{is listed here}}
(cfuzz_t *t, uint8_t *data, size_t n,   // expected-error {{but a test must not write to its input; '[]byte' is 'const uint8_t *'}}
 char *s)                               // expected-error {{but a test must not write to its input; 'string' is 'const char *'}}
{ (void)t, (void)data, (void)n, (void)s; }

FUZZ_TEST(FuzzText, []byte, string)           // expected-note 2 {{is listed here}}
(cfuzz_t *t, const char *data, size_t n,      // expected-error {{but the list declares '[]byte', which is 'const uint8_t *'}}
 const uint8_t *s)                            // expected-error {{but the list declares 'string', which is 'const char *'}}
{ (void)t, (void)data, (void)n, (void)s; }

FUZZ_TEST(FuzzLength, []byte)               // expected-note {{'[]byte' is listed here}}
(cfuzz_t *t, const uint8_t *data, int n)    // expected-error {{parameter 'n' of fuzz test 'FuzzLength' is 'int'; the length of []byte 'data' must be 'size_t'}}
{ (void)t, (void)data, (void)n; }

FUZZ_TEST(FuzzNoLength, []byte)             // expected-note {{'[]byte' is listed here}}
(cfuzz_t *t, const uint8_t *data)           // expected-error {{[]byte is two parameters of fuzz test 'FuzzNoLength': a 'size_t' with the length must follow 'data'}}
{ (void)t, (void)data; }

FUZZ_TEST(FuzzFew, int, string, bool)       // expected-note {{'string' is listed here}}
(cfuzz_t *t, int a)                         // expected-error {{fuzz test 'FuzzFew' has no parameter for type 'string' of its list}}
{ (void)t, (void)a; }

FUZZ_TEST(FuzzMany, int)
(cfuzz_t *t, int a,
 int b,        // expected-error {{parameter 'b' of fuzz test 'FuzzMany' has no type in the list}}
 const char *c) // expected-error {{parameter 'c' of fuzz test 'FuzzMany' has no type in the list}}
{ (void)t, (void)a, (void)b, (void)c; }

FUZZ_TEST(FuzzUnknown, uint7, // expected-error {{unknown type 'uint7' in the type list of fuzz test 'FuzzUnknown'; did you mean 'uint8'?}} expected-note {{accepted are []byte, string, bool, byte, rune, int8, int16, int32, int64, uint8, uint16, uint32, uint64, int, uint, float32, float64, and C's names}}
          struct pair,        // expected-error {{unknown type 'struct pair' in the type list}} expected-note {{accepted are}}
          int)
(cfuzz_t *t, uint8_t a, struct pair b, int c)
{ (void)t, (void)a, (void)b, (void)c; }

FUZZ_TEST(FuzzGap, int, , bool) // expected-error {{nothing between the commas in the type list of fuzz test 'FuzzGap'}}
(cfuzz_t *t, int a, bool b)
{ (void)t, (void)a, (void)b; }

FUZZ_TEST(FuzzEmpty, ) // expected-error {{fuzz test 'FuzzEmpty' lists no types; it needs at least one value: FUZZ_TEST(FuzzEmpty, []byte)}}
(cfuzz_t *t)
{ (void)t; }

// Inside another macro there is no word to point to: the note is at the test.
#define MY_TEST(name) FUZZ_TEST(name, int)
MY_TEST(FuzzMacro)      // expected-note {{'int' is listed here}}
(cfuzz_t *t, double a)  // expected-error {{parameter 'a' of fuzz test 'FuzzMacro' is 'double'}}
{ (void)t, (void)a; }
