// C++: namespaces, linkage blocks, and the places where a test cannot be.
// RUN: %clangxx -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <cfuzz.h>

namespace one {
FUZZ_TEST(FuzzTwice, int)(cfuzz_t *t, int a) { (void)t, (void)a; } // expected-note {{the other one is here}}
namespace {
FUZZ_TEST(FuzzInner, int)(cfuzz_t *t, double a) { (void)t, (void)a; } // expected-error {{parameter 'a' of fuzz test 'FuzzInner' is 'double'}} expected-note {{'int' is listed here}}
} // namespace
} // namespace one
namespace two {
FUZZ_TEST(FuzzTwice, int)(cfuzz_t *t, int a) { (void)t, (void)a; } // expected-error {{two fuzz tests have the name 'FuzzTwice'}}
} // namespace two

extern "C" {
FUZZ_TEST(FuzzC, bool)(cfuzz_t *t, int a) { (void)t, (void)a; } // expected-error {{parameter 'a' of fuzz test 'FuzzC' is 'int'}} expected-note {{'bool' is listed here}}
}

struct holder {
  FUZZ_TEST(FuzzMember, int)(cfuzz_t *t, int a) { (void)t, (void)a; } // expected-error {{'FuzzMember' must be a plain function of a file or namespace}}
};

template <typename T>
FUZZ_TEST(FuzzTemplate, int)(cfuzz_t *t, T a) { (void)t, (void)a; } // expected-error {{'FuzzTemplate' must be a plain function of a file or namespace}}

enum class scoped : uint16_t { a };
FUZZ_TEST(FuzzScoped, uint16)(cfuzz_t *t, scoped a) { (void)t, (void)a; }
