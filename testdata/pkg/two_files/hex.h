#include <stddef.h>
#include <stdint.h>

/* Writes 2 * len digits and a NUL. */
void hex_encode(const uint8_t *data, size_t len, char *out);
/* Returns the number of bytes, or -1 for text that is not hexadecimal. */
long hex_decode(const char *text, uint8_t *out);
