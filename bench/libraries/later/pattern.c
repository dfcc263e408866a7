/*
 * pattern.c - Oniguruma compiles the first half of an input, in the syntax and with the options of
 * its first byte, and searches the second.
 */
#include <oniguruma.h>

#include "target.h"

enum {
    PATTERN_MOST = 256,
    SUBJECT_MOST = 256,
    STEPS_MOST = 2000,
    STACK_MOST = 1000,
    DEPTH_MOST = 50
};

static void search(regex_t *reg, const uint8_t *subject, size_t len)
{
    OnigRegion *region = onig_region_new();
    const uint8_t *end = subject + (len < SUBJECT_MOST ? len : SUBJECT_MOST);

    if (onig_search(reg, subject, end, subject, end, region, ONIG_OPTION_NONE) == ONIG_MISMATCH)
        onig_match(reg, subject, end, subject, region, ONIG_OPTION_NONE);
    onig_region_free(region, 1);
}

void bench_target(const uint8_t *data, size_t len)
{
    OnigSyntaxType *const syntaxes[4] = {ONIG_SYNTAX_ONIGURUMA, ONIG_SYNTAX_PERL_NG,
                                         ONIG_SYNTAX_JAVA, ONIG_SYNTAX_RUBY};
    static int begun;
    OnigEncoding enc = ONIG_ENCODING_UTF8;
    OnigErrorInfo info;
    OnigOptionType options;
    OnigSyntaxType *syntax;
    regex_t *reg;
    size_t half;

    if (!begun) {
        onig_initialize(&enc, 1);
        onig_set_retry_limit_in_match(STEPS_MOST);
        onig_set_retry_limit_in_search(STEPS_MOST);
        onig_set_match_stack_limit_size(STACK_MOST);
        onig_set_subexp_call_limit_in_search(STEPS_MOST);
        onig_set_parse_depth_limit(DEPTH_MOST);
        begun = 1;
    }
    if (len < 1)
        return;
    syntax = syntaxes[data[0] & 3];
    options = (OnigOptionType)(data[0] >> 2 & 15);
    data++;
    len--;
    half = (len + 1) / 2;
    if (!onigenc_is_valid_mbc_string(enc, data, data + len))
        return;
    if (onig_new(&reg, data, data + (half < PATTERN_MOST ? half : PATTERN_MOST), options, enc,
                 syntax, &info) != ONIG_NORMAL)
        return;
    search(reg, data + half, len - half);
    onig_free(reg);
}
