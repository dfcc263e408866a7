/*
 * parts.h - what pages about a package and about a test have in common. These fail with CFZ_ENOMEM
 * only. Context: ordinary.
 */
#ifndef PARTS_H
#define PARTS_H

#include "core/buf.h"
#include "report/site.h"

/* part_unreached appends the functions of the package that no input reached. */
int part_unreached(struct cfz_buf *out, const struct report *r, const struct report_package *p,
                   struct cfz_error *err);

/* part_builds_failing counts the inputs of a test that failed in some build of -sanitizers. */
size_t part_builds_failing(const struct report_package *p, const struct report_test *t);
/* part_builds_of_package appends which tests failed in which build of -sanitizers; nothing where
 * there were none and they cannot be run from here. */
int part_builds_of_package(struct cfz_buf *out, const struct report *r,
                           const struct report_package *p, struct cfz_error *err);
/* part_builds_of_test appends what each build made of the inputs of a test: a table of those that
 * failed in some build, and what was said of each crash. */
int part_builds_of_test(struct cfz_buf *out, const struct report_package *p,
                        const struct report_test *t, struct cfz_error *err);

/* part_order appends a button that has something done, and how that goes. again: it was done
 * before. Nothing where it cannot be had. */
int part_order(struct cfz_buf *out, const struct report_order *o, bool again,
               struct cfz_error *err);

#endif
