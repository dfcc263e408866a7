// Of C++ the names are as stacks have them, and what is thrown may be caught.
// RUN: %clangxx -O2 -c -o %t.2.o %s && llvm-readelf -p cfuzz_noreturn %t.2.o | FileCheck %s
// RUN: %clangxx -O0 -g -c -o %t.0.o %s && llvm-readelf -p cfuzz_noreturn %t.0.o | FileCheck %s
// CHECK-NOT: caught
// CHECK-NOT: rethrown
// CHECK-DAG: stop(int)
// CHECK-DAG: space::fail(char const*)
// CHECK-DAG: plain
// CHECK-DAG: thrower(int)
// CHECK-NOT: caught
// CHECK-NOT: rethrown
#include <cstdlib>
#include <exception>
#include <stdexcept>

__attribute__((noinline)) static void stop(int n) { std::exit(n); }

extern "C" __attribute__((noinline)) void plain(int n) { stop(n + 1); }

namespace space {
__attribute__((noinline)) void fail(const char *why) { throw std::runtime_error(why); }
} // namespace space

void thrower(int n) {
  if (n > 3)
    space::fail("large");
  throw n;
}

int caught(int n) {
  try {
    space::fail("always");
  } catch (const std::runtime_error &) {
    return n;
  }
  return 0;
}

int uses_caught(int n) { return 2 * caught(n); }

const char *rethrown(std::exception_ptr p) {
  try {
    std::rethrow_exception(p);
  } catch (const std::exception &e) {
    return e.what();
  }
}
