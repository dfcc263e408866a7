/*
 * words_fuzz.c - what people write: directives, words of a shell, durations, patterns, flags,
 * dictionaries.
 */
//cfuzz:ldflags -lpcre2-8
//cfuzz:sources ../../cfuzz-test/base/duration.c ../../cfuzz-test/base/shell.c
//cfuzz:sources ../../cfuzz-test/base/strlist.c ../../cfuzz-test/build/directives.c
//cfuzz:sources ../../cfuzz-test/cli/suggest.c ../../cfuzz-test/base/cpus.c
//cfuzz:sources ../../cfuzz-test/cli/flags.c ../../cfuzz-test/cli/pattern.c
//cfuzz:sources ../../cfuzz-test/cli/sanitizers.c ../../cfuzz-test/cli/report.c
//cfuzz:sources ../../runtime/core/dict.c
#include "fuzz.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/shell.h"
#include "base/strlist.h"
#include "build/directives.h"
#include "cli/flags.h"
#include "cli/pattern.h"
#include "cli/pattern_split.h"
#include "core/dict.h"

static size_t list_size(const struct strlist *l)
{
    size_t size = 0;

    for (size_t i = 0; i < l->n; i++)
        size += strlen(l->v[i]);
    return size;
}

FUZZ_SETUP(FuzzDirectives)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("int a;\n//cfuzz:cflags -I../inc \"-DA=b c\" -D'X=\"y\"'\r\n"
                             "//cfuzz:sources a\\ b.c *.c\n//cfuzz:ldflags\t-lm"));
    cfuzz_add(f, CFUZZ_BYTES("//cfuzz:flags x\n"));
    cfuzz_add(f, CFUZZ_BYTES("\n//cfuzz:cflags 'a"));
}

FUZZ_TEST(FuzzDirectives, []byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    struct directives d = DIRECTIVES_INIT;
    struct cfz_error err;

    error_clear(&err);
    if (directives_parse((const char *)text, len, &d, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT && strncmp(err.text, "line ", 5) == 0);
    }
    CHECK(t, list_size(&d.cflags) + list_size(&d.ldflags) + list_size(&d.sources) <= len);
    directives_release(&d);
}

FUZZ_SETUP(FuzzWords)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("a 'b c' \"d\\\"e\\x\" \\f '' g\"h\"'i'"));
    cfuzz_add(f, CFUZZ_BYTES("\"\\$\\`\\\\\" \\"));
}

/* A line is split into words; quoted and put together again they are split into the same. */
FUZZ_TEST(FuzzWords, []byte)(cfuzz_t *t, const uint8_t *line, size_t len)
{
    struct strlist words = STRLIST_INIT, again = STRLIST_INIT;
    struct cfz_buf joined = CFZ_BUF_INIT;
    struct cfz_error err;

    error_clear(&err);
    if (strlist_split(&words, (const char *)line, len, &err) < 0) {
        check_error(t, &err);
        CHECK(t, words.n == 0);
    }
    CHECK(t, list_size(&words) <= len);
    for (size_t i = 0; i < words.n; i++) {
        CHECK(t, shell_quote(&joined, words.v[i], &err) == 0);
        CHECK(t, cfz_buf_puts(&joined, " ", &err) == 0);
    }
    CHECK(t, strlist_split(&again, cfz_buf_str(&joined), joined.len, &err) == 0);
    CHECK(t, again.n == words.n);
    for (size_t i = 0; i < words.n; i++)
        CHECK(t, strcmp(words.v[i], again.v[i]) == 0);
    strlist_release(&words);
    strlist_release(&again);
    cfz_buf_release(&joined);
}

FUZZ_SETUP(FuzzShellQuote)(cfuzz_f *f)
{
    cfuzz_add(f, "it's\n\x1b[1m \\ $HOME");
    cfuzz_add(f, "plain-word_1.c");
    cfuzz_add(f, "\xc3\xa9\t\xff");
}

/* Reads what shell_quote_shown wrote as $'...'. */
static size_t read_dollar(cfuzz_t *t, const char *s, char *out)
{
    size_t n = 0;

    CHECK(t, strncmp(s, "$'", 2) == 0);
    for (s += 2; *s != '\''; s++) {
        unsigned byte;

        CHECK(t, *s != '\0');
        if (*s != '\\') {
            out[n++] = *s;
            continue;
        }
        CHECK(t, sscanf(s + 1, "%3o", &byte) == 1 && byte < 256);
        out[n++] = (char)byte;
        s += 3;
    }
    CHECK(t, s[1] == '\0');
    return n;
}

/* A quoted word is one word, and the same; one that is shown is safe on a terminal. */
FUZZ_TEST(FuzzShellQuote, string)(cfuzz_t *t, const char *word)
{
    struct cfz_buf quoted = CFZ_BUF_INIT, shown = CFZ_BUF_INIT;
    struct strlist words = STRLIST_INIT;
    size_t len = strlen(word), n, used;
    struct cfz_error err;
    char *out;

    error_clear(&err);
    CHECK(t, shell_quote(&quoted, word, &err) == 0);
    CHECK(t, quoted.len >= len && quoted.len <= 4 * len + 2);
    CHECK(t, strlist_split(&words, cfz_buf_str(&quoted), quoted.len, &err) == 0);
    CHECK(t, words.n == 1 && strcmp(words.v[0], word) == 0);
    CHECK(t, shell_quote_shown(&shown, word, &err) == 0);
    CHECK(t, shown.len <= 4 * len + 3);
    for (size_t at = 0; at < shown.len; at += used) {
        char text[CFZ_ESCAPED_MAX];

        used = cfz_escape_next(cfz_buf_str(&shown) + at, shown.len - at, CFZ_ESCAPE_LINE, text, &n);
        CHECK(t, n == used && text[0] != '\t');
    }
    if (shown.data[0] == '$') {
        out = malloc(shown.len);
        CHECK(t, out != NULL);
        CHECK(t, read_dollar(t, cfz_buf_str(&shown), out) == len && memcmp(out, word, len) == 0);
        free(out);
    } else {
        CHECK(t, strcmp(cfz_buf_str(&shown), cfz_buf_str(&quoted)) == 0);
    }
    cfz_buf_release(&quoted);
    cfz_buf_release(&shown);
    strlist_release(&words);
}

FUZZ_SETUP(FuzzDuration)(cfuzz_f *f)
{
    cfuzz_add(f, "1h30m", INT64_C(1500000));
    cfuzz_add(f, "-1.5ms2us", INT64_MIN);
    cfuzz_add(f, "+.5s3\xc2\xb5s1\xce\xbcs", INT64_MAX);
    cfuzz_add(f, "9223372036854775807ns", INT64_C(-59999999999));
}

/* A duration is written so that it is read as the same. */
FUZZ_TEST(FuzzDuration, string, int64)(cfuzz_t *t, const char *text, int64_t ns)
{
    char out[DURATION_TEXT_MAX];
    int64_t read = 77, again = 0;

    if (duration_parse(text, &read)) {
        CHECK(t, duration_format(read, out) == out && strlen(out) < sizeof out);
        CHECK(t, duration_parse(out, &again) && again == read);
    } else {
        CHECK(t, read == 77);
    }
    duration_format(ns, out);
    CHECK(t, duration_parse(out, &again) && again == ns);
}

FUZZ_SETUP(FuzzPattern)(cfuzz_f *f)
{
    cfuzz_add(f, "FuzzA/seed#[0-2]|^FuzzB$", "FuzzA/seed#1");
    cfuzz_add(f, "(a|b)/c\\/d//[]/|]x", "a/c/d");
    cfuzz_add(f, "\\p{Greek}+?x{2,3}|", "\xce\xb1xx/\xff");
}

/* The pieces of a pattern are the pattern without its separators; what it skips it matches. */
FUZZ_TEST(FuzzPattern, string, string)(cfuzz_t *t, const char *text, const char *name)
{
    struct pattern_pieces pieces = PATTERN_PIECES_INIT;
    struct pattern *p = NULL;
    bool partial = false, matches;
    size_t at = 0, alternative = 0;
    struct cfz_error err;

    error_clear(&err);
    CHECK(t, pattern_split(text, &pieces, &err) == 0 && pieces.n > 0);
    for (size_t i = 0; i < pieces.n; i++) {
        CHECK(t, pieces.v[i].s == text + at && pieces.v[i].alternative == alternative);
        at += pieces.v[i].len;
        CHECK(t, text[at] == (i + 1 < pieces.n ? text[at] == '|' ? '|' : '/' : '\0'));
        alternative += text[at] == '|';
        at++;
    }
    CHECK(t, at == strlen(text) + 1);
    pattern_pieces_release(&pieces);
    if (pattern_new("run", text, &p, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT && p == NULL);
        return;
    }
    matches = pattern_match(p, name, &partial);
    CHECK(t, pattern_skips(p, name) == (matches && !partial));
    CHECK(t, !matches || pattern_match_top(p, name));
    pattern_free(p);
}

FUZZ_SETUP(FuzzCommandLine)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("-fuzz=FuzzX -fuzztime 10s --parallel=4 -v . -run '' -- -x"));
    cfuzz_add(f, CFUZZ_BYTES("-fuzztime=1000x -shuffle=on -asan -ubsan=false -rss 0 -timeout=0"));
    cfuzz_add(f, CFUZZ_BYTES("-help x"));
}

/* Of a command line every word is a flag, its value or an argument; its values are in their ranges.
 */
FUZZ_TEST(FuzzCommandLine, []byte)(cfuzz_t *t, const uint8_t *line, size_t len)
{
    struct strlist words = STRLIST_INIT, args = STRLIST_INIT;
    struct options opt;
    struct cfz_error err;
    bool help = false;

    error_clear(&err);
    if (strlist_split(&words, (const char *)line, len, &err) < 0)
        return;
    flags_defaults(&opt);
    if (flags_parse((int)words.n, words.v, NULL, &opt, &args, &help, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EUSAGE);
    } else {
        CHECK(t, args.n <= words.n);
        CHECK(t, opt.parallel >= 1 && opt.parallel <= 65535 && opt.count >= 1);
        CHECK(t, opt.hangtimeout_ns > 0 && opt.timeout_ns >= 0);
        CHECK(t, opt.fuzztime.kind != LIMIT_TIME || opt.fuzztime.ns > 0);
        CHECK(t, opt.fuzztime.kind != LIMIT_COUNT || opt.fuzztime.count > 0);
        if (flags_check(&opt, args.n, 0, &err) < 0)
            check_error(t, &err);
        flags_release(&opt);
    }
    strlist_release(&words);
    strlist_release(&args);
}

FUZZ_SETUP(FuzzDict)(cfuzz_f *f)
{
    cfuzz_add(f,
              CFUZZ_BYTES(
                  "# verbs\r\n\r\nget=\"GET\"\r\n  put@2 = \"P\\x55\\\"T\\\\\" \n\"\xc3\xa4\t\""));
    cfuzz_add(f, CFUZZ_BYTES("\"a\" \"b\"\nkw[1]\"c"));
    cfuzz_add(f, CFUZZ_BYTES("\"\\x4\""));
}

/* The words of a dictionary are written so that they are read as the same. */
FUZZ_TEST(FuzzDict, []byte)(cfuzz_t *t, const uint8_t *text, size_t len)
{
    struct cfz_dict d = CFZ_DICT_INIT, again = CFZ_DICT_INIT;
    struct cfz_buf out = CFZ_BUF_INIT;
    const uint8_t *word;
    struct cfz_error err;
    size_t at = 0, n = 0;
    uint32_t word_len;

    error_clear(&err);
    if (cfz_dict_parse((const char *)text, len, &d, &err) < 0) {
        check_error(t, &err);
        CHECK(t, err.code == CFZ_EFORMAT && strncmp(err.text, "line ", 5) == 0);
        CHECK(t, d.n == 0 && d.packed.len == 0);
    }
    CHECK(t, d.packed.len <= 2 * len); /* three characters, at least, are a word of five bytes */
    while ((word = cfz_dict_next(d.packed.data, d.packed.len, &at, &word_len)) != NULL) {
        CHECK(t, word_len > 0 && word_len <= CFZ_WORD_MAX);
        CHECK(t, cfz_dict_write(&out, word, word_len, &err) == 0);
        CHECK(t, cfz_buf_puts(&out, "\n", &err) == 0);
        n++;
    }
    CHECK(t, at == d.packed.len && n == d.n);
    CHECK(t, cfz_dict_parse(cfz_buf_str(&out), out.len, &again, &err) == 0);
    CHECK(t, again.n == d.n && again.packed.len == d.packed.len);
    CHECK(t, d.packed.len == 0 || memcmp(again.packed.data, d.packed.data, d.packed.len) == 0);
    for (size_t i = 0; i < out.len; i++)
        CHECK(t, out.data[i] == '\n' || (out.data[i] >= ' ' && out.data[i] < 0x7f));
    cfz_dict_release(&d);
    cfz_dict_release(&again);
    cfz_buf_release(&out);
}
