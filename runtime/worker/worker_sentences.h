/*
 * worker_sentences.h - turns in which texts are continued word by word (solver/sentences.h), where
 * the program tells the states of a parser that has its moves in tables.
 */
#ifndef CFZ_WORKER_SENTENCES_H
#define CFZ_WORKER_SENTENCES_H

#include "worker/worker.h"

/*
 * cfz_worker_sentences may take such a turn: one prefix is continued by all words; where none
 * waits, the prefixes of an entry are taken. It leaves another input in w->cur, counts what it
 * executes in shm->mutated, and ends when the command's limit is reached. Returns FAIL if the test
 * failed on what is in the slots. Context: ordinary.
 */
enum cfz_verdict cfz_worker_sentences(struct cfz_worker *w);

#endif
