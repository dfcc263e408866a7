// cfuzz_add against the types of the test of the same name, at each argument.
// RUN: %clang -std=gnu11 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <cfuzz.h>

FUZZ_SETUP(FuzzA)(cfuzz_f *f)
{
    const uint8_t data[] = {1, 2, 3};
    const char *text = "text";
    char *writable = 0;
    int n = 7;
    size_t len = sizeof data;
    static const uint8_t three[3] = {1, 2, 3};
    static const int numbers[2] = {1, 2};

    cfuzz_add(f, CFUZZ_BYTES("GET"), 5);
    cfuzz_add(f, data, sizeof data, n);
    cfuzz_add(f, data, len, -1);
    cfuzz_add(f, text, 2, 'x');
    cfuzz_add(f, writable, 2, 5u);
    cfuzz_add(f, (void *)0, 0, 2147483647LL);
    cfuzz_add(f, "abc", 4, 0);

    cfuzz_add(f, CFUZZ_BYTES("x"),
              2147483648); // expected-error {{value 2147483648 is out of range for 'int' (-2147483648 to 2147483647)}}
    cfuzz_add(f, CFUZZ_BYTES("x"),
              2.5); // expected-error {{this value of a seed is 'double', but the list of fuzz test 'FuzzA' declares 'int'}}
    cfuzz_add(f, CFUZZ_BYTES("x"),
              "y"); // expected-error {{this value of a seed is 'char[2]', but the list of fuzz test 'FuzzA' declares 'int'}}
    cfuzz_add(f, CFUZZ_BYTES("x"),
              (bool)n); // expected-error-re {{this value of a seed is '{{bool|_Bool}}', but}}
    cfuzz_add(f, CFUZZ_BYTES("x")); // expected-error {{this seed of fuzz test 'FuzzA' has no value for type 'int'}}
    cfuzz_add(f, CFUZZ_BYTES("x"), 1,
              2); // expected-error {{this seed of fuzz test 'FuzzA' has more values than the test has types}}
    cfuzz_add(f,
              "x", // expected-error {{a []byte of a seed is a pointer and a length; CFUZZ_BYTES gives both}}
              1);
    cfuzz_add(f,
              1, // expected-error {{this value of a seed is 'int', but the list of fuzz test 'FuzzA' declares '[]byte'}}
              2);
    cfuzz_add(f, data,
              2.0, // expected-error {{the length of a []byte is 'double'; it must be an integer}}
              1);
    cfuzz_add(f,
              data, // expected-error {{a []byte of a seed is a pointer and a length; the length is missing}}
              "x"); // expected-error {{this value of a seed is 'char[2]'}}
    cfuzz_add(f, data,
              -1, // expected-error {{the length of a []byte is negative: -1}}
              1);
    cfuzz_add(f, "abc",
              5, // expected-error {{the length 5 of a []byte is more than the literal's 3 bytes}}
              1);
    cfuzz_add(f, (const uint8_t *)"abc",
              5, // expected-error {{the length 5 of a []byte is more than the 4 bytes that are there}}
              1);
    cfuzz_add(f, three,
              4, // expected-error {{the length 4 of a []byte is more than the 3 bytes that are there}}
              1);
    cfuzz_add(f, &three[1],
              3, // expected-error {{the length 3 of a []byte is more than the 2 bytes that are there}}
              1);
    cfuzz_add(f, &three[1], 2, 1);
    cfuzz_add(f, (const uint8_t *)numbers, sizeof numbers, 1);
}

FUZZ_TEST(FuzzA, []byte, // expected-note 9 {{'[]byte' is listed here}}
          int)           // expected-note 6 {{'int' is listed here}}
(cfuzz_t *t, const uint8_t *data, size_t len, int n)
{ (void)t, (void)data, (void)len, (void)n; }

FUZZ_TEST(FuzzB, bool, string, float64, float32) // expected-note 0+ {{is listed here}}
(cfuzz_t *t, bool a, const char *s, double d, float e)
{ (void)t, (void)a, (void)s, (void)d, (void)e; }

FUZZ_SETUP(FuzzB)(cfuzz_f *f)
{
    int n = 5;
    const uint8_t *data = 0;

    cfuzz_add(f, true, "s", 1.5, 1.5);
    cfuzz_add(f, n == 5, "s", 1.5f, 1e38);
    cfuzz_add(f, 0, "s", -0.0, 1.0 / 0.0);
    cfuzz_add(f,
              2, // expected-error {{value 2 is out of range for bool}}
              "s", 1.5, 1.5);
    cfuzz_add(f, true,
              data, // expected-error-re {{this value of a seed is 'const uint8_t *'{{.*}}, but the list of fuzz test 'FuzzB' declares 'string'}}
              1.5, 1.5);
    cfuzz_add(f, true,
              CFUZZ_BYTES("s"), // expected-error {{but the list of fuzz test 'FuzzB' declares 'string'}}
              1.5, 1.5);
    cfuzz_add(f, true,
              "a\0b", // expected-error {{this string has a NUL byte at offset 1, where a C string ends}}
              1.5, 1.5);
    cfuzz_add(f, true, "s",
              1, // expected-error {{this value of a seed is 'int', but the list of fuzz test 'FuzzB' declares 'float64'}}
              1e39); // expected-error {{this value is out of range for 'float32'}}
}

FUZZ_TEST(FuzzWidths, int8, uint8, int16, uint16, uint32, int64, uint64, uint) // expected-note 0+ {{is listed here}}
(cfuzz_t *t, int8_t a, uint8_t b, int16_t c, uint16_t d, uint32_t e, int64_t g, uint64_t h,
 unsigned i)
{ (void)t, (void)a, (void)b, (void)c, (void)d, (void)e, (void)g, (void)h, (void)i; }

FUZZ_SETUP(FuzzWidths)(cfuzz_f *f)
{
    cfuzz_add(f, -128, 255, 32767, 65535, 4294967295, -1, 18446744073709551615u, 4294967295);
    cfuzz_add(f, 127, 0, -32768, 0, 0, 5, 5, 0);
    cfuzz_add(f,
              128,         // expected-error {{value 128 is out of range for 'int8' (-128 to 127)}}
              256,         // expected-error {{value 256 is out of range for 'uint8' (0 to 255)}}
              -32769,      // expected-error {{out of range for 'int16'}}
              -1,          // expected-error {{value -1 is out of range for 'uint16'}}
              4294967296,  // expected-error {{out of range for 'uint32'}}
              9223372036854775808u, // expected-error {{out of range for 'int64'}}
              -1,          // expected-error {{value -1 is out of range for 'uint64' (0 to 18446744073709551615)}}
              sizeof(int) - 5); // expected-error {{out of range for 'uint'}}
}

// Left to the run time: a helper, and an array of somebody's own.
static void helper(cfuzz_f *f) { cfuzz_add(f, "anything", 1, 2, 3); }
FUZZ_TEST(FuzzHelper, int)(cfuzz_t *t, int a) { (void)t, (void)a; }
FUZZ_SETUP(FuzzHelper)(cfuzz_f *f)
{
    struct cfuzz_arg own[1] = {{CFUZZ_ARG_INT, 32, {1}}};

    helper(f);
    cfuzz_add_args(f, "file", 1, own, 1);
}
