/*
 * duration.h - lengths of time as Go writes them: "1h30m", "1.5s", "-2ms", "0".
 */
#ifndef DURATION_H
#define DURATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * duration_parse reads an optional sign and one or more decimal numbers, each
 * with an optional fraction and a unit: ns us µs ms s m h; or "0". Digits below
 * a nanosecond are cut. Reports whether text is one that fits; *ns is untouched
 * otherwise.
 */
bool duration_parse(const char *text, int64_t *ns);

#define DURATION_TEXT_MAX 40

/*
 * duration_format writes ns in the same form, with the largest units that are
 * not zero: "1h0m0s", "59s", "1.5ms", "0s". Returns text.
 */
const char *duration_format(int64_t ns, char text[DURATION_TEXT_MAX]);

#endif
