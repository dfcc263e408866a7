/*
 * regex.c - PCRE2 compiles the first half of an input, with options of its first byte, and matches
 * the second.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "target.h"

enum {
    PATTERN_MOST = 1024,
    SUBJECT_MOST = 1024,
    MATCHES_MOST = 2000,
    DEPTH_MOST = 200,
    KIB_MOST = 1024
};

static const uint32_t OPTIONS[8] = {PCRE2_CASELESS, PCRE2_MULTILINE, PCRE2_DOTALL,
                                    PCRE2_EXTENDED, PCRE2_UTF,       PCRE2_UCP,
                                    PCRE2_UNGREEDY, PCRE2_DUPNAMES};

static void match(const pcre2_code *code, const uint8_t *subject, size_t len)
{
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    pcre2_match_data *found = pcre2_match_data_create_from_pattern(code, NULL);

    if (limits && found) {
        pcre2_set_match_limit(limits, MATCHES_MOST);
        pcre2_set_depth_limit(limits, DEPTH_MOST);
        pcre2_set_heap_limit(limits, KIB_MOST);
        pcre2_match(code, subject, len < SUBJECT_MOST ? len : SUBJECT_MOST, 0, 0, found, limits);
    }
    pcre2_match_data_free(found);
    pcre2_match_context_free(limits);
}

void bench_target(const uint8_t *data, size_t len)
{
    uint32_t options = 0;
    size_t half, at;
    pcre2_code *code;
    int error;

    if (len < 1)
        return;
    for (int i = 0; i < 8; i++)
        if (data[0] >> i & 1)
            options |= OPTIONS[i];
    data++;
    len--;
    half = (len + 1) / 2;
    code =
        pcre2_compile(data, half < PATTERN_MOST ? half : PATTERN_MOST, options, &error, &at, NULL);
    if (!code)
        return;
    match(code, data + half, len - half);
    pcre2_code_free(code);
}
