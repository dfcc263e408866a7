/*
 * symbolizer.c - see symbolizer.h.
 */
#include "stack/symbolizer.h"

#include <string.h>
#include <sys/wait.h>

#include "base/subprocess.h"
#include "base/symtab.h"

int symbolizer_ask(const char *program, const struct strlist *questions, struct cfz_buf *answer,
                   struct cfz_error *err)
{
    struct strlist argv = STRLIST_INIT;
    struct cfz_buf noise = CFZ_BUF_INIT;
    struct subprocess p = {.out = answer, .err = &noise};
    int status, ret = -1;

    if (strlist_add(&argv, program, err) < 0 ||
        strlist_add(&argv, "--output-style=LLVM", err) < 0 ||
        strlist_add_all(&argv, questions, err) < 0)
        goto out;
    p.argv = (const char *const *)argv.v;
    if (subprocess_run(&p, &status, err) < 0)
        goto out;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        cfz_fail(err, CFZ_EIO, "%s: failed", program);
        goto out;
    }
    ret = 0;
out:
    cfz_buf_release(&noise);
    strlist_release(&argv);
    return ret;
}

bool symbolizer_next(struct symbolizer_walk *w, struct symbolizer_frame *f)
{
    const char *at = w->at, *end;
    uint32_t address = w->address;

    if (*at == '\n') { /* an empty line ends the frames of an address */
        at += strspn(at, "\n");
        address++;
    }
    end = at + strcspn(at, "\n");
    if (*end == '\0')
        return false;
    f->address = address;
    f->function = at;
    f->function_len = symtab_plain_len(at, (size_t)(end - at));
    f->place = end + 1;
    f->place_len = strcspn(f->place, "\n");
    end = f->place + f->place_len;
    *w = (struct symbolizer_walk){*end == '\n' ? end + 1 : end, address};
    if (f->place_len >= 2 && memcmp(f->place, "??", 2) == 0)
        f->place_len = 0;
    return true;
}
