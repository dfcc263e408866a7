/*
 * crash_file.h - the file of a failing input: saving it, and the lines that say where it is and how
 * to run it again. Context: ordinary.
 */
#ifndef CRASH_FILE_H
#define CRASH_FILE_H

#include "core/buf.h"
#include "core/value.h"
#include "process/origin_client.h"

/*
 * crash_file_save writes input into the seed directory of test, safely on disk. name gets the
 * file's name. *made tells that the file was not there before. Errors are those of cfz_corpus_save,
 * with paths relative to the package.
 */
int crash_file_save(const struct origin *o, const char *test, const struct cfz_values *input,
                    char name[17], bool *made, struct cfz_error *err);

/* crash_file_exists tells whether a file that crash_file_save wrote is still there: what is tested
 * may have removed it. */
bool crash_file_exists(const struct origin *o, const char *test, const char name[17]);

/* crash_file_remove removes a file that crash_file_save made. One that cannot be removed stays: it
 * is a failing input all the same. */
void crash_file_remove(const struct origin *o, const char *test, const char name[17]);

/*
 * crash_file_tell appends the lines that tell of a file that was saved:
 *     Failing input written to testdata/corpus/FuzzX/582528ddfad69eb5
 *     To re-run:
 *     cfuzz-test -run=FuzzX/582528ddfad69eb5
 * The command has every flag of this run that decides whether the input fails. CFZ_ENOMEM.
 */
int crash_file_tell(const struct origin *o, const char *test, const char *name, struct cfz_buf *out,
                    struct cfz_error *err);

/* crash_file_command appends that command alone. name may also be that of a seed: "seed#0".
 * CFZ_ENOMEM. */
int crash_file_command(const struct origin *o, const char *test, const char *name,
                       struct cfz_buf *out, struct cfz_error *err);

/* crash_file_print appends the whole text of an input that could not be written, for the reason
 * why, so that it is not lost. CFZ_ENOMEM. */
int crash_file_print(const char *test, const struct cfz_values *input, const char *why,
                     struct cfz_buf *out, struct cfz_error *err);

#endif
