/*
 * source_text.h - what the text of a C or C++ source shows without being compiled.
 *
 * Pure. Context: ordinary.
 */
#ifndef SOURCE_TEXT_H
#define SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * source_defines reports whether text[0..len) has a definition of function: the word and parameters,
 * behind which a body begins, outside of comments and quotes. What macros make is not seen, and a
 * part that #if leaves out is.
 */
bool source_defines(const char *text, size_t len, const char *function);

/*
 * source_test_line returns the line, from 1, on which "FUZZ_TEST(<name>" or
 * "FUZZ_TEST_VALUES(<name>" stands in text[0..len), outside of comments and quotes; 0 if it does not.
 */
size_t source_test_line(const char *text, size_t len, const char *name);

/*
 * source_function_line returns the line, from 1, on which the first definition of the function name
 * stands in text[0..len): the word and parameters, behind which a body begins, with at most
 * attributes between; 0 if there is none. What is seen is as in source_defines.
 */
size_t source_function_line(const char *text, size_t len, const char *name);

#endif
