/*
 * programs.c - crashes of small programs, for tests/identity/run.py: FuzzProgram(n) gives the program of
 * row n its text. The programs are written as programs are, with what compilers make of them: nothing is
 * kept from being inlined or called last. They were written, and the pairs judged, by somebody who had
 * not read the rule.
 */
#include <cfuzz.h>

#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- JSON: values nest; a string that ends with a backslash has no character behind it -------- */

struct json {
    const char *at;
    size_t strings, numbers;
    const char *escapes[2];
};

static bool json_value(struct json *j);

static void json_space(struct json *j)
{
    while (isspace((unsigned char)*j->at))
        j->at++;
}

static bool json_string(struct json *j)
{
    for (j->at++; *j->at != '"'; j->at++) {
        if (*j->at == '\\') {
            const char *known = j->escapes[j->at[1] == 'u'];

            j->strings += strchr(known, j->at[1]) != NULL; /* there are no names for \u */
            j->at++;
        }
        if (*j->at == '\0')
            return false;
    }
    j->at++;
    j->strings++;
    return true;
}

static bool json_list(struct json *j, char end, bool pairs)
{
    j->at++;
    for (;;) {
        json_space(j);
        if (*j->at == end)
            break;
        if (pairs && (!json_string(j) || *j->at++ != ':'))
            return false;
        if (!json_value(j))
            return false;
        json_space(j);
        if (*j->at == ',')
            j->at++;
        else if (*j->at != end)
            return false;
    }
    j->at++;
    return true;
}

static bool json_value(struct json *j)
{
    json_space(j);
    switch (*j->at) {
    case '"': return json_string(j);
    case '[': return json_list(j, ']', false);
    case '{': return json_list(j, '}', true);
    default: j->numbers++; return strtol(j->at, (char **)&j->at, 10) != 0;
    }
}

static void run_json(cfuzz_t *t, const char *text)
{
    struct json j = {.at = text, .escapes = {"\"\\/bfnrt", NULL}};

    if (!json_value(&j))
        cfuzz_skip(t, "not JSON");
}

/* ---- a vector whose accessor asserts --------------------------------------------------------- */

struct vec {
    int *v;
    size_t len;
};

static inline int vec_at(const struct vec *v, size_t i)
{
    assert(i < v->len);
    return v->v[i];
}

static int median(const struct vec *v)
{
    return vec_at(v, v->len / 2);
}

static int last_step(const struct vec *v)
{
    return vec_at(v, v->len - 1) - vec_at(v, v->len - 2);
}

static void run_vec(cfuzz_t *t, const char *text)
{
    int numbers[8];
    struct vec v = {numbers, 0};
    int result;

    for (const char *p = text + 1; *p && v.len < 8; p++)
        numbers[v.len++] = *p;
    result = *text == 'm' ? median(&v) : last_step(&v);
    cfuzz_log(t, "%d", result);
}

/* ---- a growing buffer that forgets to count the end of the text -------------------------------- */

struct text {
    char *s;
    size_t len, cap;
};

static void text_add(struct text *b, const char *s)
{
    size_t n = strlen(s);

    if (b->len + n > b->cap) {
        b->cap = b->len + n;
        b->s = realloc(b->s, b->cap);
    }
    memcpy(b->s + b->len, s, n + 1);
    b->len += n;
}

static void write_name(struct text *b, const char *name)
{
    text_add(b, name);
    text_add(b, ": ");
}

static void write_value(struct text *b, const char *value)
{
    for (; *value == ' '; value++)
        text_add(b, "_");
    text_add(b, value);
}

static void run_text(cfuzz_t *t, const char *s)
{
    struct text b = {NULL, 0, 0};

    if (*s == 'n')
        write_name(&b, s + 1);
    else
        write_value(&b, s + 1);
    cfuzz_log(t, "%s", b.s);
    free(b.s);
}

/* ---- a virtual machine: CHECK, handlers in a table, and an error that ends it ------------------- */

struct vm {
    int stack[4];
    int top;
    const char *code;
};

static _Noreturn void vm_error(const struct vm *vm, const char *fmt, ...)
{
    va_list ap;

    fprintf(stderr, "vm: at %.3s: ", vm->code);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}

static void check_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}

#define CHECK(cond)                                                                                \
    do {                                                                                           \
        if (!(cond))                                                                               \
            check_failed(__FILE__, __LINE__, #cond);                                               \
    } while (0)

static void op_add(struct vm *vm)
{
    if (vm->top < 2)
        vm_error(vm, "nothing to add, %d", vm->top);
    vm->top--;
    vm->stack[vm->top - 1] += vm->stack[vm->top];
}

static void op_drop(struct vm *vm)
{
    if (vm->top < 1)
        vm_error(vm, "nothing to drop, %d", vm->top);
    vm->top--;
}

static void op_push(struct vm *vm)
{
    CHECK(vm->top < 4);
    CHECK(vm->code[1] >= '0' && vm->code[1] <= '9');
    vm->stack[vm->top++] = *++vm->code - '0';
}

static void run_vm(cfuzz_t *t, const char *text)
{
    static void (*const ops[])(struct vm *) = {['a'] = op_add, ['d'] = op_drop, ['p'] = op_push};
    struct vm vm = {.code = text};

    for (; *vm.code; vm.code++)
        ops[(unsigned char)*vm.code](&vm);
    cfuzz_log(t, "%d", vm.stack[0]);
}

/* ---- sessions: one that is closed stays in the table ------------------------------------------- */

struct session {
    char *name;
    size_t used;
};

static struct session *table[4];

static void session_open(int slot, const char *name)
{
    table[slot] = calloc(1, sizeof **table);
    table[slot]->name = strdup(name);
}

static void session_close(int slot)
{
    free(table[slot]->name);
    free(table[slot]);
}

static size_t session_use(int slot)
{
    return ++table[slot]->used;
}

static void session_rename(int slot, char first)
{
    table[slot]->name[0] = first;
}

static void run_sessions(cfuzz_t *t, const char *text)
{
    size_t sum = 0;

    for (const char *p = text; *p; p++) {
        switch (*p) {
        case 'o': session_open(p[1] - '0', p + 2); break;
        case 'c': session_close(p[1] - '0'); break;
        case 'u': sum += session_use(p[1] - '0'); break;
        case 'r': session_rename(p[1] - '0', p[2]); break;
        default: break;
        }
    }
    cfuzz_log(t, "%zu", sum);
}

/* ---- sorting rows by a key that may be missing --------------------------------------------------- */

struct row {
    const char *key;
    int order;
};

static int by_key(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int c = (unsigned char)x->key[0] - (unsigned char)y->key[0];

    return c != 0 ? c : x->order - y->order;
}

static void run_sort(cfuzz_t *t, const char *text)
{
    struct row rows[64];
    size_t n = 0;

    for (const char *p = text; *p && n < 64; p++, n++)
        rows[n] = (struct row){*p == '-' ? NULL : p, (int)n};
    qsort(rows, n, sizeof *rows, by_key);
    cfuzz_log(t, "%d", rows[0].order);
}

/* ---- a calculator without a limit of depth -------------------------------------------------------- */

static long calc_sum(const char **at);

static long calc_unary(const char **at)
{
    long v;

    switch (**at) {
    case '-': ++*at; return -calc_unary(at);
    case '(':
        ++*at;
        v = calc_sum(at);
        *at += **at == ')';
        return v;
    default: return strtol(*at, (char **)at, 10);
    }
}

static long calc_product(const char **at)
{
    long v = calc_unary(at);

    while (**at == '*') {
        ++*at;
        v *= calc_unary(at);
    }
    return v;
}

static long calc_sum(const char **at)
{
    long v = calc_product(at);

    while (**at == '+') {
        ++*at;
        v += calc_product(at);
    }
    return v;
}

static void run_calc(cfuzz_t *t, const char *text)
{
    size_t n = 8 << 20, len = strlen(text);
    char *deep = malloc(n + 1);
    const char *at = deep;

    for (size_t i = 0; i < n; i++)
        deep[i] = text[i % len];
    deep[n] = '\0';
    cfuzz_log(t, "%ld", calc_sum(&at));
    free(deep);
}

/* ---- statistics of two threads, without a lock ------------------------------------------------------ */

static struct {
    long requests;
    long errors;
} stats;

static void *count_requests(void *late)
{
    usleep(late ? 50000 : 0);
    stats.requests++;
    return NULL;
}

static void *report_requests(void *late)
{
    usleep(late ? 50000 : 0);
    return (void *)(stats.requests * 2);
}

static void run_stats(cfuzz_t *t, const char *text)
{
    bool first = *text == 'c';
    pthread_t a, b;
    void *n;

    pthread_create(&a, NULL, count_requests, first ? NULL : &stats);
    pthread_create(&b, NULL, report_requests, first ? &stats : NULL);
    pthread_join(a, NULL);
    pthread_join(b, &n);
    cfuzz_log(t, "%p", n);
}

/* ---- a pool of threads, in which jobs fail ---------------------------------------------------------- */

struct job {
    void (*what)(const char *);
    const char *text;
};

static void job_resize(const char *text)
{
    int width = text[1] - '0';

    printf("%d\n", 100 / width);
}

static void job_rotate(const char *text)
{
    int angle = text[1] - '0';

    printf("%d\n", 360 % angle);
}

static void *pool_thread(void *arg)
{
    struct job *job = arg;

    job->what(job->text);
    return NULL;
}

static void run_pool(cfuzz_t *t, const char *text)
{
    struct job job = {*text == 's' ? job_resize : job_rotate, text};
    pthread_t thread;

    (void)t;
    pthread_create(&thread, NULL, pool_thread, &job);
    pthread_join(thread, NULL);
}

/* ---- a scanner that stays where it is ---------------------------------------------------------------- */

static size_t skip_blanks(const char *s, size_t at)
{
    while (s[at] == ' ')
        at++;
    return at;
}

static size_t skip_word(const char *s, size_t at)
{
    while (isalpha((unsigned char)s[at]))
        at++;
    return at;
}

static void run_scan(cfuzz_t *t, const char *text)
{
    size_t at = 0, words = 0;

    while (text[at]) { /* a digit is skipped by nobody */
        at = skip_blanks(text, at);
        at = skip_word(text, at);
        words++;
        if (text[at] == '#')
            break;
    }
    while (text[at]) { /* in a comment nobody skips a blank */
        if (text[at] != ' ')
            at++;
        words ^= at;
    }
    cfuzz_log(t, "%zu", words);
}

/* ---- an image header: one way out, bounds, and copies ------------------------------------------------- */

static int load_image(const char *text)
{
    char title[8], author[8];
    char *pixels = title, *palette = NULL;
    int ret = -1;

    if (text[1] == 'x')
        goto out;
    strcpy(title, text + 2);
    palette = malloc(16);
    if (text[1] == 'y')
        goto out;
    strcpy(author, text + 1);
    pixels = malloc((size_t)text[1]);
    ret = pixels[0] + author[0] + title[0];
out:
    free(palette);
    free(pixels); /* which may be what it was at first */
    return ret;
}

static int tone_of(const char *text)
{
    static const int tones[4] = {1, 2, 4, 8};
    int sum = 0;

    for (const char *p = text + 1; *p; p++)
        sum += tones[*p - '0'];
    return sum;
}

static void run_image(cfuzz_t *t, const char *text)
{
    cfuzz_log(t, "%d", *text == 't' ? tone_of(text) : load_image(text));
}

/* ---- an allocator's wrapper, and a property --------------------------------------------------------------- */

static void *alloc_or_die(size_t n, size_t size)
{
    void *p = malloc(n * size);

    if (!p) {
        fprintf(stderr, "out of memory: %zu\n", n * size);
        exit(3);
    }
    return p;
}

static void *read_frames(const char *text)
{
    return alloc_or_die((size_t)-(text[1] - '0'), 64);
}

static void *read_samples(const char *text)
{
    return alloc_or_die((size_t)1 << (40 + text[1] - '0'), 512);
}

static void run_alloc(cfuzz_t *t, const char *text)
{
    void *p = *text == 'f' ? read_frames(text) : read_samples(text);

    cfuzz_log(t, "%p", p);
    free(p);
}

static size_t squeeze(const char *in, char *out)
{
    size_t n = 0;

    for (; *in; in++)
        if (n == 0 || out[n - 1] != *in)
            out[n++] = *in;
    out[n] = '\0';
    return n;
}

static void expect_round_trip(cfuzz_t *t, const char *in)
{
    char out[64];
    size_t n = squeeze(in, out);

    if (strcmp(in, out) != 0)
        cfuzz_error(t, "round trip of %zu bytes: %zu came back: %s", strlen(in), n, out);
}

static void run_squeeze(cfuzz_t *t, const char *text)
{
    expect_round_trip(t, text);
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

static const struct {
    void (*run)(cfuzz_t *t, const char *text);
    const char *text;
} programs[] = {
    /* 0 */ {run_json, "\"a\\u0041\""},
    /* 1 */ {run_json, "[1, {\"k\":[2, [\"\\u0041\"]]}]"},
    /* 2 */ {run_vec, "m"},
    /* 3 */ {run_vec, "s1"},
    /* 4 */ {run_text, "nlonger than it is"},
    /* 5 */ {run_text, "vlonger than it is"},
    /* 6 */ {run_vm, "p1p2p3p4p5"},
    /* 7 */ {run_vm, "p1p2pd"},
    /* 8 */ {run_vm, "p1a"},
    /* 9 */ {run_vm, "p1dd"},
    /* 10 */ {run_sessions, "o1name c1 c1"},
    /* 11 */ {run_sessions, "o2a lengthy nametag c2 c2"},
    /* 12 */ {run_sessions, "o1name c1 u1"},
    /* 13 */ {run_sessions, "o1name c1 r1x"},
    /* 14 */ {run_sort, "b-"},
    /* 15 */ {run_sort, "the quick fox jumps over-the lazy dog"},
    /* 16 */ {run_calc, "("},
    /* 17 */ {run_calc, "1+("},
    /* 18 */ {run_stats, "c"},
    /* 19 */ {run_stats, "r"},
    /* 20 */ {run_pool, "s0"},
    /* 21 */ {run_pool, "r0"},
    /* 22 */ {run_scan, "a few words 7"},
    /* 23 */ {run_scan, "1"},
    /* 24 */ {run_scan, "words # more"},
    /* 25 */ {run_image, "ix"},
    /* 26 */ {run_image, "iytitle"},
    /* 27 */ {run_image, "ia title that is long"},
    /* 28 */ {run_image, "i12345678"},
    /* 29 */ {run_image, "t7"},
    /* 30 */ {run_image, "t019"},
    /* 31 */ {run_alloc, "f1"},
    /* 32 */ {run_alloc, "s9"},
    /* 33 */ {run_squeeze, "aa"},
    /* 34 */ {run_squeeze, "a longer one: bookkeeper"},
    /* 35 */ {run_alloc, "f2"},
};

FUZZ_SETUP(FuzzProgram)(cfuzz_f *f)
{
    for (size_t n = 0; n < sizeof programs / sizeof *programs; n++)
        cfuzz_add(f, (int)n);
    cfuzz_add(f, 1000); /* passes */
}

FUZZ_TEST(FuzzProgram, int)(cfuzz_t *t, int n)
{
    if (n >= 0 && (size_t)n < sizeof programs / sizeof *programs)
        programs[n].run(t, programs[n].text);
}
