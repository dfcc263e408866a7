/*
 * libfuzzer_main.c - main() of an executable behind libFuzzer's command line (cfuzz-test -c
 * -libfuzzer), in an archive of its own.
 *
 * The driver does the work: it lies beside the executable, takes the command line, and starts the
 * executable again as its origin.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/protocol.h"
#include "server/origin.h"
#include "target/harness.h"

enum { EXIT_ERROR = 1, PATH_LEN_MAX = 4096 };

/*
 * Words that OSS-Fuzz and ClusterFuzz look for in the bytes of a file: the first says that it is a
 * fuzz target, the second that a merge takes a control file.
 */
__attribute__((used, retain)) static const char marks[] =
    "LLVMFuzzerTestOneInput\0fuzz target overwrites its const input";

int main(int argc, char **argv)
{
    static const char driver_name[] = CFZ_LIBFUZZER_DRIVER;
    char self[PATH_LEN_MAX], driver[PATH_LEN_MAX + sizeof driver_name];
    ssize_t len;
    size_t dir;
    const char **args;

    if (cfz_origin_requested(argc, argv)) {
        cfz_harness_beside(argv[0]);
        return cfz_origin_run();
    }
    len = readlink("/proc/self/exe", self, sizeof self - 1);
    args = calloc((size_t)argc + 4, sizeof *args);
    if (len <= 0 || args == NULL) {
        fprintf(stderr, "ERROR: %s: cannot be found in /proc\n", argc > 0 ? argv[0] : "?");
        return EXIT_ERROR;
    }
    self[len] = '\0';
    dir = (size_t)(strrchr(self, '/') + 1 - self);
    memcpy(driver, self, dir);
    memcpy(driver + dir, driver_name, sizeof driver_name);
    args[0] = driver;
    args[1] = "libfuzzer";
    args[2] = self;
    args[3] = argc > 0 ? argv[0] : self; /* its last component may name the test */
    for (int i = 1; i < argc; i++)
        args[3 + i] = argv[i];
    execv(driver, (char *const *)args);
    fprintf(stderr,
            "ERROR: %s: %s: the executable needs it beside itself, where cfuzz-test -c -libfuzzer "
            "put it\n",
            driver, strerror(errno));
    return EXIT_ERROR;
}
