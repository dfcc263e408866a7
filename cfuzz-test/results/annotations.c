/*
 * annotations.c - see annotations.h.
 */
#define _GNU_SOURCE
#include "results/annotations.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "results/result_list.h"
#include "results/result_place.h"

bool annotations_on(void)
{
    const char *actions = getenv("GITHUB_ACTIONS");

    return actions != NULL && strcmp(actions, "true") == 0;
}

void annotations_word(char word[ANNOTATIONS_WORD_MAX])
{
    uint64_t n[2];
    struct timespec now;

    if (getrandom(n, sizeof n, 0) !=
        (ssize_t)sizeof n) { /* it does not fail on any Linux of today */
        clock_gettime(CLOCK_REALTIME, &now);
        n[0] = (uint64_t)now.tv_nsec;
        n[1] = (uint64_t)getpid();
    }
    snprintf(word, ANNOTATIONS_WORD_MAX, "cfuzz%016" PRIx64 "%016" PRIx64, n[0], n[1]);
}

int annotations_stop(struct cfz_buf *out, const char *word, struct cfz_error *err)
{
    return cfz_buf_printf(out, err, "::stop-commands::%s\n", word);
}

int annotations_resume(struct cfz_buf *out, const char *word, struct cfz_error *err)
{
    return cfz_buf_printf(out, err, "::%s::\n", word);
}

/* Appends text as the runner reads it: in a property also ':' and ',' are escaped. */
static int escape(struct cfz_buf *out, const char *text, size_t len, bool property,
                  struct cfz_error *err)
{
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));

        if (special ? cfz_buf_printf(out, err, "%%%02X", (unsigned char)c) < 0
                    : cfz_buf_append(out, &c, 1, err) < 0)
            return -1;
    }
    return 0;
}

static int property(struct cfz_buf *out, const char *name, const char *value, struct cfz_error *err)
{
    return cfz_buf_printf(out, err, "%s=", name) < 0 ? -1
                                                     : escape(out, value, strlen(value), true, err);
}

int annotation(struct cfz_buf *out, const char *dir, const struct result *r, struct cfz_error *err)
{
    struct result_place at = {NULL, 0};
    char *root = result_root();
    const char *message;
    size_t len;
    int ret = -1;

    if (root == NULL)
        return cfz_fail_nomem(err);
    if (r->crash != NULL && result_place_find(dir, r->crash->line, root, &at, err) < 0)
        goto out;
    if (cfz_buf_puts(out, "::error ", err) < 0)
        goto out;
    if (at.file != NULL && (property(out, "file", at.file, err) < 0 ||
                            cfz_buf_printf(out, err, ",line=%u,", at.line) < 0))
        goto out;
    message = result_message(r, &len);
    if (property(out, "title", r->test, err) < 0 || cfz_buf_puts(out, "::", err) < 0 ||
        escape(out, message, len, false, err) < 0)
        goto out;
    if (r->crash != NULL && r->crash->command[0] != '\0' &&
        (cfz_buf_puts(out, "%0ATo re-run: ", err) < 0 ||
         escape(out, r->crash->command, strlen(r->crash->command), false, err) < 0))
        goto out;
    ret = cfz_buf_puts(out, "\n", err);
out:
    result_place_release(&at);
    free(root);
    return ret;
}
