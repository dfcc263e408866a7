// A state that is loaded from a constant table, and is the way to where the next one is, is told.
// RUN: %clang -O1 -S -emit-llvm -o %t.ll %s && FileCheck %s < %t.ll
// RUN: %clang -O0 -S -emit-llvm -o %t.0.ll %s && FileCheck %s --check-prefix=PLAIN < %t.0.ll
// RUN: %clang -O2 -S -emit-llvm -o %t.2.ll %s && FileCheck %s < %t.2.ll
#include <stddef.h>
#include <stdint.h>

// States up to 4: eight bytes. Those of the parsers, each in two tables of one automaton, up to 9: sixteen. No
// other table has any.
// Which of them are of a parser is said: the first moves by bytes.
// CHECK: @cfuzz.states = private global [8 x i8] zeroinitializer, section "__libfuzzer_extra_counters", align 1
// CHECK-NEXT: [[LARGE:@cfuzz.states.[0-9]+]] = private global [16 x i8] zeroinitializer, section "__libfuzzer_extra_counters", align 1
// CHECK-NEXT: @cfuzz.parser = private constant { i32, i32 } { {{.*}} [[LARGE]] {{.*}}, i32 16 }, section "cfuzz_parsers", align 4
// CHECK-NEXT: [[SMALL:@cfuzz.states.[0-9]+]] = private global [16 x i8] zeroinitializer, section "__libfuzzer_extra_counters", align 1
// CHECK-NEXT: @cfuzz.parser.{{[0-9]+}} = private constant { i32, i32 } { {{.*}} [[SMALL]] {{.*}}, i32 16 }, section "cfuzz_parsers", align 4
// CHECK-NOT: @cfuzz.states.{{[0-9]+}} =
// PLAIN: @cfuzz.states = private global [8 x i8]

static const int16_t moves[5][16] = {{1}, {1, 2}, {1, 0, 3}, {1, 4}, {4, 4, 4, 4}}; // a struct to the compiler
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
        state = moves[state][p[i] & 15];
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

// A state that lies on a stack, as in Lemon's parsers: what is stored in a field is loaded from it. What a token
// falls back to is none: it is joined with nothing.
#define PARSER(name, number)                                                                                  \
    static const number name##_offsets[8] = {0, 3, 1, 5, 4, 2, 2, 1};                                         \
    static const number name##_looks[16] = {0, 1, 2, 3, 0, 1, 3, 3, 1, 1, 0, 2};                              \
    static const number name##_actions[16] = {1, 4, 9, 2, 2, 3, 7, 8, 1, 5, 5, 6};                            \
    static const number name##_defaults[8] = {5, 5, 6, 5, 1, 0, 2, 3};                                        \
    struct name##_element {                                                                                   \
        number state, token;                                                                                  \
        void *value;                                                                                          \
    };                                                                                                        \
    struct name##_stack {                                                                                     \
        struct name##_element *top;                                                                           \
    };                                                                                                        \
    int name(struct name##_stack *s, const int *p, size_t n)                                                  \
    {                                                                                                         \
        for (size_t i = 0; i < n; i++) {                                                                      \
            number token = p[i] & 7, state = s->top->state, at;                                               \
                                                                                                              \
            while (token > 3)                                                                                 \
                token = fallbacks[token];                                                                     \
            at = name##_offsets[state & 7] + token;                                                           \
            state = name##_looks[at] == token ? name##_actions[at] : name##_defaults[state & 7];              \
            if (state < 9)                                                                                    \
                s->top++;                                                                                     \
            s->top->state = state;                                                                            \
            s->top->token = token;                                                                            \
            s->top->value = NULL;                                                                             \
        }                                                                                                     \
        return s->top->state;                                                                                 \
    }

static const uint16_t fallbacks[8] = {0, 0, 1, 1, 1, 2, 2, 3};

// CHECK-LABEL: define {{.*}}i32 @large_parser
// CHECK: store i8 1, {{.*}}!nosanitize
PARSER(large_parser, uint16_t)

// Bytes are no fields to the compiler.
// CHECK-LABEL: define {{.*}}i32 @small_parser
// CHECK: store i8 1, {{.*}}!nosanitize
PARSER(small_parser, uint8_t)
