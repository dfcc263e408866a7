/*
 * cached.c - see cached.h.
 */
#include "process/cached.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache.h"
#include "base/places.h"
#include "cli/report.h"

int cached_dir(const struct options *opt, const struct package *pkg, const char *test, char **out,
               struct cfz_error *err)
{
    struct places_taken taken;

    if (opt->corpus != NULL) {
        *out = strdup(opt->corpus);
        return *out != NULL ? 0 : cfz_fail_nomem(err);
    }
    if (cache_fuzz_dir(pkg->path, test, out, err) < 0 || cache_check(*out, err) < 0)
        return -1;
    places_follow(pkg->dir, pkg->path, &taken);
    if (taken.from != NULL)
        report_line("fuzz: %zu cached input%s of %s %s", taken.n, taken.n == 1 ? "" : "s",
                    taken.from, taken.moved ? "moved here with the package" : "taken over");
    free(taken.from);
    return 0;
}
