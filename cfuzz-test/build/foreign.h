/*
 * foreign.h - what objects tell that others built and a link has among its inputs. Context:
 * ordinary.
 */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "base/strlist.h"

/* For a link with code that the plugin did not compile: calls of functions that compare come to
 * runtime/coverage/trace_wrap.c. What it calls then is weak there, which takes nothing out of an
 * archive: with -static only -u does. (Those of std::string are in one member with all else of it.)
 */
#define FOREIGN_CALLS                                                                              \
    "-Wl,--wrap=memcmp,--wrap=bcmp,--wrap=strcmp,--wrap=strncmp,--wrap=strcasecmp,"                \
    "--wrap=strncasecmp,--wrap=strstr,--wrap=strcasestr,--wrap=memmem,"                            \
    "--wrap=" FOREIGN_STRING "7compareEPKc,--wrap=" FOREIGN_STRING "7compareERKS4_,"               \
    "--wrap=" FOREIGN_STRING "4findEPKcmm,"                                                        \
    "-u,memcmp,-u,bcmp,-u,strcmp,-u,strncmp,-u,strcasecmp,-u,strncasecmp,-u,strstr,"               \
    "-u,strcasestr,-u,memmem"
/* Of std::string, its constant functions. */
#define FOREIGN_STRING "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"

/* ... and, with a sanitizer, which has empty ones, callbacks of trace-cmp to trace_cmp.c. Without
 * one they come there anyway, unless the program has its own. */
#define FOREIGN_CALLBACKS "-Wl,-u,cfz_trace_cmp_linked"

/* For FOREIGN_DEPTH: how deep the stack is, is coverage. */
#define FOREIGN_STACK "-Wl,-u,cfz_depth_linked"

enum {
    FOREIGN_COVERAGE = 1, /* clang's or gcc's -fsanitize-coverage, of whatever kind */
    FOREIGN_DEPTH = 2,    /* stack-depth is among it, as it is with -fsanitize=fuzzer-no-link */
};

/*
 * foreign_objects returns what the objects and archives tell that words of a link name. A file is
 * named by its path, relative to directory, also as a part of -Wl,; an archive by -l, too, if it
 * lies in a directory that a -L names. What is not there, is no such file or cannot be read is
 * passed over; of a thin archive the members are not looked at. What the plugin compiled is not
 * foreign, nor is an archive with any of it.
 */
unsigned foreign_objects(const struct strlist *words, const char *directory);

#endif
