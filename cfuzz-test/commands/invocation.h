/*
 * invocation.h - what commands have in common: their flags, the packages they are about, and what
 * becomes of errors.
 *
 *     invocation_begin
 *         invocation_packages
 *     invocation_end
 */
#ifndef INVOCATION_H
#define INVOCATION_H

#include "base/strlist.h"
#include "build/package.h"
#include "cli/options.h"

struct invocation {
    struct options opt;
    struct strlist args; /* what is no flag */
    struct packages pkgs;
    struct cfz_error err;
    enum exit_status status; /* the worst so far */
    const char *topic;       /* of help about the command, or NULL; borrowed */
};

/* A flag without a value that one command alone has. */
struct own_flag {
    const char *name; /* with one dash */
    bool *given;
};

/* invocation_own_flags takes the flags of own[0..n) out of argv, with one dash or two, and notes
 * which were given. Returns how many words are left in argv. */
int invocation_own_flags(int argc, char **argv, const struct own_flag *own, size_t n);
/*
 * invocation_begin reads the flags in argv, of which known lists those that the command has (NULL:
 * all). Returns false where nothing is left to do: they are wrong, which has been printed, or they
 * ask for help, which topic is about (NULL: all usage).
 */
bool invocation_begin(struct invocation *c, int argc, char **argv, const char *const *known,
                      const char *topic);
/* invocation_packages finds the packages that names names. Returns false after a failure. */
bool invocation_packages(struct invocation *c, const char *const *names, size_t n, const char *dir);
/* invocation_failed prints c->err, and notes the exit status for it; invocation_misused does so for
 * a mistake on the command line. */
void invocation_failed(struct invocation *c);
void invocation_misused(struct invocation *c);
/* invocation_end releases everything. Returns the exit status. */
int invocation_end(struct invocation *c);

/* explain prints what went wrong, and returns the exit status for it. */
enum exit_status explain(const struct cfz_error *err);
enum exit_status worse(enum exit_status a, enum exit_status b);

#endif
