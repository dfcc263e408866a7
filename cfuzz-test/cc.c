/*
 * cc.c - the compiler wrappers cfuzz-cc and cfuzz-c++: this is their main.
 *
 * A project's own build with one of them as compiler is instrumented, and its programs are test
 * binaries. The compiler below is chosen by -cc=, else it is the first that has a plugin; CC is not
 * asked, since it names the wrapper.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build/wrapper.h"

static const char cc_flag[] = "-cc=";

static int complain(const char *self, const char *text)
{
    fprintf(stderr, "%s: %s\n", self, text);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    struct cfz_error err = CFZ_ERROR_INIT;
    struct strlist args = STRLIST_INIT, command = STRLIST_INIT;
    struct install in = {0};
    struct compiler c = {0};
    const char *self = argc > 0 ? argv[0] : "cfuzz-cc", *cc = NULL;
    bool plusplus;
    int status;

    self = strrchr(self, '/') != NULL ? strrchr(self, '/') + 1 : self;
    plusplus = strstr(self, "++") != NULL;
    if (argc < 2) {
        fprintf(
            stderr,
            "usage: %s [-cc=compiler] arguments of %s\n"
            "\n"
            "Compiles with coverage and registered fuzz tests, and links programs with cfuzz's\n"
            "runtime: CC=cfuzz-cc CXX=cfuzz-c++ ./configure && make, then cfuzz-test ./program.\n",
            self, plusplus ? "clang++" : "clang");
        return EXIT_USAGE;
    }
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], cc_flag, sizeof cc_flag - 1) == 0)
            cc = argv[i] + sizeof cc_flag - 1;
        else if (strlist_add(&args, argv[i], &err) < 0)
            goto out;
    }
    if (cc != NULL && cc[0] == '\0') {
        cfz_fail(&err, CFZ_EUSAGE, "-cc=: no compiler");
        goto out;
    }
    if (install_find(&in, &err) < 0 ||
        compiler_choose("-cc:", cc, plusplus ? "clang++" : "clang", &in, true, &c, &err) < 0 ||
        wrapper_command(&c, &in, (const char *const *)args.v, args.n, &command, &err) < 0)
        goto out;
    execvp(command.v[0], command.v);
    cfz_fail(&err, CFZ_EIO, "%s: %s", command.v[0], strerror(errno));
out:
    status = complain(self, err.text);
    strlist_release(&args);
    strlist_release(&command);
    compiler_release(&c);
    install_release(&in);
    return status;
}
