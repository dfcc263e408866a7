// A function with few comparisons for its size, none of them in a loop, has no copy: each hook is behind
// a gate of its own. What it calls has gates.
// RUN: %clang -O2 -g -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
// RUN: %clang -O2 -g -S -emit-llvm -o - %s | FileCheck %s --check-prefix=CALLED
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-cfuzz-trace=off -o - %s | FileCheck %s --check-prefix=OFF
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s && %t.0 sites | FileCheck %s --check-prefix=SITES
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s && %t.2 sites | FileCheck %s --check-prefix=SITES
// RUN: %t.2 | FileCheck %s --check-prefix=CALLS && %t.2 behind | FileCheck %s --check-prefix=BEHIND
#include <string.h>

#define APART __attribute__((noinline))
#define EIGHT(X) X X X X X X X X
#define MANY EIGHT(EIGHT(sink++;))

void program(void), sparse(int n, const char *s), loops(const char *s);
static volatile int sink, seven = 7;

APART static void called(int n);

// IR: define {{.*}}@sparse(
// IR-NOT: musttail
// IR: load i8, {{i8\*|ptr}} @cfuzz_tracing, align 1, {{.*}}!nosanitize
// IR: br i1 {{.*}}, !prof ![[PROF:[0-9]+]]
// IR: call void @cfuzz_trace_switch(
// IR: load i8, {{i8\*|ptr}} @cfuzz_tracing, align 1, {{.*}}!nosanitize
// IR: call void @cfuzz_trace_text(
APART void sparse(int n, const char *s)
{
    // CHECK: {{^}}[[@LINE+3]]: switch 7 of 1 2 7
    // SITES: trace-sparse.c:[[@LINE+2]]: switch column 5 never true=none false=own of 1 2 7 own own none
    // BEHIND: {{^}}[[@LINE+1]]: switch behind 0 1 of 1 2 7 1@0 1@0 5@2
    switch (n) {
    case 1:
        MANY
        break;
    case 2:
        MANY
        break;
    case 7:
        called(seven);
        MANY
        // CHECK: {{^}}[[@LINE+2]]: string "a word" "a ward"' 0 0
        // SITES: trace-sparse.c:[[@LINE+1]]: string column {{[0-9]+}} never B true=own false=own
        if (strcmp(s, "a ward") == 0)
            sink++;
        break;
    default:
        break;
    }
}

// Called by a function without a copy: it has its gate.
// CALLED: define internal {{.*}}@called(
// CALLED-NEXT: load i8, {{i8\*|ptr}} @cfuzz_tracing, align 1, {{.*}}!nosanitize
// CALLED: musttail call {{.*}}@called.traced(
APART static void called(int n)
{
    // CALLS: {{^}}[[@LINE+1]]: int32 7 > 6'
    if (n > 6)
        sink++;
}

// As large, but it compares in a loop, where a gate would be asked again and again.
// IR: define {{.*}}@loops(
// IR: musttail call {{.*}}@loops.traced(
APART void loops(const char *s)
{
    MANY
    MANY
    // CHECK-COUNT-3: {{^}}[[@LINE+1]]: {{u?}}int
    while (*s++ > 'a')
        sink++;
    MANY
}

// IR-NOT: define internal {{.*}}@sparse.traced(
// IR: ![[PROF]] = !{!"branch_weights", i32 1, i32 1048576}
// OFF-NOT: cfuzz_tracing
void program(void)
{
    static const char *volatile text = "a word", *volatile more = "cba";

    sparse(7, text);
    loops(more);
}
