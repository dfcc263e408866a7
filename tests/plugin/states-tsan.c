// ThreadSanitizer leaves the states of automata alone: threads that scan at once are no data race.
// RUN: %clang -O1 -g -fsanitize=thread -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -fsanitize=thread -S -emit-llvm -o - %s | FileCheck %s
#include <stddef.h>
#include <stdint.h>

static const uint8_t moves[4][4] = {{1, 2, 0, 1}, {3, 1, 2, 0}, {0, 0, 3, 1}, {2, 1, 1, 0}};

// CHECK: cfuzz.states = private global
// CHECK: define {{.*}}@scan(
// CHECK-NOT: __tsan_write
// CHECK: store i8 1, {{.*}}!nosanitize
// CHECK-NOT: __tsan_write
// CHECK: ret i32
int scan(const uint8_t *p, size_t n)
{
    unsigned state = 0;

    for (size_t i = 0; i < n; i++)
        state = moves[state][p[i] & 3];
    return (int)state;
}
