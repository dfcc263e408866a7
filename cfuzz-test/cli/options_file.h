/*
 * options_file.h - the .options file of a harness: settings in sections, as ClusterFuzz and
 * OSS-Fuzz read them.
 *
 *     [libfuzzer]
 *     max_len = 4096
 *     dict = words.dict
 *     [asan]
 *     detect_leaks = 0
 *
 * A line that begins with # or ; is a comment. Of [libfuzzer] max_len, timeout (seconds),
 * rss_limit_mb and dict count, of [asan], [msan], [tsan] and [ubsan] all; everything else is
 * another engine's, and ignored. "random(a, b)" stands for any number between these: b is taken.
 * Pure.
 */
#ifndef OPTIONS_FILE_H
#define OPTIONS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strlist.h"
#include "core/error.h"

/* Strings belong to the struct. */
struct options_file {
    bool has_max_len, has_timeout, has_rss;
    uint64_t max_len, timeout_s, rss_mib;
    char *dict; /* as written: relative to the file; or NULL */
    struct strlist
        env; /* "ASAN_OPTIONS=detect_leaks=0:...", one for each sanitizer with settings */
};

#define OPTIONS_FILE_INIT                                                                          \
    {                                                                                              \
        .dict = NULL, .env = STRLIST_INIT                                                          \
    }

/*
 * options_file_parse fills *out, which is an INIT value, from text[0..len). It is released by
 * options_file_release, also after failure. CFZ_EFORMAT "line 3: neither [section] nor name =
 * value", "line 3: max_len: \"x\" is not a number", CFZ_ENOMEM.
 */
int options_file_parse(const char *text, size_t len, struct options_file *out,
                       struct cfz_error *err);
void options_file_release(struct options_file *f);

#endif
