/*
 * strlist.h - a growable list of strings that owns them. Context: ordinary.
 */
#ifndef STRLIST_H
#define STRLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

/* v[n] is NULL, so that v can be an argv. v itself is NULL until something was added. */
struct strlist {
    char **v;
    size_t n, cap;
};

#define STRLIST_INIT                                                                               \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

void strlist_release(struct strlist *l); /* leaves INIT */
/* These fail with CFZ_ENOMEM only. */
int strlist_add(struct strlist *l, const char *s, struct cfz_error *err);
int strlist_addf(struct strlist *l, struct cfz_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int strlist_add_words(struct strlist *l, const char *const *words, size_t n, struct cfz_error *err);
int strlist_add_all(struct strlist *l, const struct strlist *from, struct cfz_error *err);
void strlist_truncate(struct strlist *l, size_t n); /* keeps the first n, frees the others */
bool strlist_has(const struct strlist *l, const char *s);
void strlist_sort(struct strlist *l); /* bytewise */

/*
 * strlist_split adds the words of a line written as for a shell: blanks separate,
 * '...' is literal, "..." knows \" \\ \$ \` and a bare \ takes the next
 * character; no variables or globs. CFZ_EFORMAT "unterminated quote", and nothing is added.
 */
int strlist_split(struct strlist *l, const char *line, size_t len, struct cfz_error *err);

/* STRLIST_ADD(l, err, "a", "b") is strlist_add of each. */
#define STRLIST_ADD(l, err, ...)                                                                   \
    strlist_add_words(l, (const char *const[]){__VA_ARGS__},                                       \
                      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *), err)

#endif
