// A state that is loaded from a constant table, and is the way to where the next one is, is told.
// RUN: %clang -O1 -S -emit-llvm -o %t.ll %s && FileCheck %s < %t.ll
// RUN: %clang -O0 -S -emit-llvm -o %t.0.ll %s && FileCheck %s --check-prefix=PLAIN < %t.0.ll
// RUN: %clang -O2 -S -emit-llvm -o %t.2.ll %s && FileCheck %s < %t.2.ll
#include <stddef.h>
#include <stdint.h>

// States up to 4: eight bytes. No other table has any.
// CHECK: @cfuzz.states = private global [8 x i8] zeroinitializer, section "__libfuzzer_extra_counters", align 1
// CHECK-NOT: @cfuzz.states.
// PLAIN: @cfuzz.states = private global [8 x i8]

static const int16_t moves[5][4] = {{1, 0, 0, 0}, {1, 2, 0, 0}, {1, 0, 3, 0}, {1, 4, 0, 0}, {4, 4, 4, 4}};
static const uint8_t places[10] = {0, 3, 1, 7, 9, 2, 8, 4, 6, 5}; // a permutation
static const uint8_t kinds[10] = {0, 1, 1, 0, 2, 2, 0, 0, 1, 1};
static const uint32_t sums[8] = {0, 0xedb88320, 7, 0xedb88320, 5, 9, 0x1000, 0x2000};

// CHECK-LABEL: define {{.*}}i32 @automaton
// CHECK: load i16
// CHECK: store i8 1, {{.*}}!nosanitize
// PLAIN-LABEL: define {{.*}}i32 @automaton
// PLAIN: store i8 1, {{.*}}!nosanitize
int automaton(const uint8_t *p, size_t n)
{
    int state = 0;

    for (size_t i = 0; i < n; i++)
        state = moves[state][p[i] & 3];
    return state == 4;
}

// CHECK-LABEL: define {{.*}}i32 @others
int others(const uint8_t *p, size_t n)
{
    unsigned at = 0, seen = 0;
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        at = places[at] ^ (p[i] & 1);
        seen += kinds[p[i] % 10];
        sum = sums[(sum ^ p[i]) & 7] ^ sum >> 3;
    }
    return (int)(at + seen + sum);
}
