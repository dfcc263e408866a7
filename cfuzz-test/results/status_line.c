/*
 * status_line.c - see status_line.h.
 *
 * The cursor stands behind the line's last character, and never in the last column: terminals
 * differ in what that means. When a terminal becomes narrower it breaks the line into several
 * (tmux, VTE, kitty, Windows); the rows above are cleared as well then.
 */
#define _GNU_SOURCE
#include "results/status_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/report.h"

#define RED "\x1b[1;31m"
#define PLAIN "\x1b[0m"
/* Not "to the end of the screen", which tmux takes for a reason to keep the screen in its history.
 */
#define CLEAR_ROW "\r\x1b[K"
#define UP "\x1b[A"

enum { WIDTH_UNKNOWN = 80, TEXT_MAX = 1024 };

static struct {
    bool open;
    char text[TEXT_MAX]; /* as it was drawn last; "": not drawn */
    unsigned columns;
} line;

/* ---- the text ------------------------------------------------------------------------------ */

/* "999", "34.1k", "1.2M" */
static const char *count(double n, char text[32])
{
    static const char units[] = " kMGT";
    size_t unit = 0;

    while (n >= 999.95 && unit + 2 < sizeof units) {
        n /= 1000;
        unit++;
    }
    if (unit == 0)
        snprintf(text, 32, "%.0f", n);
    else
        snprintf(text, 32, "%.1f%c", n, units[unit]);
    return text;
}

/* A part of the line. Those with a higher rank are left out first. */
struct part {
    unsigned rank;
    bool red;
    char text[80];
};

enum { PARTS = 8 };

/* Fills parts in the order in which they stand. Returns how many there are. */
static size_t make_parts(const char *test, const struct fuzz_status *s, struct part p[PARTS])
{
    char elapsed[REPORT_DURATION_MAX], find[REPORT_DURATION_MAX], rate[32],
        one[REPORT_DURATION_MAX];
    size_t n = 0;

    p[n] = (struct part){.rank = 7};
    snprintf(p[n++].text, sizeof p[0].text, "%.70s:", test);
    p[n] = (struct part){.rank = 1};
    if (strcmp(s->doing, "baseline") == 0)
        snprintf(p[n++].text, sizeof p[0].text, "baseline %llu/%llu",
                 (unsigned long long)s->baseline, (unsigned long long)s->of_baseline);
    else
        snprintf(p[n++].text, sizeof p[0].text, "%s", s->doing);
    p[n] = (struct part){.rank = 0};
    snprintf(p[n++].text, sizeof p[0].text, "%s", report_elapsed(s->elapsed_ns, elapsed));
    p[n] = (struct part){.rank = 2};
    if (s->executing_ns > 0)
        snprintf(p[n++].text, sizeof p[0].text, "one input for %s",
                 report_elapsed(s->executing_ns, one));
    else
        snprintf(p[n++].text, sizeof p[0].text, "%s/s", count(s->rate, rate));
    p[n] = (struct part){.rank = 4};
    snprintf(p[n++].text, sizeof p[0].text, "new %llu/%llu", (unsigned long long)s->interesting,
             (unsigned long long)s->total);
    if (s->counters > 0) {
        p[n] = (struct part){.rank = 5};
        snprintf(p[n++].text, sizeof p[0].text, "cov %llu/%llu", (unsigned long long)s->covered,
                 (unsigned long long)s->counters);
    }
    p[n] = (struct part){.rank = 3, .red = s->crashes > 0};
    snprintf(p[n++].text, sizeof p[0].text, "crashes %llu", (unsigned long long)s->crashes);
    p[n] = (struct part){.rank = 6};
    snprintf(p[n++].text, sizeof p[0].text, "find %s ago, %u worker%s",
             report_elapsed(s->since_find_ns, find), s->workers, s->workers == 1 ? "" : "s");
    return n;
}

/* The columns of the parts up to a rank, with blanks between. Names of tests are ASCII, as all
 * else. */
static unsigned width_of(const struct part *p, size_t n, unsigned rank)
{
    unsigned columns = 0;

    for (size_t i = 0; i < n; i++)
        if (p[i].rank <= rank)
            columns += (columns > 0) + (unsigned)strlen(p[i].text);
    return columns;
}

int status_line_text(struct cfz_buf *out, const char *test, const struct fuzz_status *s,
                     unsigned width, unsigned *columns, struct cfz_error *err)
{
    struct part p[PARTS];
    size_t n = make_parts(test, s, p);
    unsigned rank = PARTS, room = width;
    bool first = true;

    while (rank > 0 && width_of(p, n, rank) > width)
        rank--;
    *columns = 0;
    for (size_t i = 0; i < n; i++) {
        int len = (int)strlen(p[i].text);

        if (p[i].rank > rank)
            continue;
        if (len > (int)room)
            len = (int)room; /* the last that is left is cut */
        if (cfz_buf_printf(out, err, "%s%s%.*s%s", first ? "" : " ", p[i].red ? RED : "", len,
                           p[i].text, p[i].red ? PLAIN : "") < 0)
            return -1;
        *columns += (unsigned)len + !first;
        room = width > *columns ? width - *columns : 0;
        first = false;
    }
    return 0;
}

/* ---- the terminal --------------------------------------------------------------------------- */

bool status_line_wanted(void)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

    return isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0 &&
           (no_color == NULL || no_color[0] == '\0');
}

static unsigned terminal_width(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                           : WIDTH_UNKNOWN;
}

/* Appends what removes the line from the screen. */
static int erase(struct cfz_buf *out, struct cfz_error *err)
{
    unsigned width = terminal_width();
    unsigned rows = line.columns > 0 ? (line.columns + width - 1) / width : 1;

    if (line.text[0] == '\0')
        return 0;
    while (rows-- > 1)
        if (cfz_buf_puts(out, CLEAR_ROW UP, err) < 0)
            return -1;
    return cfz_buf_puts(out, CLEAR_ROW, err);
}

/* Takes lines that are printed: they come above the status line, which is drawn again. */
static int print_above(void *ctx, const char *lines, size_t len, struct cfz_error *err)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    bool fits = line.columns < terminal_width(); /* else it comes again when it is due */
    int ret = -1;

    (void)ctx;
    if (erase(&out, err) < 0 || cfz_buf_append(&out, lines, len, err) < 0 ||
        (fits && cfz_buf_puts(&out, line.text, err) < 0))
        goto out;
    if (!fits)
        line.text[0] = '\0';
    report_bytes(cfz_buf_str(&out), out.len);
    ret = 0;
out:
    cfz_buf_release(&out);
    return ret;
}

void status_line_open(void)
{
    memset(&line, 0, sizeof line);
    line.open = true;
    report_divert(print_above, NULL);
}

bool status_line_is_open(void)
{
    return line.open;
}

void status_line_show(const char *test, const struct fuzz_status *s)
{
    struct cfz_buf out = CFZ_BUF_INIT, text = CFZ_BUF_INIT;
    unsigned width = terminal_width(), columns;

    /* Without memory the line stays as it is. */
    if (status_line_text(&text, test, s, width > 1 ? width - 1 : 1, &columns, NULL) == 0 &&
        text.len < sizeof line.text && erase(&out, NULL) == 0 &&
        cfz_buf_append(&out, text.data, text.len, NULL) == 0) {
        report_bytes(cfz_buf_str(&out), out.len);
        memcpy(line.text, cfz_buf_str(&text), text.len + 1);
        line.columns = columns;
    }
    cfz_buf_release(&out);
    cfz_buf_release(&text);
}

void status_line_close(void)
{
    struct cfz_buf out = CFZ_BUF_INIT;

    if (!line.open)
        return;
    report_divert(NULL, NULL);
    if (erase(&out, NULL) == 0)
        report_bytes(cfz_buf_str(&out), out.len);
    cfz_buf_release(&out);
    memset(&line, 0, sizeof line);
}
