/*
 * types.h - the types of values: names, C spellings, sizes; and type lists.
 *
 * Pure. It is compiled into the plugin, too, so that header, runtime and plugin agree on every
 * spelling.
 */
#ifndef CFZ_TYPES_H
#define CFZ_TYPES_H

#include "abi.h"
#include "core/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CFZ_VALUES_MAX = 64 }; /* values of one test; guessed: far above any real test */

/*
 * cfz_kind_name returns the Go name of a type as corpus files and lists spell it: "[]byte",
 * "string", "int32", "uint8". cfz_kind_go_name returns the name in Go's own messages: "[]uint8" for
 * []byte, otherwise the same. Both return static strings, "invalid" for anything else. Context:
 * any.
 */
const char *cfz_kind_name(enum cfz_kind kind);
const char *cfz_kind_go_name(enum cfz_kind kind);

/* cfz_kind_size returns the bytes of the C parameter: 4 for int, 8 for a pointer. */
unsigned cfz_kind_size(enum cfz_kind kind);

/* Context: any. */
bool cfz_kind_is_signed(enum cfz_kind kind);   /* int8..int64, int */
bool cfz_kind_is_unsigned(enum cfz_kind kind); /* uint8..uint64, uint */
bool cfz_kind_is_float(enum cfz_kind kind);
bool cfz_kind_is_slot(enum cfz_kind kind); /* []byte, string */

/*
 * cfz_kind_of_word returns the kind of one entry of a type list: a Go name (byte and rune
 * included) or a C spelling ("size_t", "unsigned long", "const char *"). Blanks around and between
 * words do not matter. CFZ_KIND_NONE if it is not a type.
 */
enum cfz_kind cfz_kind_of_word(const char *word, size_t len);

/*
 * cfz_types_parse reads a type list as FUZZ_TEST stringised it: "[]byte, int". It stores up to
 * CFZ_VALUES_MAX kinds and their number. CFZ_EFORMAT if an entry is not a type ("type 2: uint7 is
 * not a type of values"), if the list is empty, or if it is too long.
 */
int cfz_types_parse(const char *types, enum cfz_kind kinds[CFZ_VALUES_MAX], size_t *n,
                    struct cfz_error *err);

#ifdef __cplusplus
}
#endif
#endif
