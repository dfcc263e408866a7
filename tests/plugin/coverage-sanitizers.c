// Under sanitizers, and with link-time optimisation, flags and records still say the truth; the
// sanitizers see neither our store nor our sections. (ThreadSanitizer: coverage-tsan-ir.c.)
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O1 -g -S -emit-llvm -fsanitize=address,undefined -o - %s | FileCheck %s --check-prefix=IR
// RUN: %clang -O1 -g -S -emit-llvm -fsanitize=memory -o - %s | FileCheck %s --check-prefix=IR
// RUN: %clang -O1 -fsanitize=undefined -fsanitize-trap=undefined -o %t.1 %s %t.rt.o && %t.1 | FileCheck %s
#include <cfuzz.h>

// IR-NOT: cfuzz.flag{{.*}}redzone
// IR: @{{cfuzz.flag[.0-9]*}} = private global i8 0, section "cfuzz_flags"
// IR: @{{cfuzz.rec[.0-9]*}} = private constant { i32, i32 }
// IR: define {{.*}}@sum(
// IR: store i8 1, {{i8\*|ptr}} @cfuzz.flag
// IR-NOT: {{asan|tsan|msan}}{{.*}}@cfuzz.flag

extern int sum(const uint8_t *data, size_t n);
__attribute__((noinline)) int sum(const uint8_t *data, size_t n)
{
    int s = 0;

    for (size_t i = 0; i < n; i++)
        s += data[i] == 'y' ? 1000 : data[i] & 1;
    return s;
}

static int total;
FUZZ_TEST(FuzzSanitized, []byte, int)(cfuzz_t *t, const uint8_t *data, size_t n, int x)
{
    int local[4] = {1, 2, 3, 4};

    total += sum(data, n) + local[x & 3];
    cfuzz_log(t, "%d", total);
}

const struct known {
    const char *name;
    void (*fn)(void);
} known[] = {{"sum", (void (*)(void))sum}, {0, 0}};

// CHECK: log: 1004
// CHECK-NOT: BROKEN
// CHECK: sum flag=1 counters={{[0-9]+}} entry=1
// CHECK: consistent
