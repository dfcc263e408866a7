// Descriptors and thunks in IR, and called: all types, exact values.
// RUN: %clang -O1 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
// RUN: %cc -O1 -c -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O0 -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefix=OUT
// RUN: %clang -O2 -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s --check-prefix=OUT
// RUN: %clang -O2 -g -no-pie -fno-pic -o %t.3 %s %t.rt.o && %t.3 | FileCheck %s --check-prefix=OUT
#include <cfuzz.h>

// The thunk loads from args[1] on and passes its own t, with the extensions of the ABI; it is not
// instrumented, and the test is not inlined into it.
// IR-LABEL: define internal void @FuzzAll(
// IR-LABEL: define internal void @cfuzz_call_FuzzAll(
// IR-NOT: {{sancov|cfuzz.flag}}
// IR: load {{.*}} !nosanitize
// IR: call void @FuzzAll({{.*}} zeroext {{.*}} signext {{.*}} signext {{.*}} zeroext {{.*}} zeroext {{.*}} float {{.*}} double {{[^)]*}})
// IR-NEXT: ret void

FUZZ_TEST(FuzzAll, []byte, string, bool, byte, rune, int8, int16, int32, int64, uint8, uint16,
          uint32, uint64, int, uint, float32, float64)
(cfuzz_t *t, const uint8_t *data, size_t len, const char *s, bool b, uint8_t c, int32_t r,
 int8_t i8, int16_t i16, int32_t i32, int64_t i64, uint8_t u8, uint16_t u16, uint32_t u32,
 uint64_t u64, int i, unsigned u, float f, double d)
{
    cfuzz_log(t, "t=%p len=%zu data=%02x%02x%02x s=%s b=%d c=%x r=%d", (void *)t, len, data[0],
              data[2], data[4], s, b, c, r);
    cfuzz_log(t, "%d %d %d %lld", i8, i16, i32, (long long)i64);
    cfuzz_log(t, "%x %x %x %llx", u8, u16, u32, (unsigned long long)u64);
    cfuzz_log(t, "%d %x %.2f %.2f", i, u, (double)f, d);
}

// The register extension of what is narrower than int is the callee's to rely on.
__attribute__((noinline)) static int widen(int8_t a, int16_t b, uint8_t c, uint16_t d, bool e)
{
    return a + b + c + d + e;
}
FUZZ_TEST(FuzzNarrow, int8, int16, uint8, uint16, bool)
(cfuzz_t *t, int8_t a, int16_t b, uint8_t c, uint16_t d, bool e)
{
    cfuzz_log(t, "sum %d", widen(a, b, c, d, e));
}

#line 100 "elsewhere.c"
FUZZ_TEST(FuzzUnnamed, []byte, int)
(cfuzz_t *t, const uint8_t *, size_t, int n)
{
    cfuzz_skip(t, "n=%d", n);
}

FUZZ_SETUP(FuzzAll)(cfuzz_f *f)
{
    (void)f;
}

FUZZ_TEST_VALUES(FuzzWithoutT, int8, []byte, bool)(int8_t a, const uint8_t *p, size_t n, bool b)
{
    cfuzz_log(0, "a=%d n=%zu p=%02x%02x b=%d", a, n, p[2], p[4], b);
}

// OUT: setup FuzzAll() elsewhere.c:106
// OUT: test FuzzAll([]byte, string, bool, byte, rune, int8, int16, int32, int64, uint8, uint16, uint32, uint64, int, uint, float32, float64) register.c:18 1/8/data 2/8/s 3/1/b 9/1/c 6/4/r 4/1/i8 5/2/i16 6/4/i32 7/8/i64 9/1/u8 10/2/u16 11/4/u32 12/8/u64 8/4/i 13/4/u 14/4/f 15/8/d
// OUT-NEXT: log: t=0x1234 len=5 data=62ff73 s=string b=1 c=f8 r=-32
// OUT-NEXT: log: -8 -16 -32 -64
// OUT-NEXT: log: f8 ff16 ffffff32 ffffffffffffff64
// OUT-NEXT: log: -32 ffffff32 -1.50 2.25
// OUT-NEXT: test FuzzNarrow(int8, int16, uint8, uint16, bool) {{.*}}
// OUT-NEXT: log: sum 65527
// OUT-NEXT: test FuzzUnnamed([]byte, int) elsewhere.c:100 1/8/ 8/4/n
// OUT-NEXT: skip: n=-32
// OUT-NEXT: test without t FuzzWithoutT(int8, []byte, bool) elsewhere.c:{{[0-9]+}} 4/1/a 1/8/p 3/1/b
// OUT-NEXT: log: a=-8 n=5 p=ff73 b=1
// OUT: consistent
