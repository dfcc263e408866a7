// Functions that are defined in several objects, constructors, exceptions and lambdas: a copy belongs to
// its function, and is called from elsewhere through the function.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o -x c %S/Inputs/recorder.c
// RUN: %clangxx -O0 -g -DSECOND -c -o %t.b.o %s && %clangxx -O2 -g -c -o %t.a.o %s
// RUN: %clangxx -o %t.1 %t.a.o %t.b.o %t.rt.o && %t.1 | FileCheck %s
// RUN: %clangxx -o %t.2 %t.b.o %t.a.o %t.rt.o && %t.2 | FileCheck %s
// RUN: %clangxx -O0 -g -c -o %t.c.o %s && %clangxx -Wl,--gc-sections -o %t.3 %t.b.o %t.c.o %t.rt.o && %t.3 | FileCheck %s
// RUN: %clangxx -O2 -g -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
#include <stdexcept>

struct Shape {
    int n;
    __attribute__((noinline)) explicit Shape(int n) : n(n)
    {
        if (n == 17) // CHECK-DAG: {{^}}[[@LINE]]: uint32 [[#]] == 17'
            this->n = 18;
    }
    virtual ~Shape() {}
    virtual int area(int by) { return by < 10 ? n : by; } // CHECK-DAG: {{^}}[[@LINE]]: int32 3 < 10'
};

template <class T> __attribute__((noinline)) T twice(T n)
{
    if (n == 5) // CHECK-DAG: {{^}}[[@LINE]]: uint32 6 == 5'
        throw std::runtime_error("five");
    return 2 * n;
}

// The copy of a function in this object alone does not name a copy that another object may replace.
// IR: define linkonce_odr {{.*}}i32 @_Z5twiceIiET_S0_(
// IR: musttail call {{.*}}@_Z5twiceIiET_S0_.traced(
// IR: define internal {{.*}}@_Z9elsewherei.traced(
// IR-NOT: {{(call|invoke).*}}@_Z5twiceIiET_S0_.traced(
// IR: {{(call|invoke).*}}@_Z5twiceIiET_S0_(
// IR-NOT: {{(call|invoke).*}}@_Z5twiceIiET_S0_.traced(
int elsewhere(int n), second(int n);
extern "C" void program();

#ifdef SECOND
int second(int n)
{
    if (n > 40) // CHECK-DAG: {{^}}[[@LINE]]: int32 12 > 40'
        return 0;
    return twice(n) + Shape(n).area(3);
}
#else
int elsewhere(int n)
{
    int got = 0;
    auto sum = [&](int m) { return m > 100 ? got : got + m; };
    try {
        got = n < 30 ? twice(n) : n; // CHECK-DAG: {{^}}[[@LINE]]: int32 6 < 30'
    } catch (const std::exception &) {
        got = -1;
    }
    return sum(got);
}

static volatile int in = 6;

void program()
{
    Shape s(in);

    if (elsewhere(in) != 24 || elsewhere(in - 1) != -2 || second(in + in) != 36 || s.area(in) != 6)
        __builtin_abort();
}
#endif
// CHECK-NOT: BROKEN
// CHECK: consistent: 1 images
