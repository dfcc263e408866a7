/*
 * symbolizer.c - see symbolizer.h.
 */
#define _GNU_SOURCE
#include "stack/symbolizer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/subprocess.h"
#include "base/symtab.h"
#include "stack/debug_info.h"

/* ---- what was answered before ------------------------------------------------------- */

enum { KEPT_MAX = 4096 }; /* answers; guessed: those of some hundred distinct crashes */

static struct kept {
    char *program, *question, *answer; /* the answer with the empty line that ends it */
} kept[KEPT_MAX];
static size_t nkept;

static const char *find_kept(const char *program, const char *question)
{
    for (size_t i = 0; i < nkept; i++) {
        if (strcmp(kept[i].question, question) == 0 && strcmp(kept[i].program, program) == 0)
            return kept[i].answer;
    }
    return NULL;
}

static void keep_one(const char *program, const char *question, const char *answer, size_t len)
{
    struct kept k = {strdup(program), strdup(question), strndup(answer, len)};

    if (nkept == KEPT_MAX || k.program == NULL || k.question == NULL || k.answer == NULL) {
        free(k.program);
        free(k.question);
        free(k.answer);
        return;
    }
    kept[nkept++] = k;
}

/* Keeps the parts of an answer, one for each question; nothing if there are not as many. */
static void keep(const char *program, const struct strlist *questions, const char *answer)
{
    size_t parts = 0;

    for (const char *at = strstr(answer, "\n\n"); at != NULL; at = strstr(at + 2, "\n\n"))
        parts++;
    for (size_t i = 0; i < questions->n && parts == questions->n; i++) {
        const char *end = strstr(answer, "\n\n") + 2;

        keep_one(program, questions->v[i], answer, (size_t)(end - answer));
        answer = end;
    }
}

/* ---- asking --------------------------------------------------------------------------- */

/* Keeps what the debug information alone answers of questions, "\"file\" 0x12". */
static void look_up(const char *program, const struct strlist *questions)
{
    struct debug_info d = {0};
    struct cfz_buf answer = CFZ_BUF_INIT;

    for (size_t i = 0; i < questions->n; i++) {
        const char *question = questions->v[i], *end = strstr(question, "\" 0x");
        char *path;

        if (question[0] != '"' || end == NULL || find_kept(program, question) != NULL)
            continue;
        path = strndup(question + 1, (size_t)(end - question - 1));
        cfz_buf_truncate(&answer, 0);
        if (path != NULL && debug_info_answer(&d, path, strtoull(end + 2, NULL, 16), &answer))
            keep_one(program, question, cfz_buf_str(&answer), answer.len);
        free(path);
    }
    cfz_buf_release(&answer);
    debug_info_release(&d);
}

/* Runs program once; its answer has a part for each question. */
static int run(const char *program, const struct strlist *questions, struct cfz_buf *answer,
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

int symbolizer_ask(const char *program, const struct strlist *questions, struct cfz_buf *answer,
                   struct cfz_error *err)
{
    struct strlist unknown = STRLIST_INIT;
    struct cfz_buf fresh = CFZ_BUF_INIT;
    const char *at, *end;
    int ret = 0;

    look_up(program, questions);
    for (size_t i = 0; i < questions->n && ret == 0; i++) {
        if (find_kept(program, questions->v[i]) == NULL)
            ret = strlist_add(&unknown, questions->v[i], err);
    }
    if (ret == 0 && unknown.n > 0)
        ret = run(program, &unknown, &fresh, err);
    at = cfz_buf_str(&fresh);
    if (ret == 0 && unknown.n == questions->n) /* as it is, whatever its parts are */
        ret = cfz_buf_append(answer, fresh.data, fresh.len, err);
    for (size_t i = 0; i < questions->n && ret == 0 && unknown.n < questions->n; i++) {
        const char *before = find_kept(program, questions->v[i]);

        if (before != NULL) {
            ret = cfz_buf_printf(answer, err, "%s", before);
            continue;
        }
        end = strstr(at, "\n\n");
        end = end != NULL ? end + 2 : at + strlen(at);
        ret = cfz_buf_printf(answer, err, "%.*s", (int)(end - at), at);
        at = end;
    }
    if (ret == 0)
        keep(program, &unknown, cfz_buf_str(&fresh));
    cfz_buf_release(&fresh);
    strlist_release(&unknown);
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
