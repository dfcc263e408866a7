/*
 * trace_wrap.c - comparisons of text in objects that the plugin did not compile. Their calls of
 * memcmp and its like come here where the program was linked with --wrap for these (ld's manual),
 * and go on to the real functions.
 *
 * The driver links so where gcc compiles, or where others instrumented an object. What the
 * plugin compiled in the same program comes here, too, and pays one load and one branch for it; its
 * own hook, behind the call, takes the place of what is told here (trace.c).
 *
 * A call is told of when it came back: one that crashes does so in the function that was called.
 * Without a trace it is a jump, so that no stack shows these names.
 *
 * The real ones are weak, so that all of the archive links without --wrap, too.
 */
#include "coverage/trace_places.h"

static void text(uintptr_t pc, enum cfz_site_kind kind, const void *a, size_t n, const void *b,
                 size_t m)
{
    bool fresh;
    struct cfz_site *s = cfz_place_site(pc, kind, 0, 0, &fresh);

    if (s)
        cfz_trace_text_told(s, a, n, b, m);
}

/* A function of type, with parameters and arguments in parentheses, and what it compares. */
#define WRAP(type, name, parameters, arguments, ...)                                               \
    type __real_##name parameters __attribute__((weak));                                           \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        type result;                                                                               \
                                                                                                   \
        if (__builtin_expect(!cfz_places_traced, 1))                                               \
            return __real_##name arguments;                                                        \
        result = __real_##name arguments;                                                          \
        text((uintptr_t)__builtin_return_address(0), __VA_ARGS__);                                 \
        return result;                                                                             \
    }

#define TWO (const char *a, const char *b)
#define TWO_N (const char *a, const char *b, size_t n)
#define MEM_N (const void *a, const void *b, size_t n)

WRAP(int, memcmp, MEM_N, (a, b, n), CFZ_SITE_MEM, a, n, b, 0)
WRAP(int, bcmp, MEM_N, (a, b, n), CFZ_SITE_MEM, a, n, b, 0)
WRAP(int, strcmp, TWO, (a, b), CFZ_SITE_STRING, a, 0, b, 0)
WRAP(int, strncmp, TWO_N, (a, b, n), CFZ_SITE_STRING_N, a, n, b, 0)
WRAP(int, strcasecmp, TWO, (a, b), CFZ_SITE_STRING_CASE, a, 0, b, 0)
WRAP(int, strncasecmp, TWO_N, (a, b, n), CFZ_SITE_STRING_N_CASE, a, n, b, 0)
WRAP(char *, strstr, TWO, (a, b), CFZ_SITE_FIND, a, 0, b, 0)
WRAP(char *, strcasestr, TWO, (a, b), CFZ_SITE_FIND_CASE, a, 0, b, 0)
WRAP(void *, memmem, (const void *a, size_t n, const void *b, size_t m), (a, n, b, m),
     CFZ_SITE_FIND_MEM, a, n, b, m)

/* std::string of GNU's library, of which only this is read. */
struct string {
    const char *data;
    size_t size;
};

#define OF_STRING(name) _ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##name
#define WRAP_AGAIN(...) WRAP(__VA_ARGS__) /* once the name is whole */

/* compare(const char *), compare(const std::string &), find(const char *, from, size) */
WRAP_AGAIN(int, OF_STRING(7compareEPKc), (const struct string *a, const char *b), (a, b),
           CFZ_SITE_STRING, a->data, 0, b, 0)
WRAP_AGAIN(int, OF_STRING(7compareERKS4_), (const struct string *a, const struct string *b), (a, b),
           CFZ_SITE_STRING, a->data, 0, b->data, 0)
WRAP_AGAIN(size_t, OF_STRING(4findEPKcmm),
           (const struct string *a, const char *b, size_t from, size_t n), (a, b, from, n),
           CFZ_SITE_FIND_MEM, a->data, a->size, b, n)
