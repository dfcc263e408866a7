/*
 * list.h - -list: the names of a package's fuzz tests and of their seeds.
 */
#ifndef LIST_H
#define LIST_H

#include "test/run.h"

/*
 * list_package prints the name of each test that -list selects, one a line, in the
 * order of the sources. No user code but constructors runs then. Where the pattern has a second
 * element, "./.", it prints the seeds that match instead, as they would run: "FuzzX/seed#0",
 * "FuzzX/<file>". For these the setup part of each test that matches runs; one that fails is told
 * on stderr, makes the result a failure, and the other tests are still listed. Errors as
 * testrun_package.
 */
int list_package(const struct options *opt, const struct test_binary *bin, struct run_result *res,
                 struct cfz_error *err);

#endif
