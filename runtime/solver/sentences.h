/*
 * sentences.h - texts for a parser that has its moves in tables are continued word by word.
 *
 * A parser that bison, byacc or Lemon made, and many written by hand, look up in a table whether a
 * word may stand where it stands: no comparison tells which one would be right, no edge is another
 * one for it, and a sentence with one wrong word is as good as any other. What is told is which
 * states it came to (plugin/TableStates.cpp). So a text is cut behind one of its words, a prefix;
 * and a prefix that comes to a set of states that none came to before is continued by each word of
 * the table of words, by each sign, by a name and by a number, once. Of these, what comes to a set
 * of its own is a prefix to be continued in its turn, with or without new coverage: the words that
 * may follow each other are found like the ways of a maze, breadth first from where coverage was
 * new. docs/decisions/179.
 *
 * A text may be a whole value. Amid other bytes it keeps its length: behind the prefix are blanks.
 *
 * All decisions are made from counts, so that a run repeats.
 */
#ifndef CFZ_SENTENCES_H
#define CFZ_SENTENCES_H

#include "search/search.h"

enum {
    CFZ_PREFIXES = 1024,         /* that wait, at most; the last in order make room */
    CFZ_PREFIX_BYTES = 2048,     /* of all values; larger inputs have none */
    CFZ_PREFIX_SETS = 1 << 16,   /* sets of states that are known; a power of two */
    CFZ_SENTENCE_WORDS = 1 << 11 /* words that are tried, the shortest first */
};

/* cfz_sentences_map makes the memory for that, 3 MiB of which what is used is touched, in each
 * process that it is called in. CFZ_EIO. Context: ordinary. */
int cfz_sentences_map(struct cfz_error *err);

/*
 * cfz_sentences_entry takes the prefixes of an entry, which is s->cur, that end behind where it
 * began to differ from the one it was made of (s->from), and of texts behind that; 256 at most.
 * s->tells is set. Context: target.
 */
void cfz_sentences_entry(struct cfz_search *s);

/* cfz_sentences_waiting returns the work of executing the prefix that is continued next, as it was
 * in s->work when it was found; 0 if none waits. Context: any. */
uint64_t cfz_sentences_waiting(void);

/*
 * cfz_sentences_continue continues that prefix, with some forty signs and up to
 * CFZ_SENTENCE_WORDS words, an execution each; with two executions where nothing that stands behind
 * it is read. s->tells is set. Context: target.
 */
void cfz_sentences_continue(struct cfz_search *s);

#endif
