/*
 * lf_news.h - what is told of an input beside its own line: how it was made, and which places it
 * was the first to get to. Context: ordinary.
 */
#ifndef LF_NEWS_H
#define LF_NEWS_H

#include "libfuzzer/lf_flags.h"
#include "process/lineage.h"
#include "stack/live_symbolizer.h"

/* lf_news_lineage appends "MS: 2 BitFlip-InsertRandomBytes-": the number of mutations, and their
 * names with each word's first letter large. CFZ_ENOMEM. */
int lf_news_lineage(const struct lineage *r, struct cfz_buf *out, struct cfz_error *err);

/*
 * lf_news_places prints a line for each of n program counters of w, as -print_pcs and -print_funcs
 * of f want them:
 *     	NEW_FUNC[1/2]: 0x55d0a8b1 in parse /p/parse.c:10
 *     	NEW_PC: 0x55d0a8c4 in parse /p/parse.c:12:9
 * With -fork the functions alone, "  NEW_FUNC: 0x...".
 */
void lf_news_places(const struct lf_flags *f, struct live_symbolizer *s, const struct worker *w,
                    const uint64_t *pcs, size_t n);

#endif
