/*
 * error.h - the one way functions of cfuzz report failure.
 *
 * A function that can fail returns 0 or -1 and takes a struct cfz_error * last.
 * On failure its outputs are untouched and the error holds a code and a text
 * "what: why", lower case, no full stop, with path and bad value in it. On
 * success the error is untouched. err may be NULL where the caller does not care. What is not
 * printable in the text is escaped (escape.h), line ends too, so that it is safe to print.
 */
#ifndef CFZ_ERROR_H
#define CFZ_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" { /* for types.h, which the plugin reads */
#endif

enum cfz_code {
    CFZ_OK = 0,
    CFZ_EIO, /* the system refused; sys holds errno */
    CFZ_ENOMEM,
    CFZ_EFORMAT,  /* bad content: corpus file, type list, message */
    CFZ_EUSAGE,   /* bad command line */
    CFZ_ETYPE,    /* values do not fit the test */
    CFZ_EEXIST,   /* already there */
    CFZ_EINTERNAL /* our bug, or a broken channel */
};

#define CFZ_ERROR_TEXT_MAX 4096

struct cfz_error {
    enum cfz_code code;
    int sys; /* errno, or 0 */
    char text[CFZ_ERROR_TEXT_MAX];
};

#define CFZ_ERROR_INIT                                                                             \
    {                                                                                              \
        CFZ_OK, 0, ""                                                                              \
    }

/* cfz_fail fills err (cut at CFZ_ERROR_TEXT_MAX) and returns -1, so that failing is one line. */
int cfz_fail(struct cfz_error *err, enum cfz_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* cfz_fail_nomem is cfz_fail with CFZ_ENOMEM and "out of memory". */
int cfz_fail_nomem(struct cfz_error *err);

/* cfz_fail_errno is cfz_fail with CFZ_EIO, the current errno and ": <its text>" appended. */
int cfz_fail_errno(struct cfz_error *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* cfz_error_wrap puts "<formatted>: " before the text: what we were doing. Returns -1. */
int cfz_error_wrap(struct cfz_error *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* cfz_error_add_lines puts lines of output, escaped, indented and each on a line of its own, behind the
 * text: the one way to an error of several lines. As much of them as there is room for; returns -1. */
int cfz_error_add_lines(struct cfz_error *err, const char *lines);

/* cfz_error_keep copies err to *first, unless that holds an error already: later errors mostly
 * follow from the first. */
void cfz_error_keep(struct cfz_error *first, const struct cfz_error *err);

/*
 * CFZ_ASSERT guards our own invariants, never the user's input. It writes one line to stderr and
 * _exits with CFZ_EXIT_INTERNAL. It does not call abort(): SIGABRT means that the tested code
 * failed. Context: signal.
 */
#define CFZ_ASSERT(cond) ((cond) ? (void)0 : cfz_assert_failed(#cond, __FILE__, __LINE__))
void cfz_assert_failed(const char *cond, const char *file, int line) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
