/*
 * lf_report.c - see lf_report.h.
 */
#define _GNU_SOURCE
#include "libfuzzer/lf_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/io.h"
#include "crash/crash_report.h"
#include "stack/sanitizer_report.h"
#include "stack/symbolize.h"
#include "stack/symbolize_report.h"

const char *const lf_kinds[] = {"crash", "leak", "oom", "timeout"};

/* Appends the stack with an address in each line, since those who parse stacks expect one. */
static int add_stack(const struct crash_view *v, struct cfz_buf *out, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct stack st;
    int ret = -1;

    crash_stack(v, &st);
    if (st.n == 0)
        return 0;
    /* No file is below "/dev/null": all have their whole path. */
    if (symbolize_stack(v->symbolizer, "/dev/null", v->test, &st, v->shm, &text, err) < 0)
        goto out;
    for (char *line = (char *)text.data; line != NULL && *line != '\0';) {
        char *end = strchrnul(line, '\n'), *rest;
        unsigned long n = *line == '#' ? strtoul(line + 1, &rest, 10) : 0;
        int r;

        if (*line == '#' && *rest == ' ')
            r = cfz_buf_printf(out, err, "    #%lu 0x%llx in %.*s\n", n,
                               (unsigned long long)st.pc[n < st.n ? n : st.n - 1],
                               (int)(end - rest - 1), rest + 1);
        else
            r = cfz_buf_printf(out, err, "    %.*s\n", (int)(end - line), line);
        if (r < 0)
            goto out;
        line = *end != '\0' ? end + 1 : end;
    }
    ret = 0;
out:
    cfz_buf_release(&text);
    return ret;
}

/* The exit status that the sanitizers' options ask for, or the default of the one in the build. */
static int sanitizer_status(const struct lf_target *t)
{
    static const char *const variables[] = {"ASAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS",
                                            "UBSAN_OPTIONS"};
    enum { OF_TSAN = 66, OF_OTHERS = 1 };

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *options = getenv(variables[i]);
        const char *at = options != NULL ? strstr(options, "exitcode=") : NULL;

        if (at != NULL)
            return atoi(at + strlen("exitcode="));
    }
    return (t->s.origin->build & CFZ_BUILD_TSAN) != 0 ? OF_TSAN : OF_OTHERS;
}

/* libFuzzer's words for what no sanitizer reported. */
static const char *describe(const struct lf_target *t, const struct worker *w,
                            const struct crash_view *v, struct lf_failure *f, char words[160])
{
    uint32_t kind = atomic_load_explicit(&w->shm->crash.kind, memory_order_relaxed);
    char fault[CRASH_FAULT_MAX];

    if (w->hung || w->stopped) {
        f->kind = LF_TIMEOUT;
        f->status = t->flags->timeout_exitcode;
        snprintf(words, 160, "timeout after %d seconds", t->flags->timeout);
        return "timeout";
    }
    if (kind == CFZ_CRASH_ALLOC || w->memory) {
        f->kind = LF_OOM;
        f->status = LF_EXIT_OOM;
        if (kind == CFZ_CRASH_ALLOC)
            snprintf(words, 160, "out-of-memory (malloc(%llu))",
                     (unsigned long long)w->shm->crash.addr);
        else
            snprintf(words, 160, "out-of-memory (used: %lluMb; limit: %dMb)",
                     (unsigned long long)(w->rss >> 20), t->flags->rss_limit_mb);
        return "out-of-memory";
    }
    f->kind = LF_CRASH;
    f->status = t->flags->error_exitcode;
    crash_fault(v, fault);
    snprintf(words, 160, "%s",
             kind == CFZ_CRASH_EXIT || kind == CFZ_CRASH_THREAD_EXIT ? "fuzz target exited"
             : strncmp(fault, "write to const", 14) == 0 ? "fuzz target overwrites its const input"
                                                         : "deadly signal");
    return f->kind == LF_CRASH && strstr(words, "const input") != NULL ? "overwrites-const-input"
                                                                       : words;
}

/* Whether the worker wrote to its input. Such memory is not writable, so that a sanitizer reports a
 * fault; what it is, libFuzzer's words say. */
static bool overwrote_input(const struct worker *w)
{
    struct crash_view v = crash_view_of(w);
    char fault[CRASH_FAULT_MAX];

    if (atomic_load_explicit(&w->shm->crash.kind, memory_order_relaxed) != CFZ_CRASH_SIGNAL)
        return false;
    crash_fault(&v, fault);
    return strncmp(fault, "write to const", 14) == 0;
}

/* How many functions the sanitizers' options want in a DEDUP_TOKEN; 0: none. */
static unsigned token_length(void)
{
    static const char *const variables[] = {"ASAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS",
                                            "UBSAN_OPTIONS"};
    static const char name[] = "dedup_token_length=";

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *options = getenv(variables[i]);
        const char *at = options != NULL ? strstr(options, name) : NULL;

        if (at != NULL)
            return (unsigned)strtoul(at + sizeof name - 1, NULL, 10);
    }
    return 0;
}

/* Takes the function out of "    #1 0x55d0 in parse(char*) /src/parse.cc:7:3". False: no frame. */
static bool function_of(const char *line, size_t len, const char **name, size_t *name_len)
{
    const char *in = memmem(line, len, " in ", 4), *end = line + len;

    if (len < 2 || line[strspn(line, " ")] != '#' || in == NULL)
        return false;
    *name = in + 4;
    /* The place is the last word, which begins with '/' or '('; without one all is the name. */
    for (const char *at = end; at > *name; at--)
        if (at[-1] == ' ' && (*at == '/' || *at == '(' || memchr(at, ':', (size_t)(end - at))))
            end = at - 1;
    *name_len = (size_t)(end - *name);
    return true;
}

/* Puts behind each stack of the report what sanitizers do when they symbolize themselves:
 * "DEDUP_TOKEN: parse--read_all--main". */
static int add_tokens(struct cfz_buf *text, size_t from, struct cfz_error *err)
{
    unsigned most = token_length(), n = 0;
    struct cfz_buf out = CFZ_BUF_INIT, token = CFZ_BUF_INIT;
    const char *at = cfz_buf_str(text) + from, *end = cfz_buf_str(text) + text->len;
    int ret = 0;

    while (most > 0 && at < end && ret == 0) {
        const char *nl = memchr(at, '\n', (size_t)(end - at)), *name;
        size_t len = nl != NULL ? (size_t)(nl - at) : (size_t)(end - at), name_len;

        if (function_of(at, len, &name, &name_len)) {
            if (n++ < most)
                ret =
                    cfz_buf_printf(&token, err, "%s%.*s", n == 1 ? "" : "--", (int)name_len, name);
        } else if (n > 0 && at[strspn(at, " ")] != '#') { /* the line below a stack */
            ret = cfz_buf_printf(&out, err, "\nDEDUP_TOKEN: %s\n", cfz_buf_str(&token));
            cfz_buf_truncate(&token, 0);
            n = 0;
        }
        if (ret == 0)
            ret = cfz_buf_append(&out, at, len + (nl != NULL), err);
        at += len + 1;
    }
    if (ret == 0 && most > 0) {
        cfz_buf_truncate(text, from);
        ret = cfz_buf_append(text, out.data, out.len, err);
    }
    cfz_buf_release(&out);
    cfz_buf_release(&token);
    return ret;
}

/* Appends what libFuzzer itself would say. */
static int add_own(const struct lf_target *t, const struct worker *w, const struct ending *e,
                   struct lf_failure *f, struct cfz_buf *out, struct cfz_error *err)
{
    struct crash_view v = crash_view_of(w);
    char words[160], fault[CRASH_FAULT_MAX];
    const char *summary = describe(t, w, &v, f, words);
    size_t from;

    crash_fault(&v, fault);
    if (f->kind == LF_TIMEOUT &&
        cfz_buf_printf(out, err,
                       "ALARM: working on the last Unit for %d seconds\n"
                       "       and the timeout value is %d (use -timeout=N to change)\n",
                       t->flags->timeout, t->flags->timeout) < 0)
        return -1;
    if (cfz_buf_printf(out, err, "==%d== ERROR: libFuzzer: %s\n", (int)w->pid, words) < 0)
        return -1;
    if (f->kind == LF_OOM &&
        cfz_buf_puts(out, "   To change the out-of-memory limit use -rss_limit_mb=<N>\n\n", err) <
            0)
        return -1;
    /* "...terminated unexpectedly: signal: aborted" */
    if (f->kind == LF_CRASH && strstr(e->text, ": ") != NULL &&
        cfz_buf_printf(out, err, "%s\n%s%s", strstr(e->text, ": ") + 2, e->why,
                       e->why[0] != '\0' ? "\n" : "") < 0)
        return -1;
    if (fault[0] != '\0' && cfz_buf_printf(out, err, "%s\n", fault) < 0)
        return -1;
    from = out->len;
    if (add_stack(&v, out, err) < 0 || cfz_buf_puts(out, "\n", err) < 0 ||
        add_tokens(out, from, err) < 0)
        return -1;
    return cfz_buf_printf(out, err, "SUMMARY: libFuzzer: %s\n", summary);
}

int lf_report_said(const char *test, const char *log, struct cfz_buf *out, struct cfz_error *err)
{
    size_t place = 0, colons = 0;

    if (cfz_buf_printf(out, err, "==%d== ERROR: libFuzzer: deadly signal\n%s%s", (int)getpid(), log,
                       log[0] != '\0' && log[strlen(log) - 1] != '\n' ? "\n" : "") < 0)
        return -1;
    /* The place in the first message, "parse_test.c:12: wrong", is all the stack there is. A
     * finding has a line before it that names the test. */
    log += strspn(log, " ");
    if (strncmp(log, "--- FAIL", 8) == 0) {
        log = strchrnul(log, '\n');
        log += strspn(log, "\n ");
    }
    while (log[place] != '\0' && log[place] != '\n' && (log[place] != ':' || ++colons < 2))
        place++;
    return cfz_buf_printf(out, err, "    #0 0x0 in %s %.*s\n\nSUMMARY: libFuzzer: deadly signal\n",
                          test, colons == 2 ? (int)place : 0, log);
}

int lf_report(const struct lf_target *t, const struct worker *w, const struct ending *e,
              struct lf_failure *f, struct cfz_buf *out, struct cfz_error *err)
{
    uint32_t kind = atomic_load_explicit(&w->shm->crash.kind, memory_order_relaxed);
    char line[SANITIZER_LINE_MAX];
    struct cfz_buf said = CFZ_BUF_INIT;
    bool reported;
    int ret = -1;

    output_tail(&w->output, SANITIZER_REPORT_READ, &said, NULL); /* without it, the rest is told */
    /* A fault that a sanitizer reports has the mark of a signal, since our handler was first. */
    reported = (w->host->origin->build & CFZ_BUILD_SANITIZERS) != 0 && kind != CFZ_CRASH_ALLOC &&
               !overwrote_input(w) && !w->hung && !w->stopped && !w->memory &&
               sanitizer_report_line(cfz_buf_str(&said) + output_report_at(&said), line);
    if ((t->flags->close_fd_mask & 3) != 0 && !reported)
        cfz_buf_truncate(&said, 0);
    if (overwrote_input(w)) { /* a fault, for the sanitizer */
        const char *all = cfz_buf_str(&said), *at = strstr(all, "DEADLYSIGNAL");

        while (at != NULL && at > all && at[-1] != '\n')
            at--;
        if (at != NULL)
            cfz_buf_truncate(&said, (size_t)(at - all));
    }
    if (reported && (symbolize_report(t->bin.symbolizer, &said, err) < 0 ||
                     add_tokens(&said, output_report_at(&said), err) < 0))
        goto out;
    if (cfz_buf_append(out, cfz_buf_str(&said), said.len, err) < 0)
        goto out;
    if (!reported && e == NULL) {
        struct cfz_buf log = CFZ_BUF_INIT;

        *f = (struct lf_failure){.kind = LF_CRASH, .status = t->flags->error_exitcode};
        ret = cfz_buf_append(&log, w->shm->log, cfz_proc_log_len(w->shm), err);
        if (ret == 0)
            ret = lf_report_said(t->test->name, cfz_buf_str(&log), out, err);
        cfz_buf_release(&log);
        goto out;
    }
    if (!reported) {
        ret = add_own(t, w, e, f, out, err);
        goto out;
    }
    f->kind = LF_CRASH;
    f->status = sanitizer_status(t);
    if (strstr(cfz_buf_str(&said), "LeakSanitizer: detected memory leaks") != NULL) {
        f->kind = LF_LEAK;
        f->status = t->flags->error_exitcode;
        ret = cfz_buf_puts(
            out, "\nINFO: to ignore leaks on libFuzzer side use -detect_leaks=0.\n\n", err);
        goto out;
    }
    ret = 0;
out:
    cfz_buf_release(&said);
    return ret;
}

void lf_print(const struct cfz_buf *text)
{
    cfz_io_write_all(STDERR_FILENO, cfz_buf_str(text), text->len, NULL);
}
