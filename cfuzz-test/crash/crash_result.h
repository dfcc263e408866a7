/*
 * crash_result.h - a failing input as results tell it (results/results.h): its crash, its file, and
 * the command that runs it again. Context: ordinary.
 */
#ifndef CRASH_RESULT_H
#define CRASH_RESULT_H

#include "crash/crash_identity.h"
#include "process/origin_client.h"
#include "results/result.h"

struct crash_result {
    struct result_crash crash; /* texts are borrowed from here, and from the signature */
    char identity[CRASH_IDENTITY_MAX];
    struct cfz_buf file, command;
};

/*
 * crash_result_make fills *r, which crash_result_release releases, also on failure. input is the
 * name of the seed or file of that test, "" if there is none; is_file: in the seed directory. sig
 * is borrowed, and *r does not move, until then. CFZ_ENOMEM.
 */
int crash_result_make(struct crash_result *r, const struct crash_signature *sig,
                      const struct origin *o, const char *test, const char *input, bool is_file,
                      struct cfz_error *err);
void crash_result_release(struct crash_result *r); /* does nothing to one that is all zero */

#endif
