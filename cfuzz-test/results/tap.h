/*
 * tap.h - -tap: the Test Anything Protocol, version 13 (https://testanything.org).
 *
 *     TAP version 13
 *     # fuzz: elapsed: 3s, ...
 *     ok 1 - FuzzX/seed\#0
 *     not ok 2 - FuzzX
 *       ---
 *       message: "Segmentation fault at parse.c:41"
 *       ...
 *     1..2
 *
 * All else that is printed stands behind "# ". Each function appends whole lines to out.
 * CFZ_ENOMEM. Context: ordinary.
 */
#ifndef TAP_H
#define TAP_H

#include "core/buf.h"
#include "results/result.h"

int tap_begin(struct cfz_buf *out, struct cfz_error *err);
int tap_lines(struct cfz_buf *out, const char *text, size_t len, struct cfz_error *err);
/* package is NULL where it goes without saying. number counts from 1. */
int tap_result(struct cfz_buf *out, uint64_t number, const char *package, const struct result *r,
               struct cfz_error *err);
/* n results were told. */
int tap_end(struct cfz_buf *out, uint64_t n, struct cfz_error *err);

#endif
