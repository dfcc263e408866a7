// Functions that can call themselves tell how deep they are, alone or by way of others; nobody else does.
// RUN: %clang -O2 -g -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-cfuzz-coverage=off -o - %s | FileCheck %s --check-prefix=OFF
// RUN: %clang -O2 -S -emit-llvm -DPLAIN -o - %s | FileCheck %s --check-prefix=OFF
// Without our runtime it links, runs and changes nothing.
// RUN: %clang -O2 -o %t.plain -DMAIN %s && %t.plain
// RUN: %clang -O0 -o %t.0 -DMAIN %s && %t.0
// With a runtime it tells the lowest place, also in a shared library.
// RUN: %clang -O2 -DPROGRAM -o %t.own %s && %t.own
// RUN: %clang -O2 -fPIC -shared -o %t.so %s && %clang -O2 -DPROGRAM -DPLAIN -o %t.shared %s %t.so && %t.shared
#include <stdint.h>

#define APART __attribute__((noinline))

int goes(int n), even(int n), leaf(int n);
static volatile int sink;

// CHECK: @__sancov_lowest_stack = weak {{.*}}thread_local(initialexec) global i64 0
// OFF-NOT: {{store .*lowest_stack|cfuzz_depth_init}}

#ifndef PLAIN
// CHECK-LABEL: define {{.*}}i32 @leaf(
// CHECK-NOT: lowest_stack
// CHECK-LABEL: define {{.*}}i32 @goes(
APART int leaf(int n)
{
    return n + sink;
}

// CHECK: call {{.*}} @llvm.addressofreturnaddress
// CHECK: load i64, {{i64\*|ptr}} @__sancov_lowest_stack, {{.*}}!nosanitize
// CHECK: store i64 {{.*}}, {{i64\*|ptr}} @__sancov_lowest_stack, {{.*}}!nosanitize
APART int goes(int n)
{
    int below = n > 0 ? goes(n - 1) : leaf(0);

    sink++;
    return below + 1;
}

// CHECK-LABEL: define {{.*}}i32 @even(
// CHECK: @__sancov_lowest_stack
// CHECK-LABEL: define {{.*}}void @odd(
// CHECK: @__sancov_lowest_stack
APART static void odd(int n)
{
    if (n > 0)
        sink = even(n - 1);
    sink++;
}

APART int even(int n)
{
    if (n > 0)
        odd(n - 1);
    sink++;
    return n;
}
// CHECK: declare extern_weak void @cfuzz_depth_init(i32
#endif

#if defined MAIN || defined PROGRAM
void __sanitizer_cov_8bit_counters_init(void), __sanitizer_cov_pcs_init(void);
void __sanitizer_cov_8bit_counters_init(void) {}
void __sanitizer_cov_pcs_init(void) {}
#endif

#ifdef MAIN
int main(void)
{
    return goes(100) == 101 && even(10) == 10 ? 0 : 1;
}
#endif

#ifdef PROGRAM
_Thread_local uintptr_t __sancov_lowest_stack = UINTPTR_MAX;

int main(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), once;

    leaf(1);
    if (__sancov_lowest_stack != UINTPTR_MAX)
        return 1;
    goes(1);
    once = here - __sancov_lowest_stack;
    if (once > 1000)
        return 2;
    goes(100);
    goes(2);
    return here - __sancov_lowest_stack >= 100 * 16 ? 0 : 3;
}
#endif
