// A call of sscanf with a constant format is told as a comparison with a text that the format reads.
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
#include <stdio.h>

// CHECK-DAG: private unnamed_addr constant [6 x i8] c"1-1-1\00"
// CHECK-DAG: private unnamed_addr constant [9 x i8] c"a:x1z%/1\00"
// CHECK-DAG: private unnamed_addr constant [4 x i8] c"1 1\00"
// CHECK-DAG: private unnamed_addr constant [6 x i8] c"1 1:1\00"
// CHECK-DAG: private unnamed_addr constant [4 x i8] c"a a\00"
// CHECK-DAG: private unnamed_addr constant [5 x i8] c"aaa!\00"
// CHECK-DAG: private unnamed_addr constant [3 x i8] c"_x\00"
// CHECK-DAG: private unnamed_addr constant [3 x i8] c"]1\00"
// CHECK-NOT: c"odd
// CHECK: define {{.*}}@reads.traced(
// CHECK-COUNT-2: call void @cfuzz_trace_text(
// CHECK-NOT: call void @cfuzz_trace_text(
// CHECK: }
int reads(const char *s, const char *format)
{
    char word[9], one[2], other[2];
    int y = 0, m = 0, d = 0, n = 0;

    if (sscanf(s, "%d-%2d-%*d", &y, &m) == 2)
        n++;
    if (sscanf(s, "%8s:%[xyz]%hhx%1[^]a]%%/%lld%n", word, one, &d, other, &m, &d) == 5)
        n++;
    if (sscanf(s, format, &y) == 1) /* nobody knows what it wants */
        n++;
    if (sscanf(s, "odd%k", &y) == 1)
        n++;
    return n + y + m + d + word[0];
}

// What one conversion takes is none of the next one's.
// CHECK: define {{.*}}@conversions.traced(
// CHECK-COUNT-6: call void @cfuzz_trace_text(
// CHECK: }
int conversions(const char *s)
{
    char word[9], other[9];
    int x = 0, y = 0, n = 0;

    if (sscanf(s, "%d%i", &x, &y) == 2)
        n++;
    if (sscanf(s, "%2d%2d:%1d", &x, &y, &x) == 3)
        n++;
    if (sscanf(s, "%8s%8s", word, other) == 2)
        n++;
    if (sscanf(s, "%3c!", word) == 1)
        n++;
    if (sscanf(s, "%8[^a-z]x", word) == 1)
        n++;
    if (sscanf(s, "%8[]]%d", word, &x) == 2)
        n++;
    return n + x + y + word[0];
}
