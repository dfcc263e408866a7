// An array within a structure has its own size. LLVM 22 makes its address from bytes, of which none is told.
// UNSUPPORTED: clang22
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/recorder.c
// RUN: %clang -O0 -g -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s
// RUN: %clang -O2 -g -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s
void program(void);
struct record {
    int n;
    volatile char name[24];
};

__attribute__((noinline)) static void name(struct record *r, int n)
{
    // CHECK-DAG: {{^}}[[@LINE+2]]: bound int{{32|64}} 17 >= 24'
    // CHECK-DAG: {{^}}[[@LINE+1]]: bound int{{32|64}} 17 < 0'
    r->name[n] = 1;
}

void program(void)
{
    static struct record records[2];
    static volatile int one = 1, numbers[] = {17, 18};

    name(&records[one], numbers[0]);
}
// CHECK-NOT: BROKEN
