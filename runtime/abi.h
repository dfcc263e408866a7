/*
 * abi.h - what the plugin emits and the runtime reads.
 *
 * This is one of cfuzz's four boundaries (source cfuzz.h, object code here, process
 * core/protocol.h, disk docs/corpus-format.md). It is read as C11 and as C++17. Any
 * change of a layout, a section, a symbol or an annotation below changes
 * CFUZZ_ABI; objects of another version are refused at start.
 *
 * Tests. FUZZ_TEST (without the plugin) or the plugin's RegistryPass emits one
 * struct cfuzz_test_desc (cfuzz.h) per test and per setup part, 8-aligned, in
 * section CFZ_SECTION_TESTS, under the external symbol CFZ_SYM_TEST or
 * CFZ_SYM_SETUP followed by the test's name: two tests of one name in a package
 * are a link error. The descriptor of a CFUZZ_DICT is static: the header defines it, and the plugin's
 * AST part puts it into that section.
 *
 * Coverage. Counters and PC table are LLVM's own SanitizerCoverage (sections
 * __sancov_cntrs, __sancov_pcs; announced by its constructors). Beside them the
 * CoveragePass gives each instrumented function
 *   - one byte in CFZ_SECTION_FLAGS, set to 1 on entry,
 *   - one struct cfz_func_rec in CFZ_SECTION_RECS, read-only, same index,
 * and each module a constructor that calls the weak cfuzz_module_init with the
 * bounds of both sections in its own linked image (once per translation unit,
 * with equal arguments; the runtime drops repetitions).
 *
 * Depth. A function that can call itself lowers CFZ_SYM_LOWEST_STACK to the address that its own return
 * address stands at, and each module with one calls the weak cfuzz_depth_init in a constructor.
 *
 * Comparisons. The TracePass gives each instrumented function that compares something a second
 * copy, "f.traced", with the same counters and the same flag, which calls the cfuzz_trace_* hooks.
 * f goes on in its copy while the byte CFZ_SYM_TRACING of its linked image is not 0; the copy calls
 * copies. Each comparison that an input may decide has one struct cfz_site in CFZ_SECTION_SITES, and a
 * constructor of each module that has any, called after the one above, calls the weak cfuzz_trace_init with
 * that byte and the bounds of the section.
 *
 * Parsers. The states of automata whose moves are in tables are told in __libfuzzer_extra_counters, a byte
 * each. Of a parser, which moves by words and not by bytes, CFZ_SECTION_PARSERS says where these are. Only the
 * program's own section is looked at.
 *
 * Strings. The short strings of a module's data that may be words of its inputs are in CFZ_SECTION_STRINGS,
 * and a constructor of each module that has any calls the weak cfuzz_strings_init.
 */
#ifndef CFZ_ABI_H
#define CFZ_ABI_H

#include "cfuzz.h"

#define CFZ_SECTION_TESTS "cfuzz_tests"
#define CFZ_SECTION_FLAGS "cfuzz_flags"
#define CFZ_SECTION_NORETURN "cfuzz_noreturn"
#define CFZ_SECTION_RECS "cfuzz_recs"
#define CFZ_SECTION_SITES "cfuzz_sites"
#define CFZ_SECTION_STRINGS "cfuzz_strings"
#define CFZ_SECTION_PARSERS "cfuzz_parsers"

#define CFZ_SYM_TEST "cfuzz_test_"
#define CFZ_SYM_SETUP "cfuzz_setup_desc_"
#define CFZ_SYM_THUNK "cfuzz_call_"         /* the thunk, internal linkage */
#define CFZ_SYM_MODULE_INIT "cfuzz_module_init"
#define CFZ_SYM_TRACING "cfuzz_tracing" /* weak and hidden: one byte per linked image */
#define CFZ_SYM_TRACE_INIT "cfuzz_trace_init"
#define CFZ_SYM_TRACE_NUMBER "cfuzz_trace_number"
#define CFZ_SYM_TRACE_SWITCH "cfuzz_trace_switch"
#define CFZ_SYM_TRACE_TEXT "cfuzz_trace_text"
#define CFZ_SYM_TRACE_CALL "cfuzz_trace_call"
#define CFZ_SYM_STRINGS_INIT "cfuzz_strings_init"
#define CFZ_SYM_DEPTH_INIT "cfuzz_depth_init"
#define CFZ_SYM_LOWEST_STACK "__sancov_lowest_stack" /* thread-local; LLVM's name */
#define CFZ_SUFFIX_TRACED ".traced"
#define CFZ_SYM_USER_MAIN "cfuzz_user_main" /* the package's own main, renamed in test builds */

/* annotate() strings of the header; the type list is the third operand of cfuzz.test. */
#define CFZ_ANNOTATION_TEST "cfuzz.test"
#define CFZ_ANNOTATION_VALUES "values" /* its fourth operand, of FUZZ_TEST_VALUES */
#define CFZ_ANNOTATION_SETUP "cfuzz.setup"
#define CFZ_ANNOTATION_DICT "cfuzz.dict" /* on the descriptor of CFUZZ_DICT */
/* The plugin's AST part adds this annotation to an annotated function, for its IR part. */
#define CFZ_ANNOTATION_LAYOUT "cfuzz.layout:"

enum cfz_desc_what {
    CFZ_DESC_TEST = 1,
    CFZ_DESC_SETUP = 2,
    CFZ_DESC_WORDS = 3, /* params points at struct cfuzz_word (cfuzz.h) */
    CFZ_DESC_VALUES = 4, /* a test without a cfuzz_t: FUZZ_TEST_VALUES */
};

/* The types of values. The numbers are ABI: kinds are only added. */
enum cfz_kind {
    CFZ_KIND_NONE = 0,
    CFZ_KIND_BYTES = 1, /* []byte: two C parameters */
    CFZ_KIND_STRING = 2,
    CFZ_KIND_BOOL = 3,
    CFZ_KIND_INT8 = 4,
    CFZ_KIND_INT16 = 5,
    CFZ_KIND_INT32 = 6, /* also rune */
    CFZ_KIND_INT64 = 7,
    CFZ_KIND_INT = 8,   /* held in 64 bits; a C int when bound to a test */
    CFZ_KIND_UINT8 = 9, /* also byte */
    CFZ_KIND_UINT16 = 10,
    CFZ_KIND_UINT32 = 11,
    CFZ_KIND_UINT64 = 12,
    CFZ_KIND_UINT = 13,
    CFZ_KIND_FLOAT32 = 14,
    CFZ_KIND_FLOAT64 = 15,
    CFZ_KIND_COUNT
};

/* One value of a test, as the plugin saw it. struct cfuzz_test_desc.params points at nparams of them. */
struct cfz_param_desc {
    uint32_t kind;      /* enum cfz_kind */
    uint32_t size;      /* bytes of the C parameter; for []byte, 8 */
    const char *name;   /* the C parameter's name, "" if it has none */
    uint32_t nchildren; /* 0; for aggregates to come */
    uint32_t reserved;  /* 0 */
    const struct cfz_param_desc *children; /* NULL */
};

/*
 * A thunk calls the test directly, and loads its arguments through args. args is
 * exactly the avalues array of an ffi_call of the same function, so one array, built
 * once, serves both. args[0] points to the cfuzz_t * (the thunk passes its own t
 * instead). Then there is one pointer per C parameter: two for []byte (to a const
 * uint8_t * and to a size_t), for a string one to a const char *. A test without a cfuzz_t
 * (CFZ_DESC_VALUES) has the same array; avalues is args + 1 then.
 */
typedef void cfz_thunk_fn(cfuzz_t *t, void *const *args);

/* Where the counters of the function with the same index in CFZ_SECTION_FLAGS are; in CFZ_SECTION_PARSERS,
 * where the states of a parser are. */
struct cfz_func_rec {
    int32_t counters; /* bytes from this field to the function's first counter */
    uint32_t n;       /* how many */
};

/* What is compared at a site. */
enum cfz_site_kind {
    CFZ_SITE_INT = 1,
    /* Of a long double of x87, 80 bits wide, operands are the first 64 bits. Where equality is asked, the
     * last 16 are the next site, an INT. */
    CFZ_SITE_FLOAT = 2,
    CFZ_SITE_SWITCH = 3,
    /* Text, by what the hook's arguments mean: a, b are NUL-terminated unless sizes are named. */
    CFZ_SITE_MEM = 4,           /* a[0..n) and b[0..n), m is not used: memcmp, bcmp */
    CFZ_SITE_STRING = 5,        /* strcmp */
    CFZ_SITE_STRING_N = 6,      /* at most n bytes of each: strncmp */
    CFZ_SITE_STRING_CASE = 7,   /* strcasecmp */
    CFZ_SITE_STRING_N_CASE = 8, /* strncasecmp */
    CFZ_SITE_FIND = 9,          /* b within a: strstr */
    CFZ_SITE_FIND_MEM = 10,     /* b[0..m) within a[0..n): memmem */
    CFZ_SITE_FIND_CASE = 11,    /* strcasestr */
    CFZ_SITE_FIND_BYTE = 12,    /* the byte m within a; b is not used: strchr */
    CFZ_SITE_FIND_BYTE_MEM = 13 /* the byte m within a[0..n): memchr */
};

/* How two numbers relate; a predicate is the set of the relations for which it holds. */
enum cfz_relation {
    CFZ_REL_EQUAL = 1,
    CFZ_REL_GREATER = 2,
    CFZ_REL_LESS = 4,
    CFZ_REL_UNORDERED = 8, /* a NaN */
};

enum cfz_site_flags {
    CFZ_SITE_SIGNED = 1,  /* INT, SWITCH: operands are sign-extended */
    CFZ_SITE_CONST_A = 2, /* this operand is a constant of the program */
    CFZ_SITE_CONST_B = 4,
    /* INT: the high half of numbers of 128 bits; the low half is the next site. */
    CFZ_SITE_HIGH = 8,
    /* INT, FLOAT: the program does not ask: holds if an index leaves its array, or if a number that
     * the C library read from text is not 0. */
    CFZ_SITE_UNASKED = 16,
    /* Not SWITCH: a counter of the site is not behind an outcome of this comparison alone, but
     * behind a condition of which the outcome is a part. What never returns has none: there it is
     * another address, the same for all parts of the condition. */
    CFZ_SITE_JOINED = 32,
    /* STRING: b is one of many texts that the program takes; made from a format of scanf. */
    CFZ_SITE_EXAMPLE = 64,
    /* INT: a is 0 for a pointer that is null, else 1, and b is 0. */
    CFZ_SITE_POINTER = 128,
};

/* One value of a switch. Cases are sorted by value, as unsigned numbers. */
struct cfz_case {
    uint64_t value;  /* extended as the operand is */
    int32_t counter; /* bytes from this field to the counter behind the case; 0: it has none */
    /* How many counters only this case reaches, or one of the same body; UINT16_MAX: or more. All
     * of them are open until one of these cases is met. */
    uint16_t behind;
    /* Index of the first case with the same body; its own if there is no other; UINT16_MAX: not
     * told. */
    uint16_t body;
};

/*
 * One comparison of the program. Only the last two fields change; they are the runtime's. A counter
 * is "behind" an outcome if it counts exactly the executions that go on there directly.
 */
struct cfz_site {
    uint8_t kind;      /* enum cfz_site_kind */
    uint8_t predicate; /* set of enum cfz_relation; 0 for SWITCH and text */
    uint8_t width;     /* in bits: INT 2..64, FLOAT 32, 64 or 80, SWITCH 2..64; else 0 */
    uint8_t flags;     /* set of enum cfz_site_flags */
    uint32_t ncases;   /* SWITCH: at least 1; else 0 */
    const struct cfz_case *cases;
    const char *file; /* as the compiler was given it, or "" */
    uint32_t line, column; /* 0: not known */
    int32_t counter_true;  /* bytes from this field to the counter behind "the predicate holds" (text:
                            * equal, found; SWITCH: not used); 0: it has none of its own */
    int32_t counter_false; /* the same, behind "does not hold"; SWITCH: behind default */
    uint32_t behind_true;  /* how many counters no execution reaches in which the predicate never
                            * holds: all of them are open until then; SWITCH: not used */
    uint32_t behind_false; /* the same, of "does not hold"; SWITCH: of default */
    uint32_t id;           /* 0 in the object */
    uint32_t hits;         /* 0 in the object */
};

#ifdef __cplusplus
extern "C" {
#endif
/* cfuzz_trace_init announces the sites of a module, and the byte that turns tracing on. Context: as
 * cfuzz_module_init. */
void cfuzz_trace_init(uint32_t abi, uint8_t *tracing, struct cfz_site *sites,
                      struct cfz_site *sites_end);
/*
 * The hooks. Copies call them before a number is compared (a float as its bits in the low part of
 * 64), and after text was compared, so that a sanitizer reports first. A switch is a hook before it.
 * Context: target, any thread.
 */
void cfuzz_trace_number(struct cfz_site *site, uint64_t a, uint64_t b);
void cfuzz_trace_switch(struct cfz_site *site, uint64_t value);
void cfuzz_trace_text(struct cfz_site *site, const void *a, uint64_t n, const void *b, uint64_t m);
/* The hook behind a call through a pointer, which may have been one of strncmp and its like: count
 * sites from first on are one for each kind of text that the prototype allows. */
void cfuzz_trace_call(struct cfz_site *first, uint64_t count, const void *callee, const void *a,
                      const void *b, uint64_t n);

/*
 * cfuzz_strings_init announces the strings of a linked image that may be words of its inputs: each
 * is its length in a byte, at least 2, and as many bytes. Zeros between them are padding. Context: as
 * cfuzz_module_init.
 */
void cfuzz_strings_init(uint32_t abi, const uint8_t *start, const uint8_t *end);

/* cfuzz_depth_init says that functions tell how deep they are. Context: as cfuzz_module_init. */
void cfuzz_depth_init(uint32_t abi);

/* cfuzz_module_init announces the functions of a module. Context: any (constructors of the program
 * and of its shared libraries). */
void cfuzz_module_init(uint32_t abi, uint8_t *flags, uint8_t *flags_end,
                       const struct cfz_func_rec *recs, const struct cfz_func_rec *recs_end);
#ifdef __cplusplus
}
#endif

#endif
