/*
 * lf_install.h - cfuzz-test -c -libfuzzer -o DIR.
 */
#ifndef LF_INSTALL_H
#define LF_INSTALL_H

#include "build/build.h"

/*
 * lf_install puts an executable for each fuzz test of bins that -fuzz selects and -skip does not
 * into the directory -o, which it makes, by the test's name; beside them the driver that they need
 * (server/cfuzz_main.h). Those of one binary are links to one file. Each file appears whole or not
 * at all. CFZ_EUSAGE: no test, or cfuzz was installed without that driver; CFZ_EIO; else as
 * session_open. Context: ordinary.
 */
int lf_install(const struct options *opt, const struct test_binaries *bins, struct cfz_error *err);

#endif
