// cfuzz_add in C++, where it is a template.
// RUN: %clangxx -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <cfuzz.h>

FUZZ_SETUP(FuzzA)(cfuzz_f *f)
{
  const uint8_t data[] = {1, 2, 3};
  int n = 3;
  auto lambda = [&] {
    cfuzz_add(f, CFUZZ_BYTES("x"), true,
              300, // expected-error {{value 300 is out of range for 'uint8' (0 to 255)}}
              1.0);
  };
  lambda();
  cfuzz_add(f, CFUZZ_BYTES("GET"), true, 'x', 1.5);
  cfuzz_add(f, data, sizeof data, n == 3, n, 1.5f);
  cfuzz_add(f,
            "x",  // expected-error {{a []byte of a seed is a pointer and a length; CFUZZ_BYTES gives both}}
            true,
            true, // expected-error {{this value of a seed is 'bool', but the list of fuzz test 'FuzzA' declares 'uint8'}}
            5);   // expected-error {{this value of a seed is 'int', but the list of fuzz test 'FuzzA' declares 'float64'}}
  cfuzz_add(f, CFUZZ_BYTES("x"), // expected-error {{this seed of fuzz test 'FuzzA' has no value for type 'uint8'}}
            true);
}

FUZZ_TEST(FuzzA, []byte, bool, uint8, float64) // expected-note 0+ {{is listed here}}
(cfuzz_t *t, const uint8_t *data, size_t len, bool b, uint8_t u, double d)
{ (void)t, (void)data, (void)len, (void)b, (void)u, (void)d; }
