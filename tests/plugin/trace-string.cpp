// Comparisons of std::string that its library makes: also where they are invoked, since an exception
// would have objects to destroy. What lies behind an outcome is known of them too.
// RUN: %cc -O1 -c -fPIE -o %t.rt.o -x c %S/Inputs/recorder.c
// RUN: %clangxx -O2 -g -o %t %s %t.rt.o && %t | FileCheck %s
// RUN: %t sites | FileCheck %s --check-prefix=SITES "--implicit-check-not={{[a-z_]+.h:[0-9]+: (string|find-mem)}}"
#include <string>

extern "C" void program();
static volatile char in[] = "bottom";
static volatile int sink;

static std::string input() { return std::string(const_cast<const char *>(in)); }

__attribute__((noinline)) static void plain(const std::string &s) noexcept
{
    if (s == "boom") // CHECK-DAG: string "bottom" "boom"'
        sink = 1;
    if (s.compare(input()) != 0) // CHECK-DAG: {{mem|string}} "bottom" "bottom"
        sink = 2;
    if (s.find("tom", 0) == std::string::npos) // CHECK-DAG: find-mem "bottom" "tom"'
        sink = 3;
}

// What a header of the system has inlined stands where it was called.
// SITES: trace-string.cpp:{{[0-9]+}}: string
__attribute__((noinline)) static void invoked()
{
    std::string s = input(), other = s + s;

    if (s == "bang" || other == "a longer text than fits") // CHECK-DAG: string "bottombottom" "a longer text than fits"'
        sink = 4;
}

void program()
{
    plain(input());
    invoked();
    if (sink != 0)
        __builtin_abort();
}
// CHECK-NOT: BROKEN
// CHECK: consistent: 1 images
