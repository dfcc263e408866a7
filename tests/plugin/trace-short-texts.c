// A comparison with a text of up to three characters, which LLVM 18 and later would compare one by one,
// stays one comparison of texts, at its line. Without the trace it is what the compiler makes of it.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s && %t.2 sites | FileCheck %s --check-prefix=SITES
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-cfuzz-trace=off -o - %s | FileCheck %s --check-prefix=OFF
#include <string.h>

void program(void);

#define APART __attribute__((noinline))

// OFF-NOT: nobuiltin
// IR-LABEL: define {{.*}}@option.traced(
// IR: call void @cfuzz_trace_text(
// IR: call void @cfuzz_trace_text(
// IR: call void @cfuzz_trace_text(
APART int option(const char *s)
{
    // CHECK: {{^}}[[@LINE+2]]: string "one" "on"'
    // SITES: trace-short-texts.c:[[@LINE+1]]: string
    if (strcmp(s, "on") == 0)
        return 1;
    // CHECK: {{^}}[[@LINE+1]]: string "off"' "one"
    if (strcmp("off", s) == 0)
        return 2;
    // CHECK: {{^}}[[@LINE+1]]: string-n "one" "GET"'
    if (strncmp(s, "GETTING", 3) == 0)
        return 3;
    return 0;
}

void program(void)
{
    volatile int sink = option("one");

    (void)sink;
}
