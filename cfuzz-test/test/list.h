/*
 * list.h - -list: the names of a package's fuzz tests.
 */
#ifndef LIST_H
#define LIST_H

#include "test/run.h"

/*
 * list_package prints the name of each test that -list selects, one a line, in the
 * order of the sources. No user code but constructors runs. Errors as
 * testrun_package.
 */
int list_package(const struct options *opt, const struct test_binary *bin, struct run_result *res,
                 struct cfz_error *err);

#endif
