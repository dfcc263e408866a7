/*
 * types.h - the types of values: names, C spellings, sizes; and type lists.
 *
 * Everything else decides by a kind's row of the table, mostly by family and width. docs/hacking.md
 * says how to add a kind.
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

/* What kinds have in common that differ in width alone. */
enum cfz_family {
    CFZ_FAMILY_NONE, /* not a kind */
    CFZ_FAMILY_BYTES,
    CFZ_FAMILY_STRING,
    CFZ_FAMILY_BOOL,
    CFZ_FAMILY_SIGNED,
    CFZ_FAMILY_UNSIGNED,
    CFZ_FAMILY_FLOAT,
    CFZ_FAMILY_COUNT
};

/*
 * The table of kinds, ROW(kind, name, char_name, c_name, family, width, c_width):
 *
 * kind       the enumerator, without CFZ_KIND_
 * name       Go's, as corpus files and lists spell it
 * char_name  Go's other name, under which corpus files have a number as a character; or NULL
 * c_name     how the C parameter is best written
 * family     what it is, without CFZ_FAMILY_
 * width      bits of the number in corpus files; 0 for data
 * c_width    bits of the C parameter; for data, of its pointer
 *
 * The array cfz_kinds holds its rows. Code that runs per execution makes its own table of them when
 * it is compiled (search/mutator.c).
 */
/* clang-format off */
#define CFZ_KINDS(ROW)                                                   \
    ROW(BYTES,   "[]byte",  NULL,   "const uint8_t *", BYTES,     0, 64) \
    ROW(STRING,  "string",  NULL,   "const char *",    STRING,    0, 64) \
    ROW(BOOL,    "bool",    NULL,   "bool",            BOOL,      1,  8) \
    ROW(INT8,    "int8",    NULL,   "int8_t",          SIGNED,    8,  8) \
    ROW(INT16,   "int16",   NULL,   "int16_t",         SIGNED,   16, 16) \
    ROW(INT32,   "int32",   "rune", "int32_t",         SIGNED,   32, 32) \
    ROW(INT64,   "int64",   NULL,   "int64_t",         SIGNED,   64, 64) \
    ROW(INT,     "int",     NULL,   "int",             SIGNED,   64, 32) \
    ROW(UINT8,   "uint8",   "byte", "uint8_t",         UNSIGNED,  8,  8) \
    ROW(UINT16,  "uint16",  NULL,   "uint16_t",        UNSIGNED, 16, 16) \
    ROW(UINT32,  "uint32",  NULL,   "uint32_t",        UNSIGNED, 32, 32) \
    ROW(UINT64,  "uint64",  NULL,   "uint64_t",        UNSIGNED, 64, 64) \
    ROW(UINT,    "uint",    NULL,   "unsigned",        UNSIGNED, 64, 32) \
    ROW(FLOAT32, "float32", NULL,   "float",           FLOAT,    32, 32) \
    ROW(FLOAT64, "float64", NULL,   "double",          FLOAT,    64, 64)
/* clang-format on */

/* A row, as the columns above. */
struct cfz_kind_row {
    const char *name, *char_name, *c_name;
    enum cfz_family family;
    unsigned width, c_width;
};

/* Indexed by enum cfz_kind. The row of CFZ_KIND_NONE, "invalid", stands for all that is not a
 * kind. */
extern const struct cfz_kind_row cfz_kinds[CFZ_KIND_COUNT];

/* cfz_kind_row returns the row of a kind, or that of CFZ_KIND_NONE. Context: any, as of all below
 * that reads the table. */
static inline const struct cfz_kind_row *cfz_kind_row(enum cfz_kind kind)
{
    return &cfz_kinds[(unsigned)kind < CFZ_KIND_COUNT ? kind : CFZ_KIND_NONE];
}

/* cfz_kind_is reports whether a kind is of a family and, unless width is 0, of a width. For a
 * constant family the compiler makes a comparison or two of it, without the array. */
static inline bool cfz_kind_is(enum cfz_kind kind, enum cfz_family family, unsigned width)
{
#define CFZ_ROW_IS(kind_, name, char_name, c_name, family_, width_, c_width)                       \
    (kind == CFZ_KIND_##kind_ && family == CFZ_FAMILY_##family_ && (!width || width == (width_))) ||
    return CFZ_KINDS(CFZ_ROW_IS) false;
#undef CFZ_ROW_IS
}

static inline enum cfz_family cfz_kind_family(enum cfz_kind kind)
{
    return cfz_kind_row(kind)->family;
}
static inline unsigned cfz_kind_width(enum cfz_kind kind)
{
    return cfz_kind_row(kind)->width;
}
static inline unsigned cfz_kind_c_width(enum cfz_kind kind)
{
    return cfz_kind_row(kind)->c_width;
}
static inline bool cfz_kind_is_bytes(enum cfz_kind kind) /* two C parameters */
{
    return cfz_kind_is(kind, CFZ_FAMILY_BYTES, 0);
}
static inline bool cfz_kind_is_string(enum cfz_kind kind) /* ends with a NUL, has none inside */
{
    return cfz_kind_is(kind, CFZ_FAMILY_STRING, 0);
}
static inline bool cfz_kind_is_slot(enum cfz_kind kind) /* both: data in a slot */
{
    return cfz_kind_is_bytes(kind) || cfz_kind_is_string(kind);
}
static inline bool cfz_kind_is_signed(enum cfz_kind kind) /* int8..int64, int */
{
    return cfz_kind_is(kind, CFZ_FAMILY_SIGNED, 0);
}
static inline bool cfz_kind_is_unsigned(enum cfz_kind kind) /* uint8..uint64, uint */
{
    return cfz_kind_is(kind, CFZ_FAMILY_UNSIGNED, 0);
}
static inline bool cfz_kind_is_float(enum cfz_kind kind)
{
    return cfz_kind_is(kind, CFZ_FAMILY_FLOAT, 0);
}

/* cfz_kind_name returns the name of a kind, a static string; "invalid" for anything else. */
static inline const char *cfz_kind_name(enum cfz_kind kind)
{
    return cfz_kind_row(kind)->name;
}

/* cfz_kind_go_name returns the name in Go's own messages: "[]uint8" for []byte, otherwise the
 * same. */
const char *cfz_kind_go_name(enum cfz_kind kind);

/* cfz_kind_word returns Go's word number i for a type list, in the order of FUZZ_TEST's
 * documentation; NULL after the last. */
const char *cfz_kind_word(size_t i);

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
