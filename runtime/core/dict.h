/*
 * dict.h - dictionaries: words that inputs may need, one a line, as libFuzzer and AFL++ write them.
 *
 *     # a comment
 *     method="GET"
 *     "\x89PNG\x0d\x0a"
 *     rare@2="quote \" and backslash \\"
 *
 * Blank lines are skipped, and blanks at both ends of a line. A name may stand before the word, and
 * a level behind the name; both are read and not used: every word has to earn its place. The first
 * quote of a line opens the word and the last one closes it, so that a quote inside needs no
 * backslash. Bytes from 0x80 on and tabs stand for themselves, other control characters do not.
 * Context: ordinary.
 */
#ifndef CFZ_DICT_H
#define CFZ_DICT_H

#include "core/buf.h"

enum {
    CFZ_WORD_MAX = 1 << 20,       /* bytes of one word */
    CFZ_DICT_WORDS_MAX = 1 << 14, /* words */
    CFZ_DICT_SIZE_MAX = 16 << 20, /* bytes of all words, each with its length */
};

/* Words, packed: a length of four bytes in host order before each. */
struct cfz_dict {
    struct cfz_buf packed;
    size_t n;
};

#define CFZ_DICT_INIT                                                                              \
    {                                                                                              \
        CFZ_BUF_INIT, 0                                                                            \
    }

void cfz_dict_release(struct cfz_dict *d);

/*
 * cfz_dict_parse adds the words of text[0..len) to d. CFZ_EFORMAT names line and column, both from
 * 1, the column in bytes, and what is expected there:
 *     line 3, column 9: expected \\, \" or \xNN with two hexadecimal digits
 * An empty word is such an error, and so is one that is longer than CFZ_WORD_MAX.
 */
int cfz_dict_parse(const char *text, size_t len, struct cfz_dict *d, struct cfz_error *err);

/* cfz_dict_add adds one word of len bytes, 1 to CFZ_WORD_MAX. CFZ_EFORMAT, with ENOSPC as sys, if
 * there is no room: "more than 16384 words", "words of more than 16777216 bytes together". */
int cfz_dict_add(struct cfz_dict *d, const void *word, size_t len, struct cfz_error *err);

/*
 * cfz_dict_next returns the word at *at in packed[0..size), sets *len, and moves *at behind it.
 * NULL at the end, and where what is there is not a word. Context: any.
 */
const uint8_t *cfz_dict_next(const uint8_t *packed, size_t size, size_t *at, uint32_t *len);

/* cfz_dict_write appends a word in quotes, as cfz_dict_parse reads it: printable ASCII is as it is,
 * and every other byte \xNN. */
int cfz_dict_write(struct cfz_buf *out, const uint8_t *word, size_t len, struct cfz_error *err);

#endif
