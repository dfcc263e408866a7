// What undefined behaviour sanitizer compares is not recorded, and its checks stand in the copy too.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -fsanitize=undefined -fsanitize-trap=undefined -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s && %t.0 sites | FileCheck %s --check-prefix=SITES
// RUN: %clang -O2 -g -fsanitize=undefined -fsanitize-trap=undefined -o %t.1 %s %t.rt.o && %t.1 | FileCheck %s && %t.1 sites | FileCheck %s --check-prefix=SITES
// RUN: %clang -O2 -g -S -emit-llvm -fsanitize=undefined -fsanitize-trap=undefined -o - %s | FileCheck %s --check-prefix=IR
void program(void);
static volatile int table[8] = {0, 1, 2, 3, 4, 5, 6, 7};

// IR: define internal {{.*}} @checked.traced(
// IR: sadd.with.overflow
// IR: call void @cfuzz_trace_number(
// IR: ubsantrap
__attribute__((noinline)) int checked(int n, int m, int *p)
{
    *p = table[n & 7] + m;
    // CHECK: {{^}}[[@LINE+3]]: int32 3 < 4
    // The divisor, once: the sanitizer's own look at it is not told.
    // CHECK-NEXT: {{^}}[[@LINE+1]]: int32 4 == 0'
    return n < m ? *p / m : *p;
}

__attribute__((noinline)) int compared(int n, int m)
{
    // CHECK: {{^}}[[@LINE+2]]: int32 3 < 50'
    // SITES: trace-ubsan.c:[[@LINE+1]]: int32 column 11 < B true={{own|none}} false=own
    if (n < 50)
        // CHECK-NEXT: {{^}}[[@LINE+1]]: int32 4 == 0'
        return n / m;
    return m;
}

void program(void)
{
    int at;

    table[0] = checked(table[3], table[4], &at);
    table[0] = compared(table[3], table[4]);
}
// CHECK-NOT: BROKEN
// CHECK: consistent: 1 images, 4 sites
