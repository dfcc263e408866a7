/*
 * crashes.c - crashes of known identity, for tests/identity/run.py: FuzzCrash(n) shows crash n. Comments
 * name the pairs that the numbers belong to; run.py says which of them are the same bug.
 */
#include <cfuzz.h>

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static volatile int one = 1, sink;
static int *volatile null_pointer;

/* ---- helpers that never return ------------------------------------------------------- */

static APART void panic(const char *text)
{
    fprintf(stderr, "panic: %s\n", text);
    abort();
}

/* Not declared so, and its name says nothing. */
static APART void finish_badly(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    abort();
}

/* Calls another one. */
static APART void give_up(const char *text)
{
    finish_badly("%s\n", text);
}

static inline void stop_here(void)
{
    abort();
}

static APART void leave(int status)
{
    exit(status);
}

/* ---- helpers that return ------------------------------------------------------------- */

static APART void check(int ok)
{
    if (!ok)
        abort();
}

/* A wrapper whose name is on nobody's list, and that returns. */
static APART void copy_bytes(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
}

static APART void *xmalloc(size_t n)
{
    void *p = malloc(n);

    if (p == NULL)
        abort();
    return p;
}

static APART void expect_equal(cfuzz_t *t, int a, int b)
{
    if (a != b)
        cfuzz_error(t, "%d and %d", a, b);
}

/* ---- code with bugs -------------------------------------------------------------------- */

#define MAKE(name)                                                                                 \
    static APART void name(void)                                                                   \
    {                                                                                              \
        *null_pointer = 1;                                                                         \
    }
/* clang-format off */
MAKE(made_a) MAKE(made_b) MAKE(made_c) MAKE(made_d)
/* clang-format on */

static APART void parse_header(int n)
{
    if (n == 0)
        panic("header: empty");
    if (n == 1)
        panic("header: too long");
    sink++;
}

static APART void parse_body(void)
{
    panic("body");
    sink++;
}

static APART void read_list(void)
{
    finish_badly("list\n");
    sink++;
}

static APART void read_map(void)
{
    finish_badly("map\n");
    sink++;
}

static APART void open_table(void)
{
    give_up("table");
    sink++;
}

static APART void open_index(void)
{
    give_up("index");
    sink++;
}

static APART void quick_a(void)
{
    sink++;
    stop_here();
}

static APART void quick_b(void)
{
    sink += 2;
    stop_here();
}

static APART void checks_a(int n)
{
    check(n != 0);
    check(n != 1);
    sink++;
}

static APART void checks_b(void)
{
    check(!one);
    sink++;
}

static APART void asserts(int n)
{
    assert(n != 0);
    assert(n != 1);
    sink++;
}

/* A leaf with one bug that several reach. */
static APART int leaf(const int *p)
{
    return *p + one;
}

static APART void way_a(void)
{
    sink += leaf(null_pointer);
}

static APART void way_b(void)
{
    sink -= leaf(null_pointer);
}

static APART void twice(int n)
{
    if (n == 0)
        sink += leaf(null_pointer);
    sink -= leaf(null_pointer);
}

static inline int inlined_bug(const int *p, int n)
{
    if (n == 0)
        return p[0];
    return p[1] + p[2];
}

static APART void inlines_a(void)
{
    sink += inlined_bug(null_pointer, 0);
}

static APART void inlines_b(void)
{
    sink ^= inlined_bug(null_pointer, 1);
}

static APART void inlines_c(int n)
{
    if (n == 0)
        sink += inlined_bug(null_pointer, 0);
    else
        sink ^= inlined_bug(null_pointer, 0);
}

/* Recursion: the depth is chance. */
static APART int nest(int depth)
{
    if (depth == 0)
        return *null_pointer;
    return nest(depth - 1) + one;
}

static APART int even(int depth);
static APART int odd(int depth)
{
    return depth == 0 ? *null_pointer : even(depth - 1) + one;
}

static APART int even(int depth)
{
    return depth == 0 ? *null_pointer + one : odd(depth - 1) + one;
}

static APART int endless_a(int depth)
{
    volatile char room[256];

    room[0] = (char)depth;
    return depth < 0 ? room[0] : endless_a(depth + 1) + room[0];
}

static APART int endless_b(int depth);
static APART int endless_c(int depth)
{
    volatile char room[400];

    room[0] = (char)depth;
    return depth < 0 ? room[0] : endless_b(depth + 1) + room[0];
}

static APART int endless_b(int depth)
{
    volatile char room[100];

    room[0] = (char)depth;
    return depth < 0 ? room[0] : endless_c(depth + 1) + room[0];
}

static int compare_a(const void *a, const void *b)
{
    (void)a;
    (void)b;
    return *null_pointer;
}

static int compare_b(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b + *null_pointer;
}

static APART void sort(int (*compare)(const void *, const void *))
{
    int v[4] = {3, 1, 2, 0};

    qsort(v, 4, sizeof v[0], compare);
    sink += v[0];
}

static void *thread_a(void *arg)
{
    (void)arg;
    *null_pointer = 1;
    return NULL;
}

static void *thread_b(void *arg)
{
    (void)arg;
    sink += *null_pointer;
    return NULL;
}

static APART void in_thread(void *(*body)(void *))
{
    pthread_t id;

    if (pthread_create(&id, NULL, body, NULL) == 0)
        pthread_join(id, NULL);
}

static APART void exits_a(void)
{
    leave(3);
}

static APART void exits_b(void)
{
    leave(3);
    sink++;
}

static APART void divides(int n)
{
    sink += 7 / (one - 1 + (n > 100));
}

/* ---- memory, for AddressSanitizer -------------------------------------------------------- */

static APART char *make_name(size_t n)
{
    return xmalloc(n);
}

static APART char *make_value(size_t n)
{
    return xmalloc(n);
}

static APART void overflow_name(size_t by)
{
    char *p = make_name(8);

    copy_bytes(p, "0123456789abcdef", 8 + by);
    sink += p[0];
    free(p);
}

static APART void overflow_value(size_t by)
{
    char *p = make_value(8);

    copy_bytes(p, "0123456789abcdef", 8 + by);
    sink += p[0];
    free(p);
}

static APART void read_freed(char *p)
{
    sink += p[one];
}

static APART void freed_name(void)
{
    char *p = make_name(8);

    free(p);
    read_freed(p);
}

static APART void freed_value(void)
{
    char *p = make_value(8);

    free(p);
    read_freed(p);
}

static APART void lose(size_t n)
{
    char *volatile p = make_name(n);

    p[0] = 1;
    p = NULL;
}

static APART void lose_other(size_t n)
{
    char *volatile p = make_value(n);

    p[0] = 1;
    p = NULL;
}

static APART void on_stack(int i)
{
    volatile char room[8] = "";

    room[i] = 1;
    sink += room[0];
}

/* ---- undefined behaviour, for UndefinedBehaviorSanitizer ---------------------------------- */

static APART int add(int a, int b)
{
    return a + b;
}

static APART int shift(int a, int by)
{
    return a << by;
}

static APART void sums(int n)
{
    if (n == 0)
        sink = add(2147483647, one);
    else
        sink = add(-2147483647 - 1, -one);
}

/* ---- threads, for ThreadSanitizer; memory that was never written, for MemorySanitizer ------- */

static int shared_a, shared_b;

static APART void touch_a(void)
{
    shared_a++;
}

static APART void touch_b(void)
{
    shared_b++;
}

static void *races_a(void *arg)
{
    (void)arg;
    touch_a();
    sink++;
    return NULL;
}

static void *races_b(void *arg)
{
    (void)arg;
    touch_b();
    sink++;
    return NULL;
}

static APART void race(void *(*body)(void *), void (*touch)(void))
{
    pthread_t id;

    if (pthread_create(&id, NULL, body, NULL) != 0)
        return;
    for (int i = 0; i < 3; i++) { /* at the very same moment ThreadSanitizer sees none */
        touch();
        usleep(300);
    }
    pthread_join(id, NULL);
}

static APART void branch_on(const int *p)
{
    if (*p > 3)
        sink++;
}

static APART void unset_a(void)
{
    int *p = malloc(sizeof *p);

    branch_on(p);
    free(p);
}

static APART void unset_b(void)
{
    int *p = malloc(2 * sizeof *p);

    sink++;
    branch_on(p + 1);
    free(p);
}

/* ---- what does not end ------------------------------------------------------------------ */

static APART int step(int n)
{
    return n * 31 + 7;
}

static APART int other_step(int n)
{
    for (int i = 0; i < 100; i++)
        n ^= n << 3;
    return n;
}

static APART void spin_a(void)
{
    while (one)
        sink += step(sink) + other_step(sink);
}

static APART void spin_b(void)
{
    for (int i = 0; one; i += 2)
        sink ^= step(i);
}

static APART void load(void)
{
    spin_a();
    sink++;
}

static APART void store(void)
{
    spin_b();
    sink++;
}

static APART void store_again(void)
{
    sink++;
    spin_a();
    sink++;
}

static APART void crash(cfuzz_t *t, int n)
{
    switch (n) {
    case 0: parse_header(0); break;
    case 1: parse_header(1); break;
    case 2: parse_body(); break;
    case 3: read_list(); break;
    case 4: read_map(); break;
    case 5: open_table(); break;
    case 6: open_index(); break;
    case 7: quick_a(); break;
    case 8: quick_b(); break;
    case 9: checks_a(0); break;
    case 10: checks_a(1); break;
    case 11: checks_b(); break;
    case 12: asserts(0); break;
    case 13: asserts(1); break;
    case 14: way_a(); break;
    case 15: way_b(); break;
    case 16: twice(0); break;
    case 17: twice(1); break;
    case 18: inlines_a(); break;
    case 19: inlines_b(); break;
    case 20: inlines_c(0); break;
    case 21: inlines_c(1); break;
    case 22: sink += nest(1); break;
    case 23: sink += nest(7); break;
    case 24: sink += nest(30); break;
    case 25: sink += even(4); break;
    case 26: sink += even(12); break;
    case 27: sink += even(5); break;
    case 28: sink += endless_a(0); break;
    case 29: sink += endless_b(0); break;
    case 30: sink += endless_c(0); break;
    case 31: sort(compare_a); break;
    case 32: sort(compare_b); break;
    case 33: in_thread(thread_a); break;
    case 34: in_thread(thread_b); break;
    case 35: exits_a(); break;
    case 36: exits_b(); break;
    case 37: made_a(); break;
    case 38: made_b(); break;
    case 39: made_c(); break;
    case 40: made_d(); break;
    case 41: expect_equal(t, one, 2); sink += 41; break;
    case 42: expect_equal(t, one, 3); sink ^= 42; break;
    case 43: cfuzz_error(t, "n = %d", n); break;
    case 44: cfuzz_error(t, "n is %d", n); break;
    case 45: overflow_name(1); break;
    case 46: overflow_name(3); break;
    case 47: overflow_value(1); break;
    case 48: freed_name(); break;
    case 49: freed_value(); break;
    case 50: lose(8); break;
    case 51: lose(100); break;
    case 52: lose_other(8); break;
    case 53: on_stack(8 * one); break;
    case 54: on_stack(9 * one); break;
    case 55: sums(0); break;
    case 56: sums(1); break;
    case 57: sink = shift(one, 40 * one); break;
    case 58: raise(SIGTRAP); break;
    case 59: divides(n); break;
    case 60: _exit(4); break;
    case 61: race(races_a, touch_a); break;
    case 62: race(races_b, touch_b); break;
    case 63: unset_a(); break;
    case 64: unset_b(); break;
    case 65: load(); break;
    case 66: store(); break;
    case 67: store_again(); break;
    case 68: load(); break;
    default: break;
    }
    sink++; /* so that no call above is the last thing here, and has no frame */
}

FUZZ_SETUP(FuzzCrash)(cfuzz_f *f)
{
    for (int n = 0; n <= 68; n++)
        cfuzz_add(f, n);
    cfuzz_add(f, 1000); /* passes */
}

FUZZ_TEST(FuzzCrash, int)(cfuzz_t *t, int n)
{
    crash(t, n);
    sink++;
}
