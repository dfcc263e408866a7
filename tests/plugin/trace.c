// The shape of gate and copy, which functions have which, and what sites say.
// RUN: %clang -O2 -g -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -g -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NONE
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-cfuzz-trace=off -o - %s | FileCheck %s --check-prefix=OFF
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-cfuzz-coverage=off -o - %s | FileCheck %s --check-prefix=OFF
// RUN: %clang -O2 -S -emit-llvm -fsemantic-interposition -fPIC -DGLOBAL=extern -o - %s | FileCheck %s --check-prefix=INTERPOSED
// Bitcode that was compiled before is not traced again.
// RUN: %clang -O2 -emit-llvm -c -o %t.bc %s && %clang -O2 -S -emit-llvm -o - %t.bc | FileCheck %s --check-prefix=ONCE
// Without our runtime everything links and runs.
// RUN: %clang -O2 -o %t.plain -DMAIN %s && %t.plain
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -DPROGRAM -o %t.0 %s %t.rt.o && %t.0 sites | FileCheck %s --check-prefix=SITES
// RUN: %clang -O2 -g -DPROGRAM -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s --check-prefix=SITES && %t.2 sites | FileCheck %s --check-prefix=INNER
#include <string.h>

#define APART __attribute__((noinline))

int compares(int n), calls(int n), has_none(int n), chooses(int n), uses(const char *s, long n);
static volatile int sink;

// CHECK: @cfuzz_tracing = weak hidden global i8 0, align 1
// CHECK: @cfuzz.sites = private global [1 x {{.*}}], section "cfuzz_sites", comdat($compares), align 8
// CHECK: @cfuzz.cases{{.*}} = private constant [4 x { i64, i32, i16, i16 }] {{.*}}, comdat($chooses), align 8

// CHECK: define {{.*}}i32 @compares(i32 {{.*}}) {{.*}} comdat
// CHECK: load i8, {{i8\*|ptr}} @cfuzz_tracing, align 1, {{.*}}!nosanitize
// CHECK-NEXT: icmp ne i8 {{.*}}, 0
// CHECK-NEXT: br i1 {{.*}}, !prof ![[PROF:[0-9]+]]
// CHECK: [[R:%.*]] = musttail call i32 @compares.traced(i32
// CHECK-NEXT: ret i32 [[R]]
// CHECK: store i8 1, {{i8\*|ptr}} @cfuzz.flag
APART int compares(int n)
{
    // SITES: trace.c:[[@LINE+1]]: int32 column 11 < B true=own false=own
    if (n < 9)
        sink = 3;
    return sink;
}

// Called by a copied function alone, and by a name that nobody else can take: no gate.
// CHECK: define internal {{.*}}@inner(
// CHECK-NOT: cfuzz_tracing
// CHECK: call i32 @compares(
APART static int inner(int n)
{
    // INNER: trace.c:[[@LINE+1]]: {{u?}}int32 column 11 > B true=own false=own
    if (n > 50)
        sink = 4;
    return compares(n) + sink;
}

int calls(int n)
{
    // SITES: trace.c:[[@LINE+1]]: int32 column 14 > B true=own false=own
    return n > 7 ? inner(n) : has_none(n);
}

// Nothing to trace: no copy, no gate, and a plain call.
// NONE: define {{.*}}i32 @has_none(
// NONE-NOT: cfuzz_tracing
// NONE: call i32 @compares(
// NONE: ret i32
// NONE-NOT: @has_none.traced(
APART int has_none(int n)
{
    return compares(n + 1) * 3;
}

APART int chooses(int n)
{
    // SITES: trace.c:[[@LINE+1]]: switch column 5 never true=none false=own of 1 2 3 4 own own own own
    switch (n) {
    case 1:
        return 7;
    case 2:
        return 5;
    case 4:
        return 1;
    case 3:
        return 9;
    default:
        return 3;
    }
}

int uses(const char *s, long n)
{
    int found = 0;

    // SITES: trace.c:[[@LINE+1]]: string column {{[0-9]+}} never B true=own false=own
    if (strcmp(s, "a word of ours") == 0)
        found++;
    // SITES: trace.c:[[@LINE+1]]: find column {{[0-9]+}} never A true=own false=own
    if (!strstr("a word of ours", s))
        found++;
    // SITES: trace.c:[[@LINE+1]]: find-byte-mem column {{[0-9]+}} never true=own false=own
    if (memchr(s, found + (int)n, (size_t)n))
        found++;
    // SITES: trace.c:[[@LINE+1]]: mem column {{[0-9]+}} never true=none false=none
    return memcmp(s, s + n, (size_t)n) + found;
}

// CHECK: define internal i32 @compares.traced(i32 {{.*}}) {{.*}}#[[COLD:[0-9]+]] comdat($compares) {{.*}}!dbg
// CHECK: store i8 1, {{i8\*|ptr}} @cfuzz.flag
// CHECK: call void @cfuzz_trace_number({{.*}}@cfuzz.sites{{.*}}, i64 {{.*}}, i64 9)
// CHECK: icmp slt i32 {{.*}}, 9
// CHECK: define internal i32 @calls.traced(
// CHECK-DAG: call {{.*}}i32 @inner.traced(
// CHECK-DAG: call i32 @has_none(
// CHECK: define internal {{.*}}i32 @inner.traced(
// CHECK: call i32 @compares.traced(
// CHECK: define internal {{.*}}i32 @chooses.traced(
// CHECK: call void @cfuzz_trace_switch({{.*}}, i64 {{.*}})
// CHECK: switch i32
// CHECK: define internal i32 @uses.traced(
// CHECK: call i32 @strcmp(
// CHECK-NEXT: call void @cfuzz_trace_text({{.*}}, i64 0, {{.*}}, i64 0)
// CHECK: declare extern_weak void @cfuzz_trace_number(
// CHECK: declare extern_weak void @cfuzz_trace_init(i32
// CHECK: define internal void @cfuzz.trace_ctor.5() {{.*}}comdat
// CHECK: call void @cfuzz_trace_init(i32 5, {{.*}}@cfuzz_tracing, {{.*}}@__start_cfuzz_sites, {{.*}}@__stop_cfuzz_sites)
// CHECK-DAG: attributes #[[COLD]] = { cold {{.*}}noinline
// CHECK-DAG: ![[PROF]] = !{!"branch_weights", i32 1, i32 1048576}
// NONE-NOT: {{no-jump-tables|cfuzz-keep-switches}}
// OFF-NOT: {{cfuzz_trac|cfuzz_sites|no-jump-tables|\.traced}}
// A function that another one may replace is called by its own name.
// INTERPOSED: define internal {{.*}}i32 @inner.traced(
// INTERPOSED: call i32 @compares(

// ONCE-COUNT-1: define internal {{.*}}@compares.traced(
// ONCE-NOT: define internal {{.*}}@compares.traced

#ifdef PROGRAM
void program(void);
void program(void) {}
#endif
#ifdef MAIN
void __sanitizer_cov_8bit_counters_init(void), __sanitizer_cov_pcs_init(void);
void __sanitizer_cov_8bit_counters_init(void) {}
void __sanitizer_cov_pcs_init(void) {}
int main(void)
{
    return calls(7) + calls(sink) + chooses(sink) + uses("word", 2) < 0;
}
#endif
