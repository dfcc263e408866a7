/*
 * crash_identity.h - an identity of a crash that lasts: for files that are kept, and for other
 * programs.
 *
 * A signature (crash_signature.h) says which crash it is within a run. From one version of the
 * sources to the next its line numbers move. An identity has in place of a line's number its text,
 * without blanks at the ends, and how many lines of the same text stand above it in the file. So it
 * changes with the line, and not with what stands elsewhere. Context: ordinary.
 */
#ifndef CRASH_IDENTITY_H
#define CRASH_IDENTITY_H

#include "crash/crash_signature.h"

enum { CRASH_IDENTITY_MAX = 17 };

/* crash_identity writes the identity of sig to text: 16 hexadecimal digits. dir is that of the
 * package, to which the signature's lines are relative; of a file that cannot be read the number
 * counts. Returns text.
 */
const char *crash_identity(const struct crash_signature *sig, const char *dir,
                           char text[CRASH_IDENTITY_MAX]);

/* crash_identity_is reports whether text[0..len) could be one. */
bool crash_identity_is(const char *text, size_t len);

#endif
