/*
 * junit.h - -junit FILE: results as Jenkins, GitLab and others read them.
 *
 * A testsuite for each package, a testcase for each test and each seed; one whose package could not
 * be built or run has an error. The shape is that of Jenkins's junit-10.xsd, with the order of
 * elements and the attributes that Ant's stricter schema asks for. Pure. Context: ordinary.
 */
#ifndef JUNIT_H
#define JUNIT_H

#include "results/result_list.h"

/* junit_write appends the document. CFZ_ENOMEM. */
int junit_write(struct cfz_buf *out, const struct result_list *l, struct cfz_error *err);

/* junit_escape appends text for XML, as text or in an attribute: & < > " and what is not printable.
 * Exposed for tests. */
int junit_escape(struct cfz_buf *out, const char *text, size_t len, struct cfz_error *err);

#endif
