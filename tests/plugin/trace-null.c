// Whether a pointer is null is told as 0 or 1. Of memory that the system gives nobody asks, where an
// optimiser has shown that it is that.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 sites | FileCheck %s && %t.0 | FileCheck %s --check-prefix=RECORD
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 sites | FileCheck %s && %t.2 | FileCheck %s --check-prefix=RECORD
// RUN: %t.2 sites | FileCheck %s --check-prefix=OPT
// RUN: %clang -O2 -g -fsanitize=address -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

void program(void);
static volatile int sink;
static struct item {
    const struct item *next;
    int n;
} items[] = {{&items[1], 5}, {0, 7}};

APART static const struct item *find(const struct item *at, int n)
{
    // CHECK-DAG: trace-null.c:[[@LINE+1]]: pointer8 column {{[0-9]+}} {{[!=]}}= B
    for (; at; at = at->next)
        if (at->n == n)
            break;
    return at;
}

// IR-LABEL: define {{.*}}@looks_up.traced
// IR: [[FOUND:%.*]] = icmp {{eq|ne}} {{.*}}, null
// IR: call void @cfuzz_trace_number(
APART static void looks_up(int n)
{
    const struct item *found = find(items, n);

    // CHECK-DAG: trace-null.c:[[@LINE+2]]: pointer8 column {{[0-9]+}} {{[!=]}}= B true={{own|none}} false={{own|none}}
    // RECORD: [[@LINE+1]]: pointer8 1 {{[!=]}}= 0'
    if (!found)
        sink++;
    else
        sink = found->n;
}

APART static void misses(void)
{
    // CHECK-DAG: trace-null.c:[[@LINE+2]]: pointer8 column
    // RECORD: [[@LINE+1]]: pointer8 0 {{[!=]}}= 0'
    if (find(items, 9) == NULL)
        sink++;
}

APART static void takes_memory(size_t n)
{
    // OPT-NOT: trace-null.c:[[@LINE+2]]: pointer
    char *p = malloc(n);
    if (!p)
        return;
    // OPT-NOT: trace-null.c:[[@LINE+1]]: pointer
    if (!strchr(memset(p, sink, n), 'x'))
        sink++;
    // OPT-NOT: trace-null.c:[[@LINE+1]]: pointer
    if (p == (char *)&sink)
        sink++;
    // OPT: find-byte
    free(p);
}

void program(void)
{
    looks_up(7);
    misses();
    takes_memory(8);
}
