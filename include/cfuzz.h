/*
 * cfuzz.h - fuzz tests written beside the code they test.
 *
 *     #ifdef CFUZZ
 *     #include <cfuzz.h>
 *
 *     FUZZ_SETUP(FuzzParse)(cfuzz_f *f)
 *     {
 *         cfuzz_add(f, CFUZZ_BYTES("GET / HTTP/1.1\r\n"), 0);
 *     }
 *
 *     FUZZ_TEST(FuzzParse, []byte, int)(cfuzz_t *t, const uint8_t *data, size_t len, int flags)
 *     {
 *         if (parse(data, len, flags) > len)
 *             cfuzz_error(t, "consumed more than %zu bytes", len);
 *     }
 *     #endif
 *
 * With this header the same source compiles in three ways. Normally: a fuzz test is an unused
 * static function that the compiler drops. With -DCFUZZ_TEST, any gcc or clang: the test
 * registers itself. With the cfuzz plugin (cfuzz-test does this): types are checked, the test is
 * registered with a fast call, the code is instrumented.
 *
 * This header is valid C99, C11, C23 and C++17, and C89 as gcc and clang extend it, also with
 * -std=c89 -pedantic; it needs gcc 9 or clang 14.
 *
 * cfuzz-test defines CFUZZ in its builds; others need no cfuzz.h then, or a copy of cfuzz_stub.h.
 *
 * Call the functions declared here only from a fuzz test (cfuzz_t) or its setup
 * part (cfuzz_f), on the thread that entered it, unless a comment says otherwise.
 * None of them takes ownership of what is passed in.
 */
#ifndef CFUZZ_H
#define CFUZZ_H

/* Projects in C89 are not to be warned of what this header needs of C99. What they write
 * themselves is checked as ever. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Layout version of struct cfuzz_test_desc; runtime/abi.h says what changes it. */
#define CFUZZ_ABI 5

/* What a fuzz test and its setup part are given. Opaque. */
typedef struct cfuzz_t cfuzz_t;
typedef struct cfuzz_f cfuzz_f;

#if defined(__has_attribute)
#if __has_attribute(annotate) && !defined(CFUZZ_UNREGISTERED)
#define CFUZZ_ANNOTATE_(what, name, ...) annotate(what, name, __VA_ARGS__),
#endif
#if __has_attribute(retain)
#define CFUZZ_RETAIN_ retain,
#endif
#endif
#ifndef CFUZZ_ANNOTATE_
#define CFUZZ_ANNOTATE_(what, name, ...)
#endif
#ifndef CFUZZ_RETAIN_
#define CFUZZ_RETAIN_
#endif
#ifdef __cplusplus
#define CFUZZ_C_ extern "C"
#else
#define CFUZZ_C_ extern
#endif

/*
 * One registered test or setup part; the linker collects them in the section
 * "cfuzz_tests". FUZZ_TEST (with -DCFUZZ_TEST) and the plugin write it, and the
 * runtime reads it; runtime/abi.h has the rest of the interface. Not for users.
 */
struct cfuzz_test_desc {
    uint32_t abi;               /* CFUZZ_ABI */
    uint32_t what;              /* 1 test, 2 setup part, 3 words, 4 test without a cfuzz_t */
    const char *name;           /* FuzzParse; "" for words */
    const char *types;          /* as written: "[]byte, int"; NULL for others than tests */
    void (*fn)(void);           /* the function, of its true type; NULL for words */
    const char *file;           /* __FILE__ */
    uint32_t line;              /* __LINE__ */
    uint32_t nparams;           /* entries in params */
    void (*thunk)(cfuzz_t *, void *const *); /* the plugin's call thunk, or NULL */
    const void *params;         /* struct cfz_param_desc[nparams] by the plugin, or NULL;
                                 * struct cfuzz_word[nparams] */
};

/* One word of CFUZZ_DICT. */
struct cfuzz_word {
    const char *text; /* may hold NUL */
    size_t len;
};

/* CFUZZ_MAP_(f, a, b) is f(a), f(b); up to 32 arguments behind f. */
#define CFUZZ_CAT_(a, b) CFUZZ_CAT2_(a, b)
#define CFUZZ_CAT2_(a, b) a##b
#define CFUZZ_COUNT_(...)                                                                          \
    CFUZZ_COUNT2_(__VA_ARGS__, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, \
                  15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CFUZZ_COUNT2_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17,  \
                      a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32,   \
                      n, ...)                                                                      \
    n
#define CFUZZ_MAP_(f, ...) CFUZZ_CAT_(CFUZZ_M, CFUZZ_COUNT_(__VA_ARGS__))(f, __VA_ARGS__)
#define CFUZZ_M1(f, a) f(a)
#define CFUZZ_M2(f, a, ...) f(a), CFUZZ_M1(f, __VA_ARGS__)
#define CFUZZ_M3(f, a, ...) f(a), CFUZZ_M2(f, __VA_ARGS__)
#define CFUZZ_M4(f, a, ...) f(a), CFUZZ_M3(f, __VA_ARGS__)
#define CFUZZ_M5(f, a, ...) f(a), CFUZZ_M4(f, __VA_ARGS__)
#define CFUZZ_M6(f, a, ...) f(a), CFUZZ_M5(f, __VA_ARGS__)
#define CFUZZ_M7(f, a, ...) f(a), CFUZZ_M6(f, __VA_ARGS__)
#define CFUZZ_M8(f, a, ...) f(a), CFUZZ_M7(f, __VA_ARGS__)
#define CFUZZ_M9(f, a, ...) f(a), CFUZZ_M8(f, __VA_ARGS__)
#define CFUZZ_M10(f, a, ...) f(a), CFUZZ_M9(f, __VA_ARGS__)
#define CFUZZ_M11(f, a, ...) f(a), CFUZZ_M10(f, __VA_ARGS__)
#define CFUZZ_M12(f, a, ...) f(a), CFUZZ_M11(f, __VA_ARGS__)
#define CFUZZ_M13(f, a, ...) f(a), CFUZZ_M12(f, __VA_ARGS__)
#define CFUZZ_M14(f, a, ...) f(a), CFUZZ_M13(f, __VA_ARGS__)
#define CFUZZ_M15(f, a, ...) f(a), CFUZZ_M14(f, __VA_ARGS__)
#define CFUZZ_M16(f, a, ...) f(a), CFUZZ_M15(f, __VA_ARGS__)
#define CFUZZ_M17(f, a, ...) f(a), CFUZZ_M16(f, __VA_ARGS__)
#define CFUZZ_M18(f, a, ...) f(a), CFUZZ_M17(f, __VA_ARGS__)
#define CFUZZ_M19(f, a, ...) f(a), CFUZZ_M18(f, __VA_ARGS__)
#define CFUZZ_M20(f, a, ...) f(a), CFUZZ_M19(f, __VA_ARGS__)
#define CFUZZ_M21(f, a, ...) f(a), CFUZZ_M20(f, __VA_ARGS__)
#define CFUZZ_M22(f, a, ...) f(a), CFUZZ_M21(f, __VA_ARGS__)
#define CFUZZ_M23(f, a, ...) f(a), CFUZZ_M22(f, __VA_ARGS__)
#define CFUZZ_M24(f, a, ...) f(a), CFUZZ_M23(f, __VA_ARGS__)
#define CFUZZ_M25(f, a, ...) f(a), CFUZZ_M24(f, __VA_ARGS__)
#define CFUZZ_M26(f, a, ...) f(a), CFUZZ_M25(f, __VA_ARGS__)
#define CFUZZ_M27(f, a, ...) f(a), CFUZZ_M26(f, __VA_ARGS__)
#define CFUZZ_M28(f, a, ...) f(a), CFUZZ_M27(f, __VA_ARGS__)
#define CFUZZ_M29(f, a, ...) f(a), CFUZZ_M28(f, __VA_ARGS__)
#define CFUZZ_M30(f, a, ...) f(a), CFUZZ_M29(f, __VA_ARGS__)
#define CFUZZ_M31(f, a, ...) f(a), CFUZZ_M30(f, __VA_ARGS__)
#define CFUZZ_M32(f, a, ...) f(a), CFUZZ_M31(f, __VA_ARGS__)

/* Makes the names of a CFUZZ_DICT its own, whatever file its line is of. clang 22 and later warn of
 * __COUNTER__ with -pedantic; there a header and what includes it are told apart. */
#if defined(__clang__) && __clang_major__ >= 22
#define CFUZZ_N_ CFUZZ_CAT_(__LINE__, CFUZZ_CAT_(_, __INCLUDE_LEVEL__))
#else
#define CFUZZ_N_ __COUNTER__
#endif

/* One word, and its length: of 0 bytes or over 1 MiB it does not compile, since an array would have a
 * negative size. */
#define CFUZZ_WORD_LEN_(w)                                                                         \
    (sizeof(w) - sizeof(char[sizeof(w) > 1 && sizeof(w) <= ((size_t)1 << 20) + 1 ? 1 : -1]))
#define CFUZZ_WORD_(w) {"" w "", CFUZZ_WORD_LEN_(w)}
#define CFUZZ_WORDS_(words, desc, attributes, ...)                                                 \
    __attribute__((unused)) static const struct cfuzz_word words[] = {                             \
        CFUZZ_MAP_(CFUZZ_WORD_, __VA_ARGS__)};                                                     \
    __attribute__((attributes unused, aligned(8))) static struct cfuzz_test_desc desc = {          \
        CFUZZ_ABI, 3, "", 0, 0, __FILE__, __LINE__, sizeof words / sizeof words[0], 0, words}

/*
 * FUZZ_TEST(name, types...)(cfuzz_t *t, parameters...) { body }
 *
 * Defines the fuzz test name: "Fuzz", or "Fuzz" followed by anything but a
 * lower-case letter of ASCII. Each type is one of
 *
 *     []byte                          const uint8_t *p, size_t n (two parameters)
 *     string                          const char *, NUL-terminated
 *     bool                            bool
 *     byte uint8                      uint8_t
 *     rune int32                      int32_t
 *     int8 int16 int64                the <stdint.h> type, or any of its size and sign
 *     uint16 uint32 uint64            likewise
 *     int uint                        int, unsigned
 *     float32 float64                 float, double
 *
 * or a C spelling of one of them (size_t, uint16_t, unsigned long, double). The
 * values belong to cfuzz and are valid during the call. The test must not write
 * to them, and must not read past their end.
 *
 * FUZZ_TEST_VALUES(name, types...)(parameters...) { body }
 *
 * Defines a fuzz test that has no cfuzz_t, and so no unused parameter where it only calls assert() or
 * is there to crash.
 *
 * FUZZ_SETUP(name)(cfuzz_f *f) { body }
 *
 * Defines the optional setup part. It runs once, before the test's first input,
 * and may add seeds or skip the test. What it sets up is there when the test runs.
 *
 * CFUZZ_DICT("word", "w\x00rd", ...);
 *
 * Gives words that inputs may need (keywords, magic numbers) to the fuzz tests of this file. In a
 * file without a fuzz test, a header for one, they are for all tests of the program. At most 32
 * string literals of 1 byte to 1 MiB each; there may be several CFUZZ_DICT, each on a line of its own.
 * While fuzzing, words are put into []byte and string values, each as often as it helps.
 *
 * (The type list is stringised here and nowhere below: a helper macro between
 * this line and the # would expand bool and friends.)
 */
#ifdef CFUZZ_TEST

#define CFUZZ_DICT(...)                                                                            \
    CFUZZ_WORDS_(CFUZZ_CAT_(cfuzz_words_, CFUZZ_N_), CFUZZ_CAT_(cfuzz_dict_, CFUZZ_N_),            \
                 CFUZZ_KEPT_, __VA_ARGS__)
#define CFUZZ_KEPT_ section("cfuzz_tests"), CFUZZ_RETAIN_ used,

#define CFUZZ_DESC_(sym, what, name, types, fn)                                                    \
    CFUZZ_C_ struct cfuzz_test_desc sym;                                                           \
    __attribute__((section("cfuzz_tests"), CFUZZ_RETAIN_ used, aligned(8)))                        \
    struct cfuzz_test_desc sym = {CFUZZ_ABI, what, name, types, fn, __FILE__, __LINE__, 0, 0, 0};

#ifdef __cplusplus
/* Outside a plugin the symbol has to be the plain name, so the function cannot be static. */
#define FUZZ_TEST(name, ...)                                                                       \
    extern "C" void cfuzz_sym_##name(void) __asm__(#name);                                         \
    CFUZZ_DESC_(cfuzz_test_##name, 1, #name, #__VA_ARGS__, cfuzz_sym_##name)                       \
    extern "C" __attribute__((CFUZZ_ANNOTATE_("cfuzz.test", #name, #__VA_ARGS__) used)) void name
#define FUZZ_TEST_VALUES(name, ...)                                                                \
    extern "C" void cfuzz_sym_##name(void) __asm__(#name);                                         \
    CFUZZ_DESC_(cfuzz_test_##name, 4, #name, #__VA_ARGS__, cfuzz_sym_##name)                       \
    extern "C" __attribute__((CFUZZ_ANNOTATE_("cfuzz.test", #name, #__VA_ARGS__, "values") used))  \
    void name
#else
#define FUZZ_TEST(name, ...)                                                                       \
    extern void cfuzz_sym_##name(void) __asm__(#name);                                             \
    CFUZZ_DESC_(cfuzz_test_##name, 1, #name, #__VA_ARGS__, cfuzz_sym_##name)                       \
    __attribute__((CFUZZ_ANNOTATE_("cfuzz.test", #name, #__VA_ARGS__) used)) static void name
#define FUZZ_TEST_VALUES(name, ...)                                                                \
    extern void cfuzz_sym_##name(void) __asm__(#name);                                             \
    CFUZZ_DESC_(cfuzz_test_##name, 4, #name, #__VA_ARGS__, cfuzz_sym_##name)                       \
    __attribute__((CFUZZ_ANNOTATE_("cfuzz.test", #name, #__VA_ARGS__, "values") used))             \
    static void name
#endif

#define FUZZ_SETUP(name)                                                                           \
    static void cfuzz_setup_##name(cfuzz_f *);                                                     \
    CFUZZ_C_ struct cfuzz_test_desc cfuzz_setup_desc_##name;                                       \
    __attribute__((section("cfuzz_tests"), CFUZZ_RETAIN_ used, aligned(8)))                        \
    struct cfuzz_test_desc cfuzz_setup_desc_##name = {                                             \
        CFUZZ_ABI, 2, #name, 0, (void (*)(void))cfuzz_setup_##name, __FILE__, __LINE__, 0, 0, 0};  \
    __attribute__((CFUZZ_ANNOTATE_("cfuzz.setup", #name, "") used)) static void cfuzz_setup_##name

#else /* normal and plugin builds */

/* Without optimisation gcc keeps unused static functions, so what they call would have to be
 * linked; it drops them if they are inline. clang drops both, and the plugin wants them plain. */
#ifdef __clang__
#define CFUZZ_UNUSED_ static
#define CFUZZ_DICT(...)                                                                            \
    CFUZZ_WORDS_(CFUZZ_CAT_(cfuzz_words_, CFUZZ_N_), CFUZZ_CAT_(cfuzz_dict_, CFUZZ_N_),            \
                 CFUZZ_DROPPED_, __VA_ARGS__)
#define CFUZZ_DROPPED_ CFUZZ_ANNOTATE_("cfuzz.dict", "", "")
#else
#define CFUZZ_UNUSED_ static __inline__
#define CFUZZ_DICT(...) struct cfuzz_word
#endif

#define FUZZ_TEST(name, ...)                                                                       \
    __attribute__((CFUZZ_ANNOTATE_("cfuzz.test", #name, #__VA_ARGS__) unused))                     \
    CFUZZ_UNUSED_ void name

#define FUZZ_TEST_VALUES(name, ...)                                                                \
    __attribute__((CFUZZ_ANNOTATE_("cfuzz.test", #name, #__VA_ARGS__, "values") unused))           \
    CFUZZ_UNUSED_ void name

#define FUZZ_SETUP(name)                                                                           \
    __attribute__((CFUZZ_ANNOTATE_("cfuzz.setup", #name, "") unused))                              \
    CFUZZ_UNUSED_ void cfuzz_setup_##name

#endif

/* ---- reporting from a fuzz test ---------------------------------------- */

#define CFUZZ_PRINTF_(fmt, first) __attribute__((format(printf, fmt, first)))
#define CFUZZ_NORETURN_ __attribute__((noreturn))

void cfuzz_log_at(cfuzz_t *t, const char *file, int line, const char *fmt, ...) CFUZZ_PRINTF_(4, 5);
void cfuzz_error_at(cfuzz_t *t, const char *file, int line, const char *fmt, ...)
    CFUZZ_PRINTF_(4, 5);
void cfuzz_fatal_at(cfuzz_t *t, const char *file, int line, const char *fmt, ...)
    CFUZZ_PRINTF_(4, 5) CFUZZ_NORETURN_;
void cfuzz_skip_at(cfuzz_t *t, const char *file, int line, const char *fmt, ...)
    CFUZZ_PRINTF_(4, 5) CFUZZ_NORETURN_;

/*
 * These are printf-style; the text begins with the caller's file and line.
 *   cfuzz_log    records text, shown when the test fails and with -v
 *   cfuzz_error  records text, marks the test failed, goes on
 *   cfuzz_fatal  records text, marks the test failed, leaves it at once
 *   cfuzz_skip   records text, leaves the test at once: the input is of no interest
 *
 * Threads: cfuzz_log, cfuzz_error and cfuzz_fail may be called on any thread
 * while the test function runs. cfuzz_fatal and cfuzz_skip crash the test when
 * they are called on another thread than its own. t belongs to one run: if a
 * thread uses it after that run, even while another input runs, the process ends
 * with a message.
 *
 * cfuzz_fatal and cfuzz_skip leave by longjmp: what the frames in between own
 * (locks, memory) is not released, and C++ destructors do not run. Cleanups run.
 * Text beyond 60 KiB of one run is cut, and a line says so.
 */
#define cfuzz_log(t, ...) cfuzz_log_at((t), __FILE__, __LINE__, __VA_ARGS__)
#define cfuzz_error(t, ...) cfuzz_error_at((t), __FILE__, __LINE__, __VA_ARGS__)
#define cfuzz_fatal(t, ...) cfuzz_fatal_at((t), __FILE__, __LINE__, __VA_ARGS__)
#define cfuzz_skip(t, ...) cfuzz_skip_at((t), __FILE__, __LINE__, __VA_ARGS__)

/* cfuzz_fail marks the test failed and goes on; cfuzz_fail_now and cfuzz_skip_now
 * leave at once, without text. */
void cfuzz_fail(cfuzz_t *t);
void cfuzz_fail_now(cfuzz_t *t) CFUZZ_NORETURN_;
void cfuzz_skip_now(cfuzz_t *t) CFUZZ_NORETURN_;

/* cfuzz_failed and cfuzz_skipped report whether this run was marked so. On any thread. */
bool cfuzz_failed(const cfuzz_t *t);
bool cfuzz_skipped(const cfuzz_t *t);

/* cfuzz_name returns "FuzzParse/seed#0", or "FuzzParse" while fuzzing; valid during the run. */
const char *cfuzz_name(const cfuzz_t *t);

/*
 * cfuzz_cleanup registers fn(arg) to be called after the test function was left,
 * in whatever way but by a crash or _exit. The last one registered runs first. A
 * run may register 64; one more is fatal.
 */
void cfuzz_cleanup(cfuzz_t *t, void (*fn)(void *arg), void *arg);

/*
 * cfuzz_temp_dir makes a directory and returns its absolute path. After the run,
 * also if it crashes, the directory is removed with all in it; the path is valid
 * until then. If the directory cannot be made, that is fatal.
 */
const char *cfuzz_temp_dir(cfuzz_t *t);

/* cfuzz_setenv sets an environment variable. Its old value is restored after the run. */
void cfuzz_setenv(cfuzz_t *t, const char *name, const char *value);

/*
 * cfuzz_deadline stores in *ns when -timeout will end the tests, in nanoseconds of
 * CLOCK_MONOTONIC, and returns true. Without a limit, and while fuzzing, it
 * returns false.
 */
bool cfuzz_deadline(const cfuzz_t *t, int64_t *ns);

/*
 * cfuzz_parallel is there for those who know it from Go. It changes nothing: seeds always run in
 * processes of their own, up to -parallel at once. A second call fails the test, and so does a call
 * after cfuzz_setenv.
 */
void cfuzz_parallel(cfuzz_t *t);

/* cfuzz_short reports whether -short was given: then the test may leave out what takes long. */
bool cfuzz_short(const cfuzz_t *t);

/* ---- the setup part ----------------------------------------------------- */

void cfuzz_f_log_at(cfuzz_f *f, const char *file, int line, const char *fmt, ...)
    CFUZZ_PRINTF_(4, 5);
void cfuzz_f_error_at(cfuzz_f *f, const char *file, int line, const char *fmt, ...)
    CFUZZ_PRINTF_(4, 5);
void cfuzz_f_fatal_at(cfuzz_f *f, const char *file, int line, const char *fmt, ...)
    CFUZZ_PRINTF_(4, 5) CFUZZ_NORETURN_;
void cfuzz_f_skip_at(cfuzz_f *f, const char *file, int line, const char *fmt, ...)
    CFUZZ_PRINTF_(4, 5) CFUZZ_NORETURN_;

/* These are as their counterparts above, but for the whole fuzz test: after fail or error no seed
 * runs, and skip ends the test before its first input. Cleanups run once, when the test is done,
 * and also if the setup part calls abort(): then for two seconds at most. */
#define cfuzz_f_log(f, ...) cfuzz_f_log_at((f), __FILE__, __LINE__, __VA_ARGS__)
#define cfuzz_f_error(f, ...) cfuzz_f_error_at((f), __FILE__, __LINE__, __VA_ARGS__)
#define cfuzz_f_fatal(f, ...) cfuzz_f_fatal_at((f), __FILE__, __LINE__, __VA_ARGS__)
#define cfuzz_f_skip(f, ...) cfuzz_f_skip_at((f), __FILE__, __LINE__, __VA_ARGS__)
void cfuzz_f_fail(cfuzz_f *f);
void cfuzz_f_fail_now(cfuzz_f *f) CFUZZ_NORETURN_;
void cfuzz_f_skip_now(cfuzz_f *f) CFUZZ_NORETURN_;
bool cfuzz_f_failed(const cfuzz_f *f);
bool cfuzz_f_skipped(const cfuzz_f *f);
const char *cfuzz_f_name(const cfuzz_f *f);
void cfuzz_f_cleanup(cfuzz_f *f, void (*fn)(void *arg), void *arg);
const char *cfuzz_f_temp_dir(cfuzz_f *f);
void cfuzz_f_setenv(cfuzz_f *f, const char *name, const char *value);
bool cfuzz_f_short(const cfuzz_f *f);

/* ---- seeds ---------------------------------------------------------------- */

/* What an argument of cfuzz_add is. */
enum cfuzz_arg_kind {
    CFUZZ_ARG_BOOL = 1, /* u: 0 or 1 */
    CFUZZ_ARG_INT,      /* i; width is that of the C type */
    CFUZZ_ARG_UINT,     /* u */
    CFUZZ_ARG_FLOAT,    /* d; width 32 or 64 */
    CFUZZ_ARG_TEXT,     /* p: char pointer */
    CFUZZ_ARG_DATA      /* p: unsigned char or void pointer */
};

/* One argument of cfuzz_add, tagged with its C type. */
struct cfuzz_arg {
    uint32_t kind;  /* enum cfuzz_arg_kind */
    uint32_t width; /* bits */
    union {
        int64_t i;
        uint64_t u;
        double d;
        const void *p;
    } v;
};

/*
 * cfuzz_add_args is what cfuzz_add expands to. It adds a copy of one seed, which
 * is made of n tagged arguments. A []byte is two of them, a pointer and a size.
 * Integers are converted with a range check. A wrong kind, count or value fails
 * the setup part with the caller's file and line.
 */
void cfuzz_add_args(cfuzz_f *f, const char *file, int line, const struct cfuzz_arg *args, size_t n);

/* The pointer and length of a string literal, without its closing NUL. For literals only. */
#define CFUZZ_BYTES(literal) (const uint8_t *)("" literal ""), sizeof(literal) - 1

#ifdef __cplusplus
} /* extern "C" */

/* cfuzz_add(f, values...) adds one seed; see cfuzz_add_args. */
#define cfuzz_add(f, ...) cfuzz_add_seed_((f), __FILE__, __LINE__, __VA_ARGS__)

static inline cfuzz_arg cfuzz_arg_i_(uint32_t kind, uint32_t width, int64_t v)
{
    cfuzz_arg a;
    a.kind = kind;
    a.width = width;
    a.v.i = v;
    return a;
}
static inline cfuzz_arg cfuzz_arg_of_(bool v) { return cfuzz_arg_i_(CFUZZ_ARG_BOOL, 8, v); }
#define CFUZZ_INT_ARG_(type, kind)                                                                 \
    static inline cfuzz_arg cfuzz_arg_of_(type v)                                                  \
    {                                                                                              \
        return cfuzz_arg_i_(kind, (uint32_t)(8 * sizeof v), (int64_t)v);                           \
    }
CFUZZ_INT_ARG_(char, char(-1) < char(1) ? CFUZZ_ARG_INT : CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(signed char, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(short, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(int, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(long, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(long long, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(unsigned char, CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(unsigned short, CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(unsigned int, CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(unsigned long, CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(unsigned long long, CFUZZ_ARG_UINT)
#undef CFUZZ_INT_ARG_
static inline cfuzz_arg cfuzz_arg_d_(uint32_t width, double v)
{
    cfuzz_arg a;
    a.kind = CFUZZ_ARG_FLOAT;
    a.width = width;
    a.v.d = v;
    return a;
}
static inline cfuzz_arg cfuzz_arg_of_(float v) { return cfuzz_arg_d_(32, v); }
static inline cfuzz_arg cfuzz_arg_of_(double v) { return cfuzz_arg_d_(64, v); }
static inline cfuzz_arg cfuzz_arg_p_(uint32_t kind, const void *v)
{
    cfuzz_arg a;
    a.kind = kind;
    a.width = 8 * (uint32_t)sizeof v;
    a.v.p = v;
    return a;
}
static inline cfuzz_arg cfuzz_arg_of_(const char *v) { return cfuzz_arg_p_(CFUZZ_ARG_TEXT, v); }
static inline cfuzz_arg cfuzz_arg_of_(const void *v) { return cfuzz_arg_p_(CFUZZ_ARG_DATA, v); }

template <typename... A>
inline void cfuzz_add_seed_(cfuzz_f *f, const char *file, int line, A... a)
{
    const cfuzz_arg args[] = {cfuzz_arg_of_(a)...};
    cfuzz_add_args(f, file, line, args, sizeof...(a));
}

#else /* C */

#define CFUZZ_INT_ARG_(name, type, kind)                                                           \
    static __inline__ struct cfuzz_arg cfuzz_arg_##name##_(type v)                                 \
    {                                                                                              \
        struct cfuzz_arg a = {kind, (uint32_t)(8 * sizeof v), {0}};                                \
        a.v.i = (int64_t)v;                                                                        \
        return a;                                                                                  \
    }
CFUZZ_INT_ARG_(bool, bool, CFUZZ_ARG_BOOL)
CFUZZ_INT_ARG_(char, char, ((char)-1 < (char)1 ? CFUZZ_ARG_INT : CFUZZ_ARG_UINT))
CFUZZ_INT_ARG_(schar, signed char, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(short, short, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(int, int, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(long, long, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(llong, long long, CFUZZ_ARG_INT)
CFUZZ_INT_ARG_(uchar, unsigned char, CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(ushort, unsigned short, CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(uint, unsigned int, CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(ulong, unsigned long, CFUZZ_ARG_UINT)
CFUZZ_INT_ARG_(ullong, unsigned long long, CFUZZ_ARG_UINT)
#undef CFUZZ_INT_ARG_
#define CFUZZ_FLOAT_ARG_(type)                                                                     \
    static __inline__ struct cfuzz_arg cfuzz_arg_##type##_(type v)                                 \
    {                                                                                              \
        struct cfuzz_arg a = {CFUZZ_ARG_FLOAT, (uint32_t)(8 * sizeof v), {0}};                     \
        a.v.d = v;                                                                                 \
        return a;                                                                                  \
    }
CFUZZ_FLOAT_ARG_(float)
CFUZZ_FLOAT_ARG_(double)
#undef CFUZZ_FLOAT_ARG_
#define CFUZZ_PTR_ARG_(name, type, kind)                                                           \
    static __inline__ struct cfuzz_arg cfuzz_arg_##name##_(const type *v)                          \
    {                                                                                              \
        struct cfuzz_arg a = {kind, (uint32_t)(8 * sizeof v), {0}};                                \
        a.v.p = v;                                                                                 \
        return a;                                                                                  \
    }
CFUZZ_PTR_ARG_(text, char, CFUZZ_ARG_TEXT)
CFUZZ_PTR_ARG_(data, void, CFUZZ_ARG_DATA)
#undef CFUZZ_PTR_ARG_

/* A type that is not listed here cannot be a seed value: the compiler says so at the call. */
#define CFUZZ_ARG_(x)                                                                              \
    __extension__ _Generic((x),                                                                    \
        bool: cfuzz_arg_bool_,                                                                     \
        char: cfuzz_arg_char_,                                                                     \
        signed char: cfuzz_arg_schar_,                                                             \
        short: cfuzz_arg_short_,                                                                   \
        int: cfuzz_arg_int_,                                                                       \
        long: cfuzz_arg_long_,                                                                     \
        long long: cfuzz_arg_llong_,                                                               \
        unsigned char: cfuzz_arg_uchar_,                                                           \
        unsigned short: cfuzz_arg_ushort_,                                                         \
        unsigned int: cfuzz_arg_uint_,                                                             \
        unsigned long: cfuzz_arg_ulong_,                                                           \
        unsigned long long: cfuzz_arg_ullong_,                                                     \
        float: cfuzz_arg_float_,                                                                   \
        double: cfuzz_arg_double_,                                                                 \
        char *: cfuzz_arg_text_,                                                                   \
        const char *: cfuzz_arg_text_,                                                             \
        unsigned char *: cfuzz_arg_data_,                                                          \
        const unsigned char *: cfuzz_arg_data_,                                                    \
        void *: cfuzz_arg_data_,                                                                   \
        const void *: cfuzz_arg_data_)(x)

/*
 * cfuzz_add(f, values...) adds one seed; see cfuzz_add_args. At most 32
 * arguments, of which a []byte takes two. Context: the setup part.
 */
#define cfuzz_add(f, ...)                                                                          \
    cfuzz_add_args((f), __FILE__, __LINE__,                                                        \
                   __extension__ (const struct cfuzz_arg[]){                                       \
                       CFUZZ_MAP_(CFUZZ_ARG_, __VA_ARGS__)},                                       \
                   sizeof(__extension__ (const struct cfuzz_arg[]){                                \
                       CFUZZ_MAP_(CFUZZ_ARG_, __VA_ARGS__)}) /                                     \
                       sizeof(struct cfuzz_arg))

#endif /* C */

#endif /* CFUZZ_H */
