/*
 * registry.h - the fuzz tests of this program, which the linker collected.
 */
#ifndef CFZ_REGISTRY_H
#define CFZ_REGISTRY_H

#include "abi.h"
#include "core/error.h"
#include "core/types.h"

/* One fuzz test and its setup part. */
struct cfz_test {
    const struct cfuzz_test_desc *desc;
    const struct cfuzz_test_desc *setup; /* or NULL */
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    size_t n;        /* values */
    unsigned nslots; /* of these, []byte and string */
};

/*
 * cfz_registry_add adds a test that is not in the section, and its setup part or NULL. Its name may
 * be any. Both are borrowed for the life of the process. There is room for one. Context: ordinary,
 * before cfz_registry_load.
 */
void cfz_registry_add(const struct cfuzz_test_desc *test, const struct cfuzz_test_desc *setup);

/*
 * cfz_registry_load finds all tests, checks them and sorts them by file and line. *tests is owned
 * by the registry; it stays valid and the same for the life of the process. Fails with CFZ_ENOMEM,
 * or with CFZ_EFORMAT: an object of another ABI, a name that is not one of a fuzz test, two tests
 * of one name, a setup part without a test, a bad type list. Context: ordinary.
 */
int cfz_registry_load(const struct cfz_test **tests, size_t *n, struct cfz_error *err);

/* cfz_registry_words calls fn for each word that CFUZZ_DICT gives test. Words stay valid for the life
 * of the process. Context: ordinary. */
void cfz_registry_words(const struct cfz_test *test,
                        void (*fn)(void *ctx, const void *word, size_t len), void *ctx);

#endif
