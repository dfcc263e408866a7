/*
 * parser_states.h - which states the parsers of the program came to that have their moves in
 * tables.
 *
 * The plugin has each told as a byte (plugin/TableStates.cpp), and says in a section where those of
 * parsers are (abi.h). Only the program's own are looked at, and not those of shared libraries.
 */
#ifndef CFZ_PARSER_STATES_H
#define CFZ_PARSER_STATES_H

#include <stdbool.h>
#include <stdint.h>

/* cfz_parser_states_any reports whether the program has such a parser. Context: any. */
bool cfz_parser_states_any(void);

/* cfz_parser_states returns a hash of which states were told since counters were last collected:
 * the sum of one each, 0 if none was. Context: target. */
uint64_t cfz_parser_states(void);

#endif
