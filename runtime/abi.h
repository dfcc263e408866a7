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
 * are a link error.
 *
 * Coverage. Counters and PC table are LLVM's own SanitizerCoverage (sections
 * __sancov_cntrs, __sancov_pcs; announced by its constructors). Beside them the
 * CoveragePass gives each instrumented function
 *   - one byte in CFZ_SECTION_FLAGS, set to 1 on entry,
 *   - one struct cfz_func_rec in CFZ_SECTION_RECS, read-only, same index,
 * and each module a constructor that calls the weak cfuzz_module_init with the
 * bounds of both sections in its own linked image (once per translation unit,
 * with equal arguments; the runtime drops repetitions).
 */
#ifndef CFZ_ABI_H
#define CFZ_ABI_H

#include "cfuzz.h"

#define CFZ_SECTION_TESTS "cfuzz_tests"
#define CFZ_SECTION_FLAGS "cfuzz_flags"
#define CFZ_SECTION_NORETURN "cfuzz_noreturn"
#define CFZ_SECTION_RECS "cfuzz_recs"

#define CFZ_SYM_TEST "cfuzz_test_"
#define CFZ_SYM_SETUP "cfuzz_setup_desc_"
#define CFZ_SYM_THUNK "cfuzz_call_"         /* the thunk, internal linkage */
#define CFZ_SYM_MODULE_INIT "cfuzz_module_init"
#define CFZ_SYM_USER_MAIN "cfuzz_user_main" /* the package's own main, renamed in test builds */

/* annotate() strings of the header; the type list is the third operand of cfuzz.test. */
#define CFZ_ANNOTATION_TEST "cfuzz.test"
#define CFZ_ANNOTATION_SETUP "cfuzz.setup"
/* The plugin's AST part adds this annotation to an annotated function, for its IR part. */
#define CFZ_ANNOTATION_LAYOUT "cfuzz.layout:"

enum cfz_desc_what {
    CFZ_DESC_TEST = 1,
    CFZ_DESC_SETUP = 2,
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
 * uint8_t * and to a size_t), for a string one to a const char *.
 */
typedef void cfz_thunk_fn(cfuzz_t *t, void *const *args);

/* Where the counters of the function with the same index in CFZ_SECTION_FLAGS are. */
struct cfz_func_rec {
    int32_t counters; /* bytes from this field to the function's first counter */
    uint32_t n;       /* how many */
};

#ifdef __cplusplus
extern "C" {
#endif
/* cfuzz_module_init announces the functions of a module. Context: any (constructors of the program
 * and of its shared libraries). */
void cfuzz_module_init(uint32_t abi, uint8_t *flags, uint8_t *flags_end,
                       const struct cfz_func_rec *recs, const struct cfz_func_rec *recs_end);
#ifdef __cplusplus
}
#endif

#endif
