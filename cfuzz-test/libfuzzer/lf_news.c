/*
 * lf_news.c - see lf_news.h.
 */
#include "libfuzzer/lf_news.h"

#include <ctype.h>
#include <string.h>

#include "cli/report.h"
#include "stack/modules.h"
#include "stack/symbolizer.h"

int lf_news_lineage(const struct lineage *r, struct cfz_buf *out, struct cfz_error *err)
{
    int ret = cfz_buf_printf(out, err, "MS: %u ", r->n);

    for (unsigned i = 0; i < r->n && ret == 0; i++) {
        bool first = true; /* of a word */

        for (const char *at = r->names[i]; *at != '\0' && ret == 0; at++) {
            char c = *at;

            if (isalnum((unsigned char)c))
                ret = cfz_buf_printf(out, err, "%c", first ? toupper((unsigned char)c) : c);
            first = !isalnum((unsigned char)c);
        }
        if (ret == 0)
            ret = cfz_buf_puts(out, "-", err);
    }
    return ret;
}

/* Appends "in parse /p/parse.c:10:3" of the first frame of the answer. False if it says nothing. */
static bool add_symbol(const char *answer, struct cfz_buf *out)
{
    struct symbolizer_walk w = {.at = answer};
    struct symbolizer_frame f;
    size_t len;

    if (!symbolizer_next(&w, &f) || f.place_len == 0 || memcmp(f.function, "??", 2) == 0)
        return false;
    len = f.place_len;
    while (len > 2 && memcmp(f.place + len - 2, ":0", 2) == 0) /* what is not known */
        len -= 2;
    return cfz_buf_printf(out, NULL, "in %.*s %.*s", (int)f.function_len, f.function, (int)len,
                          f.place) == 0;
}

/* Prints a line: what, and where the program counter is. */
static void tell(struct live_symbolizer *s, const struct worker *w, const char *what, uint64_t pc)
{
    const uint64_t a = pc & ~CFZ_PC_FUNCTION;
    const struct cfz_module *m = modules_find(w->shm, a);
    struct cfz_buf answer = CFZ_BUF_INIT, text = CFZ_BUF_INIT;

    if (m == NULL || live_symbolizer_ask(s, m->path, a - m->base, &answer, NULL) < 0 ||
        !add_symbol(cfz_buf_str(&answer), &text))
        cfz_buf_printf(&text, NULL, " (%s+0x%llx)", m != NULL ? m->path : "",
                       (unsigned long long)(m != NULL ? a - m->base : a));
    report_line("%s0x%llx %s", what, (unsigned long long)a, cfz_buf_str(&text));
    cfz_buf_release(&answer);
    cfz_buf_release(&text);
}

void lf_news_places(const struct lf_flags *f, struct live_symbolizer *s, const struct worker *w,
                    const uint64_t *pcs, size_t n)
{
    size_t functions = 0, told = 0, most = f->print_funcs > 0 ? (size_t)f->print_funcs : 0;

    for (size_t i = 0; i < n; i++) {
        functions += (pcs[i] & CFZ_PC_FUNCTION) != 0;
        if (f->print_pcs != 0 && f->fork == 0)
            tell(s, w, "\tNEW_PC: ", pcs[i]);
    }
    for (size_t i = 0; i < n && told < most; i++) {
        char what[64];

        if ((pcs[i] & CFZ_PC_FUNCTION) == 0)
            continue;
        snprintf(what, sizeof what, "\tNEW_FUNC[%zu/%zu]: ", ++told, functions);
        tell(s, w, f->fork > 0 ? "  NEW_FUNC: " : what, pcs[i]);
    }
}
