/*
 * debug.h - what CFUZZDEBUG asks for; its keys are listed in docs/hacking.md.
 */
#ifndef DEBUG_H
#define DEBUG_H

#include <stdbool.h>

/* debug_value returns the number that key has in text, "key=value,..."; 0 if it is not there, or
 * text is NULL. Pure. */
long debug_value(const char *text, const char *key);

/* debug_fuzz: CFUZZDEBUG=fuzz=1, a line for each decision of the coordinator. */
bool debug_fuzz(void);

/* debug_signature: CFUZZDEBUG=signature=1, what each crash signature is made of. */
bool debug_signature(void);

/* debug_mutations: CFUZZDEBUG=mutations=1, how often each mutation was used, and what it brought. */
bool debug_mutations(void);

/* debug_line prints "<time> DEBUG <text>" as report_line does. Callers ask debug_fuzz first. */
void debug_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
