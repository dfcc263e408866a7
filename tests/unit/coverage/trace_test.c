/*
 * trace_test.c - what the hooks record, of sites that the test announces.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "coverage/trace.h"
#include "coverage/trace_places.h"

enum { NUMBER, SWITCH, TEXT, NSITES };

static uint8_t tracing;
static uint32_t nothers; /* sites that the runtime announces */
static struct cfz_site sites[NSITES] = {
    [NUMBER] = {.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32},
    [SWITCH] = {.kind = CFZ_SITE_SWITCH, .width = 32, .ncases = 1},
    [TEXT] = {.kind = CFZ_SITE_STRING},
};

static int setup(void **state)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    (void)state;
    nothers = cfz_trace_sites();
    cfuzz_trace_init(CFUZZ_ABI, &tracing, sites, sites + NSITES);
    assert_int_equal(cfz_trace_map(&err), 0);
    return 0;
}

static const struct cfz_event *last_event(void)
{
    assert_true(cfz_trace.nevents > 0);
    return &cfz_trace.events[cfz_trace.nevents - 1];
}

static void test_announced(void **state)
{
    static struct cfz_site other[2];

    (void)state;
    assert_int_equal(cfz_trace_sites(), nothers + NSITES);
    assert_ptr_equal(cfz_trace_site(nothers + TEXT), &sites[TEXT]);
    assert_null(cfz_trace_site(nothers + NSITES));
    cfuzz_trace_init(CFUZZ_ABI, &tracing, sites, sites + NSITES); /* again: dropped */
    cfuzz_trace_init(CFUZZ_ABI + 1, &tracing, other, other + 2);  /* another version: not traced */
    cfuzz_trace_init(CFUZZ_ABI, &tracing, other, other);          /* none */
    assert_int_equal(cfz_trace_sites(), nothers + NSITES);
}

static void test_numbers(void **state)
{
    (void)state;
    cfuzz_trace_number(&sites[NUMBER], 1, 2); /* off: nothing */
    cfz_trace_begin();
    assert_int_equal(tracing, 1);
    assert_int_equal(cfz_trace.nevents, 0);
    cfuzz_trace_number(&sites[NUMBER], 1, 2);
    cfuzz_trace_switch(&sites[SWITCH], 7);
    cfuzz_trace_number(&sites[NUMBER], 3, 4);
    cfz_trace_end();
    assert_int_equal(tracing, 0);
    cfuzz_trace_number(&sites[NUMBER], 5, 6);
    assert_int_equal(cfz_trace.nevents, 3);
    assert_int_equal(cfz_trace.events[2].a, 3);
    assert_int_equal(cfz_trace.events[2].nth, 1);
    assert_int_equal(cfz_trace.events[2].before, 1);
    assert_ptr_equal(cfz_trace_find(&sites[NUMBER], 0), &cfz_trace.events[0]);
    assert_ptr_equal(cfz_trace_find(&sites[NUMBER], 1), &cfz_trace.events[2]);
    assert_null(cfz_trace_find(&sites[NUMBER], 2));
    assert_null(cfz_trace_find(&sites[TEXT], 0));
    cfz_trace_begin(); /* forgets */
    assert_null(cfz_trace_find(&sites[NUMBER], 0));
    cfz_trace_end();
}

static void test_bounds(void **state)
{
    (void)state;
    cfz_trace_begin();
    for (int i = 0; i < CFZ_EVENTS_SITE + 10; i++)
        cfuzz_trace_number(&sites[NUMBER], (uint64_t)i, 0);
    cfuzz_trace_switch(&sites[SWITCH], 1);
    cfz_trace_end();
    assert_int_equal(cfz_trace.nevents, CFZ_EVENTS_SITE + 1);
    assert_int_equal(cfz_trace.passed, CFZ_EVENTS_SITE + 11);
    assert_int_equal(cfz_trace_find(&sites[NUMBER], CFZ_EVENTS_SITE - 1)->a, CFZ_EVENTS_SITE - 1);
}

/* Where much is compared each site has less of the room, so that there is some for the last. */
static void test_shared_room(void **state)
{
    enum { MANY = 3000 };
    static struct cfz_site many[MANY];
    static uint8_t tracing_many;
    uint32_t n;

    (void)state;
    for (int i = 0; i < MANY; i++)
        many[i] = (struct cfz_site){.kind = CFZ_SITE_INT, .predicate = CFZ_REL_EQUAL, .width = 32};
    cfuzz_trace_init(CFUZZ_ABI, &tracing_many, many, many + MANY);
    cfz_trace_begin();
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < CFZ_EVENTS_SITE + 1; k++)
            cfuzz_trace_number(&many[i], (uint64_t)k, 0);
    cfz_trace_end();
    assert_int_equal(many[0].hits, CFZ_EVENTS_SITE);
    assert_int_equal(many[127].hits, CFZ_EVENTS_SITE);
    assert_int_equal(many[128].hits, CFZ_EVENTS_HALF);
    assert_int_equal(many[128 + 511].hits, CFZ_EVENTS_HALF);
    assert_int_equal(many[128 + 512].hits, CFZ_EVENTS_LAST);
    n = many[MANY - 1].hits;
    assert_int_equal(n, CFZ_EVENTS_LAST);
    assert_int_equal(cfz_trace.nevents, CFZ_EVENTS_MAX / 4 * 3 + (MANY - 640) * CFZ_EVENTS_LAST);
    cfz_trace_begin();
    for (int k = 0; k < CFZ_EVENTS_SITE + 1; k++)
        cfuzz_trace_number(&many[0], (uint64_t)k, 0);
    cfz_trace_end();
    assert_int_equal(many[0].hits, CFZ_EVENTS_SITE);
}

/* A function that the user named as a comparator may be given what is no text. */
static void test_no_texts(void **state)
{
    (void)state;
    sites[TEXT].kind = CFZ_SITE_STRING;
    cfz_trace_begin();
    cfuzz_trace_text(&sites[TEXT], NULL, 0, "abc", 0);
    cfuzz_trace_text(&sites[TEXT], "abc", 0, NULL, 0);
    cfuzz_trace_text(&sites[TEXT], "abc", 0, (const void *)UINTPTR_MAX, 0);
    cfuzz_trace_text(&sites[TEXT], (const void *)(uintptr_t)4095, 0, "abc", 0);
    sites[TEXT].kind = CFZ_SITE_MEM;
    cfuzz_trace_text(&sites[TEXT], "abc", UINT64_MAX, "abd", 0);
    cfz_trace_end();
    assert_int_equal(cfz_trace.nevents, 0);
    sites[TEXT].kind = CFZ_SITE_FIND_BYTE; /* which has one text */
    cfz_trace_begin();
    cfuzz_trace_text(&sites[TEXT], "abc", 0, NULL, 'b');
    cfz_trace_end();
    assert_int_equal(cfz_trace.nevents, 1);
    assert_true(cfz_trace.events[0].outcome);
    sites[TEXT].kind = CFZ_SITE_STRING;
}

/* A comparison of text by kind: what is kept of both sides, and the outcome. */
static const struct text {
    uint8_t kind;
    const char *a;
    uint64_t n;
    const char *b;
    uint64_t m;
    const char *kept_a, *kept_b;
    bool outcome;
} texts[] = {
    {CFZ_SITE_MEM, "abcX", 3, "abcY", 0, "abc", "abc", true},
    {CFZ_SITE_MEM, "abcX", 4, "abcY", 0, "abcX", "abcY", false},
    {CFZ_SITE_STRING, "abc", 0, "ab", 0, "abc", "ab", false},
    {CFZ_SITE_STRING, "ab", 0, "ab", 0, "ab", "ab", true},
    {CFZ_SITE_STRING, "", 0, "a", 0, "", "a", false},
    {CFZ_SITE_STRING_N, "abc", 2, "abd", 0, "ab", "ab", true},
    {CFZ_SITE_STRING_N, "a", 9, "ab", 0, "a", "ab", false},
    {CFZ_SITE_STRING_CASE, "aB", 0, "Ab", 0, "aB", "Ab", true},
    {CFZ_SITE_STRING_N_CASE, "aBx", 2, "Aby", 0, "aB", "Ab", true},
    {CFZ_SITE_FIND, "hello", 0, "ll", 0, "hello", "ll", true},
    {CFZ_SITE_FIND, "hello", 0, "lo!", 0, "hello", "lo!", false},
    {CFZ_SITE_FIND_CASE, "heLLo", 0, "lL", 0, "heLLo", "lL", true},
    {CFZ_SITE_FIND_MEM, "he\0lo", 5, "\0l", 2, "he\0lo", "\0l", true},
    {CFZ_SITE_FIND_BYTE, "abc", 0, NULL, 'c', "abc", "c", true},
    {CFZ_SITE_FIND_BYTE, "abc", 0, NULL, 'd', "abc", "d", false},
    {CFZ_SITE_FIND_BYTE_MEM, "abcdef", 6, NULL, 'c', "abc", "c", true},
};

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct text *t = &texts[i];
        const struct cfz_event *e;

        sites[TEXT].kind = t->kind;
        cfz_trace_begin();
        cfuzz_trace_text(&sites[TEXT], t->a, t->n, t->b, t->m);
        cfz_trace_end();
        e = last_event();
        if (e->outcome != t->outcome ||
            memcmp(cfz_trace.text + e->a_at, t->kept_a, e->a_len) != 0 ||
            memcmp(cfz_trace.text + e->b_at, t->kept_b, e->b_len) != 0 ||
            e->a_len != (t->kind == CFZ_SITE_FIND_MEM ? 5 : strlen(t->kept_a)) ||
            e->b_len != (t->kind == CFZ_SITE_FIND_MEM ? 2 : strlen(t->kept_b)))
            fail_msg("text %zu: outcome %d, \"%.*s\" and \"%.*s\"", i, e->outcome, (int)e->a_len,
                     (const char *)cfz_trace.text + e->a_at, (int)e->b_len,
                     (const char *)cfz_trace.text + e->b_at);
    }
    sites[TEXT].kind = CFZ_SITE_STRING;
}

/* Of memory that is compared with a string and its NUL, nothing behind its own NUL is kept: a
 * buffer on the stack has other bytes there in each run. */
static void test_string_as_memory(void **state)
{
    static const struct {
        const char *a, *b;
        uint64_t n;
        uint8_t flags;
        uint32_t kept_a, kept_b;
        bool outcome;
    } cases[] = {
        {"ke\0rest", "key", 4, CFZ_SITE_CONST_B, 3, 4, false},
        {"key", "ke\0rest", 4, CFZ_SITE_CONST_A, 4, 3, false},
        {"key\0rest", "key", 4, CFZ_SITE_CONST_B, 4, 4, true},
        {"keys and", "key", 4, CFZ_SITE_CONST_B, 4, 4, false},
        {"ke\0rest", "key", 4, 0, 4, 4, false},                /* the program's own memory */
        {"ke\0rest", "key", 3, CFZ_SITE_CONST_B, 3, 3, false}, /* no string */
        {"ke\0rest", "k\0y", 4, CFZ_SITE_CONST_B, 4, 4, false},
    };

    (void)state;
    sites[TEXT].kind = CFZ_SITE_MEM;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct cfz_event *e;

        sites[TEXT].flags = cases[i].flags;
        cfz_trace_begin();
        cfuzz_trace_text(&sites[TEXT], cases[i].a, cases[i].n, cases[i].b, cases[i].n);
        cfz_trace_end();
        e = last_event();
        assert_int_equal(e->a_len, cases[i].kept_a);
        assert_int_equal(e->b_len, cases[i].kept_b);
        assert_int_equal(e->outcome, cases[i].outcome);
    }
    sites[TEXT].kind = CFZ_SITE_STRING;
    sites[TEXT].flags = 0;
}

/* A call through a pointer is a comparison of the kind of the function that was called. */
static void test_calls(void **state)
{
    static const char *const word = "query";

    (void)state;
    cfz_trace_begin();
    cfuzz_trace_call(&sites[TEXT], 1, (const void *)(uintptr_t)strcmp, word, "quiz", 0);
    cfuzz_trace_call(&sites[NUMBER], NSITES, (const void *)(uintptr_t)strcmp, word, "query", 0);
    cfuzz_trace_call(&sites[TEXT], 1, (const void *)(uintptr_t)strncmp, word, "quiz", 3);
    cfuzz_trace_call(&sites[TEXT], 1, (const void *)(uintptr_t)malloc, word, "quiz", 0);
    cfuzz_trace_call(&sites[TEXT], 1, NULL, word, "quiz", 0);
    cfz_trace_end();
    assert_int_equal(cfz_trace.nevents, 2);
    assert_ptr_equal(cfz_trace.events[0].site, &sites[TEXT]);
    assert_false(cfz_trace.events[0].outcome);
    assert_int_equal(cfz_trace.events[0].b_len, 4);
    assert_true(cfz_trace.events[1].outcome);
}

/* What stands in for a function tells of a call. If a hook tells of it too, one event is left. */
static void test_told(void **state)
{
    static struct cfz_site foreign = {.kind = CFZ_SITE_STRING};
    static uint8_t others;
    static const char *const word = "query", *const other = "quiz";

    (void)state;
    cfuzz_trace_init(CFUZZ_ABI, &others, &foreign, &foreign + 1);
    cfz_trace_text_told(&foreign, word, 0, other, 0); /* off: nothing */
    cfz_trace_begin();
    cfz_trace_text_told(&foreign, word, 0, "quest", 0);
    cfz_trace_text_told(&foreign, word, 0, other, 0);
    cfuzz_trace_text(&sites[TEXT], word, 0, other, 0); /* in its place */
    cfuzz_trace_text(&sites[TEXT], word, 0, other, 0); /* another call */
    cfz_trace_text_told(&foreign, word, 0, other, 0);
    cfuzz_trace_text(&sites[TEXT], other, 0, word, 0); /* of something else */
    cfz_trace_text_told(&foreign, word, 0, other, 0);
    cfuzz_trace_number(&sites[NUMBER], 1, 2);
    cfuzz_trace_text(&sites[TEXT], word, 0, other, 0); /* not next */
    cfz_trace_end();
    assert_int_equal(cfz_trace.nevents, 8);
    assert_int_equal(cfz_trace.passed, 8);
    assert_int_equal(foreign.hits, 3);
    assert_int_equal(sites[TEXT].hits, 4);
    assert_ptr_equal(cfz_trace.events[0].site, &foreign);
    assert_ptr_equal(cfz_trace.events[1].site, &sites[TEXT]);
    assert_int_equal(cfz_trace.events[1].nth, 0);
    assert_int_equal(cfz_trace.events[1].a_at, 10); /* its text is where the other's was */
    assert_int_equal(cfz_trace.events[3].nth, 1);
    assert_int_equal(cfz_trace.events[3].before, 1);
    assert_ptr_equal(cfz_trace_find(&foreign, 2), &cfz_trace.events[5]);
}

static void *compare(void *unused)
{
    cfuzz_trace_number(&sites[NUMBER], 1, 2);
    return unused;
}

/* A place that only the test's thread may make a site of. */
static void *make_site(void *made)
{
    bool fresh;

    *(struct cfz_site **)made = cfz_place_site(0x1234, CFZ_SITE_INT, CFZ_REL_EQUAL, 32, &fresh);
    return NULL;
}

/* What other threads compare is left out: it would make each trace another one. */
/* Compares numbers and text, while others do. */
static void *compare_much(void *unused)
{
    for (int i = 0; i < 20000; i++) {
        cfuzz_trace_number(&sites[NUMBER], 3, 4);
        cfuzz_trace_text(&sites[TEXT], "abc", 0, "abd", 0);
    }
    return unused;
}

/* From the second trace on other threads are recorded too, and none spoils what another one writes.
 */
static void test_crowd(void **state)
{
    pthread_t t[3];

    (void)state;
    sites[TEXT].kind = CFZ_SITE_STRING;
    for (int round = 0; round < 50; round++) {
        cfz_trace_begin();
        for (int i = 0; i < 3; i++)
            assert_int_equal(pthread_create(&t[i], NULL, compare_much, NULL), 0);
        compare_much(NULL);
        if (round % 2 == 0) /* the trace ends amid what they do, or behind it */
            cfz_trace_end();
        for (int i = 0; i < 3; i++)
            pthread_join(t[i], NULL);
        if (round % 2 == 1)
            cfz_trace_end();
        assert_in_range(cfz_trace.nevents, 1, 2 * CFZ_EVENTS_SITE);
        assert_int_equal(cfz_trace.nevents, sites[NUMBER].hits + sites[TEXT].hits);
        for (uint32_t i = 0; i < cfz_trace.nevents; i++) {
            const struct cfz_event *e = &cfz_trace.events[i];

            assert_ptr_equal(cfz_trace_find(e->site, e->nth), e);
            if (e->site == &sites[NUMBER]) {
                assert_int_equal(e->a, 3);
                assert_int_equal(e->b, 4);
            } else {
                assert_memory_equal(cfz_trace.text + e->a_at, "abc", 3);
                assert_memory_equal(cfz_trace.text + e->b_at, "abd", 3);
            }
        }
        cfuzz_trace_number(&sites[NUMBER], 5, 6);
        assert_true(last_event()->site != &sites[NUMBER] || last_event()->a == 3);
    }
    /* Counting is of the thread that began it alone. */
    cfz_trace_count_begin();
    assert_int_equal(pthread_create(&t[0], NULL, compare, NULL), 0);
    pthread_join(t[0], NULL);
    cfuzz_trace_number(&sites[NUMBER], 5, 6);
    assert_int_equal(cfz_trace_count_end(), 1);
}

static void test_other_thread(void **state)
{
    struct cfz_site *site = &sites[0];
    pthread_t t;

    (void)state;
    cfz_trace_begin();
    assert_int_equal(pthread_create(&t, NULL, compare, NULL), 0);
    pthread_join(t, NULL);
    assert_int_equal(pthread_create(&t, NULL, make_site, &site), 0);
    pthread_join(t, NULL);
    assert_null(site);
    make_site(&site);
    assert_non_null(site);
    cfz_trace_end();
    assert_int_equal(cfz_trace.nevents, 0);
    make_site(&site);
    assert_null(site);
}

/* Text that ends where memory ends, without a NUL, and differs before. */
static void test_end_of_memory(void **state)
{
    static const enum cfz_site_kind kinds[] = {CFZ_SITE_STRING, CFZ_SITE_STRING_N,
                                               CFZ_SITE_STRING_CASE};
    const long page = sysconf(_SC_PAGESIZE);
    char *at =
        mmap(NULL, (size_t)page * 3, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_ptr_not_equal(at, MAP_FAILED);
    assert_int_equal(mprotect(at + 2 * page, (size_t)page, PROT_NONE), 0);
    memcpy(at + page - 3, "magpie", 6); /* over an edge behind which memory goes on */
    memcpy(at + 2 * page - 3, "mag", 3);
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof kinds[0]; i++) {
        const struct cfz_event *e;

        sites[TEXT].kind = kinds[i / 2];
        cfz_trace_begin();
        errno = 7;
        cfuzz_trace_text(&sites[TEXT], at + (1 + i % 2) * (size_t)page - 3, 10, "mallow", 0);
        assert_int_equal(errno, 7);
        cfz_trace_end();
        e = last_event();
        assert_false(e->outcome);
        assert_int_equal(e->a_len, i % 2 ? 3 : 6);
        assert_memory_equal(cfz_trace.text + e->a_at, "magpie", e->a_len);
    }
    sites[TEXT].kind = CFZ_SITE_STRING;
    munmap(at, (size_t)page * 3);
}

/* Whether a traced search says that needle is in haystack. */
static bool is_found(enum cfz_site_kind kind, const char *haystack, const char *needle)
{
    sites[TEXT].kind = (uint8_t)kind;
    cfz_trace_begin();
    cfuzz_trace_text(&sites[TEXT], haystack, strlen(haystack), needle, (uint8_t)needle[0]);
    cfz_trace_end();
    sites[TEXT].kind = CFZ_SITE_STRING;
    return last_event()->outcome;
}

/* What is looked for may stand behind what is kept of the text. */
static void test_far(void **state)
{
    static char text[4 * CFZ_TEXT_MAX];

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 3] = 'Z';
    for (int k = 0; k < 2; k++) {
        assert_true(is_found(CFZ_SITE_FIND_BYTE_MEM, text, "Z"));
        assert_true(is_found(CFZ_SITE_FIND_BYTE, text, "Z"));
        assert_true(is_found(CFZ_SITE_FIND, text, "xxZx"));
        assert_true(is_found(CFZ_SITE_FIND_CASE, text, "XzX"));
        assert_false(is_found(CFZ_SITE_FIND, text, "XzX"));
        assert_false(is_found(CFZ_SITE_FIND, text, "xxZxx"));
        assert_false(is_found(CFZ_SITE_FIND_BYTE_MEM, text, "Y"));
    }
}

/* A search takes the time of both lengths: of their product it would be some minutes. */
static void test_long_search(void **state)
{
    enum { LONG = 1 << 20 };
    char *text = malloc(2 * LONG), *end = malloc(LONG);

    (void)state;
    assert_non_null(text);
    assert_non_null(end);
    memset(text, 'a', 2 * LONG - 1);
    text[2 * LONG - 1] = '\0';
    memset(end, 'a', LONG - 2);
    memcpy(end + LONG - 2, "b", 2);
    assert_false(is_found(CFZ_SITE_FIND, text, end));
    end[LONG - 2] = 'a';
    assert_true(is_found(CFZ_SITE_FIND, text, end));
    free(text);
    free(end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_long_search),
        cmocka_unit_test(test_announced),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_shared_room),
        cmocka_unit_test(test_no_texts),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_string_as_memory),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_other_thread),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_end_of_memory),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
