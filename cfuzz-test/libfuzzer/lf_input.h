/*
 * lf_input.h - files of raw bytes, as libFuzzer's corpora have them, and the values that they are
 * for a test (core/corpus/flat.h). Context: ordinary.
 */
#ifndef LF_INPUT_H
#define LF_INPUT_H

#include <stdbool.h>

#include "core/buf.h"
#include "process/origin_client.h"

struct lf_file {
    char *path;
    uint64_t size;
};

struct lf_files {
    struct lf_file *v;
    size_t n, cap;
};

#define LF_FILES_INIT                                                                              \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

void lf_files_release(struct lf_files *f);

/* lf_is_file and lf_is_directory report what path is; false where nothing is. */
bool lf_is_file(const char *path);
bool lf_is_directory(const char *path);

/* lf_files_add appends one file. lf_files_list appends the regular files below the directory path,
 * by name; what cannot be looked into, empty files (as libFuzzer does), and names that begin with '.',
 * are passed over. CFZ_ENOMEM.
 */
int lf_files_add(struct lf_files *f, const char *path, struct cfz_error *err);
int lf_files_list(struct lf_files *f, const char *path, struct cfz_error *err);

/* lf_files_sort orders by size, then by path, from number first on. */
void lf_files_sort(struct lf_files *f, size_t first);

/* lf_input_read reads the file at path into bytes, at most CFZ_SLOT_SIZE of them. CFZ_EIO,
 * CFZ_EFORMAT. */
int lf_input_read(const char *path, struct cfz_buf *bytes, struct cfz_error *err);

/* lf_input_values makes vs, which the caller initialised, what bytes are for test t. CFZ_ENOMEM. */
int lf_input_values(const struct origin_test *t, const struct cfz_buf *bytes, struct cfz_values *vs,
                    struct cfz_error *err);

#define LF_NAME_MAX 41

/* lf_input_name writes the name that libFuzzer gives content: the SHA-1 of it in hex digits. */
void lf_input_name(const void *bytes, size_t len, char name[LF_NAME_MAX]);

#endif
