/*
 * crash_result.c - see crash_result.h.
 */
#include "crash/crash_result.h"

#include "crash/crash_file.h"
#include "process/seeds.h"

int crash_result_make(struct crash_result *r, const struct crash_signature *sig,
                      const struct origin *o, const char *test, const char *input, bool is_file,
                      struct cfz_error *err)
{
    *r = (struct crash_result){.file = CFZ_BUF_INIT, .command = CFZ_BUF_INIT};
    if (input[0] != '\0' && is_file &&
        cfz_buf_printf(&r->file, err, SEED_DIR "/%s/%s", test, input) < 0)
        return -1;
    if (input[0] != '\0' && crash_file_command(o, test, input, &r->command, err) < 0)
        return -1;
    r->crash = (struct result_crash){.kind = sig->kind,
                                     .where = sig->where,
                                     .line = sig->line,
                                     .function = sig->function,
                                     .identity = crash_identity(sig, o->bin->pkg->dir, r->identity),
                                     .file = cfz_buf_str(&r->file),
                                     .command = cfz_buf_str(&r->command)};
    return 0;
}

void crash_result_release(struct crash_result *r)
{
    cfz_buf_release(&r->file);
    cfz_buf_release(&r->command);
}
