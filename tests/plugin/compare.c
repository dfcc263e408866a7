// Comparators that the user names: calls stay calls of the function with its parameters, and are told.
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-cfuzz-compare=same:0:1 -fplugin-arg-cfuzz-compare=same_n:1:2:0@x.c:3 -fplugin-arg-cfuzz-compare=bytes:0:1:2 -fplugin-arg-cfuzz-compare=elsewhere:0:1 -o - %s | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NONE
// RUN: %clang -O2 -S -emit-llvm -fplugin-arg-cfuzz-coverage=off -fplugin-arg-cfuzz-compare=same:0:1 -o - %s | FileCheck %s --check-prefix=OFF
// RUN: not %clang -c -o /dev/null -fplugin-arg-cfuzz-compare=bytes:0:3 %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %clang -c -o /dev/null -fplugin-arg-cfuzz-compare=bytes:0:2@a.c:7 %s 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not %clang -c -o /dev/null -fplugin-arg-cfuzz-compare=by_value:0:1 %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %clang -c -o /dev/null -fplugin-arg-cfuzz-compare=same:0 %s 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: cfuzz: -fplugin-arg-cfuzz-compare=same:0: the value must be FUNCTION:A:B or FUNCTION:A:B:SIZE, with numbers of parameters

static inline __attribute__((always_inline)) int same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static int same_n(unsigned long n, const char *a, const char *b)
{
    for (; n && *a == *b; n--)
        a++, b++;
    return n == 0;
}

// NUMBER: compare.c:[[@LINE+2]]:12: error: cfuzz: //cfuzz:compare bytes 0 3: there is no parameter 3: the function has 3, and the first is 0
// TYPE: compare.c:[[@LINE+1]]:12: error: cfuzz: //cfuzz:compare bytes 0 2 (a.c:7): parameter 2 is a 'int', and not a pointer to char or void
static int bytes(const void *a, const unsigned char *b, int n)
{
    for (int i = 0; i < n; i++)
        if (((const unsigned char *)a)[i] != b[i])
            return 0;
    return 1;
}

struct pair {
    long a, b;
};
// VALUE: compare.c:[[@LINE+1]]:12: error: cfuzz: //cfuzz:compare by_value 0 1: a parameter of type 'struct pair' is not supported here
static int by_value(const char *a, const char *b, struct pair p)
{
    return *a == *b && p.a == p.b;
}

int elsewhere(const char *a, const char *b);

// A site each of kinds 5 (strcmp), 6 (strncmp), 4 (memcmp) and 5; b is a constant of the program in the
// first, which is 4.
// CHECK: @cfuzz.sites{{.*}} { i8 5, i8 0, i8 0, i8 4,{{.*}} { i8 6, i8 0, i8 0, i8 4,{{.*}} { i8 4, i8 0, i8 0, i8 4,{{.*}} { i8 5, i8 0, i8 0, i8 4,
// CHECK: @llvm.compiler.used = {{.*}}@same
// NONE-NOT: cfuzz_trace_text
// OFF-NOT: call i32 @same

// What a comparator compares is told by its callers: it has no copy.
// CHECK-NOT: @same.traced
// CHECK: define {{.*}}i32 @uses.traced(
// CHECK: call {{.*}}@same(
// CHECK-NEXT: call void @cfuzz_trace_text(
// CHECK: call {{.*}}@same_n(
// CHECK-NEXT: call void @cfuzz_trace_text(
// CHECK: call {{.*}}@bytes(
// CHECK-NEXT: call void @cfuzz_trace_text(
// CHECK: call {{.*}}@elsewhere(
// CHECK-NEXT: call void @cfuzz_trace_text(
int uses(const char *s, struct pair p)
{
    int n = 0;
    if (same(s, "constant"))
        n++;
    if (same_n(4, s, "data"))
        n += 2;
    if (bytes(s, (const unsigned char *)"\1\2", 2))
        n += 4;
    if (elsewhere(s, "x"))
        n += 8;
    return n + by_value(s, s + 1, p);
}
