// Text that is compared by a function of the C library, called through a pointer.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 sites | FileCheck %s && %t.0 | FileCheck %s --check-prefix=RECORD
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s && %t.2 | FileCheck %s --check-prefix=RECORD
// RUN: %clang -O2 -g -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
#include <string.h>
#include <strings.h>

#define APART __attribute__((noinline))

void program(void);
static volatile int sink;
static int (*volatile sized)(const char *, const char *, size_t) = strncmp;
static int (*volatile ended)(const char *, const char *) = strcmp;
static void *(*volatile other)(void *, const void *, size_t) = memcpy;

static int own(const char *a, const char *b)
{
    return a != b;
}

APART static void compares(const char *a, const char *b)
{
    char to[8];

    ended = strcmp;
    // CHECK: trace-pointers.c:[[@LINE+8]]: mem column
    // CHECK-NEXT: trace-pointers.c:[[@LINE+7]]: string-n column
    // CHECK-NEXT: trace-pointers.c:[[@LINE+6]]: case-n column
    // RECORD: [[@LINE+5]]: string-n "query"{{'?}} "query"{{'?}} 5 0
    // RECORD-NEXT: [[@LINE+4]]: {{u?}}int32 0 == 0'
    // IR: [[FN:%.*]] = load volatile {{.*}} @sized
    // IR: call i32 [[FN]](
    // IR: call void @cfuzz_trace_call({{.*}}, i64 3, {{.*}}, i64 5)
    sink = sized(a, b, 5) == 0;
    // CHECK: trace-pointers.c:[[@LINE+3]]: string column
    // CHECK-NEXT: trace-pointers.c:[[@LINE+2]]: case column
    // RECORD-NEXT: [[@LINE+1]]: string "querying"{{'?}} "query"{{'?}} 0 0
    sink = ended(a, b);
    ended = strcasecmp;
    // RECORD-NEXT: [[@LINE+1]]: case "querying"{{'?}} "query"{{'?}} 0 0
    sink = ended(a, b);
    // What is not one of these says nothing.
    ended = own;
    // RECORD-NOT: [[@LINE+1]]:
    sink = ended(a, b);
    // CHECK-NOT: trace-pointers.c:[[@LINE+1]]:
    sink = other(to, a, 4) == to;
}

void program(void)
{
    compares("querying", "query");
}
