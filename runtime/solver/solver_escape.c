/*
 * solver_escape.c - bytes that a parser takes as itself only where they are escaped: the quote
 * within a string, the & of a value in an URL, the line end in an attribute.
 *
 *     a byte, or the text, of an operand --each form in turn-->  \" \n \x0a \u000a \012 %0a =0a
 *                                                                &#10; &#xa; &quot; ""
 *
 * The forms are those of C and JSON, URLs, quoted-printable, XML and HTML, SQL and CSV. What is a
 * letter or digit needs none. Only amid text.
 */
#include <stdio.h>
#include <string.h>

#include "solver/solving.h"

enum {
    PLACES = 4,      /* that are looked at for a side */
    INSERTIONS = 64, /* positions */
    FORM_MAX = 12    /* bytes of an escaped one */
};

static struct cfz_image im;

/* What is wanted, of one or more characters, in the place of del bytes at p of value i. */
struct wanted {
    uint32_t i, p, del, n;
    uint32_t c[CFZ_TEXT_MAX];
};

/* ---- forms: each returns how long it is, 0 if there is none for c ---------------------------- */

static int backslash(char *out, uint32_t c)
{
    /* Each letter, and what it stands for; of the last one that is the end of the literal. */
    static const char letters[] = "n\nr\rt\tb\bf\fv\va\ae\033"
                                  "0";
    enum { PAIRS = sizeof letters / 2 };

    for (size_t k = 0; k < PAIRS; k++)
        if ((uint8_t)letters[2 * k + 1] == c)
            return snprintf(out, FORM_MAX, "\\%c", letters[2 * k]);
    return c > ' ' && c < 0x7f ? snprintf(out, FORM_MAX, "\\%c", (char)c) : 0;
}

static int hex(char *out, uint32_t c)
{
    return c < 256 ? snprintf(out, FORM_MAX, "\\x%02x", c) : 0;
}

static int unicode(char *out, uint32_t c)
{
    return c < 0x10000 ? snprintf(out, FORM_MAX, "\\u%04x", c) : 0;
}

static int octal(char *out, uint32_t c)
{
    return c < 256 ? snprintf(out, FORM_MAX, "\\%03o", c) : 0;
}

static int percent(char *out, uint32_t c)
{
    return c < 256 ? snprintf(out, FORM_MAX, "%%%02X", c) : 0;
}

static int printable(char *out, uint32_t c)
{
    return c < 256 ? snprintf(out, FORM_MAX, "=%02X", c) : 0;
}

static int reference(char *out, uint32_t c)
{
    return snprintf(out, FORM_MAX, "&#%u;", c);
}

static int hex_reference(char *out, uint32_t c)
{
    return snprintf(out, FORM_MAX, "&#x%x;", c);
}

static int entity(char *out, uint32_t c)
{
    const char *name = c == '&'   ? "amp"
                       : c == '<' ? "lt"
                       : c == '>' ? "gt"
                       : c == '"' ? "quot"
                                  : "";

    return *name ? snprintf(out, FORM_MAX, "&%s;", name) : 0;
}

static int twice(char *out, uint32_t c)
{
    return c > ' ' && c < 0x7f ? snprintf(out, FORM_MAX, "%c%c", (char)c, (char)c) : 0;
}

static int (*const forms[])(char *out, uint32_t c) = {
    backslash, percent, reference, hex, unicode, octal, twice, entity, printable, hex_reference,
};

/* ---- what is wanted ----------------------------------------------------------------------------
 */

static bool is_plain(uint32_t c)
{
    return c < 0x80 && ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'));
}

/* Writes what is wanted in a form. Returns its length; 0 if it has none, is not changed by it, or
 * there is too little room. */
static uint32_t write_form(const struct wanted *w, int (*form)(char *, uint32_t), uint8_t *out,
                           uint32_t room)
{
    bool is_changed = false;
    uint32_t n = 0;

    for (uint32_t k = 0; k < w->n; k++) {
        char one[FORM_MAX];
        int len = 1;

        one[0] = (char)w->c[k];
        if (!is_plain(w->c[k])) {
            len = form(one, w->c[k]);
            is_changed = true;
        }
        if (len <= 0 || (uint32_t)len > room - n)
            return 0;
        memcpy(out + n, one, (uint32_t)len);
        n += (uint32_t)len;
    }
    return is_changed ? n : 0;
}

static enum cfz_trial put(struct cfz_solver *v, const struct wanted *w)
{
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    v->step = "escape";
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        uint8_t out[CFZ_TEXT_MAX * 2];
        const uint32_t n = write_form(w, forms[k], out, sizeof out);

        if (n == 0)
            continue;
        cfz_image_copy(&im, &v->base->im);
        if (!cfz_image_splice(&im, w->i, w->p, w->del, out, n))
            continue;
        r = cfz_trial(v, &im);
        if (cfz_trial_ends(r))
            return r;
    }
    return r;
}

/* The value of a side that is wanted in the place of a byte that is the operand. */
static enum cfz_trial number(struct cfz_solver *v, unsigned side)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    const uint64_t have = side ? t->b : t->a;
    uint64_t values[CFZ_GOAL_VALUES];
    const unsigned nvalues = cfz_goal_values(&t->g, side, side ? t->a : t->b, values);
    unsigned used = 0;

    for (uint32_t f = 0; f < t->nat && used < PLACES; f++) {
        struct wanted w = {.p = t->at[f].p, .del = 1, .n = 1};

        w.i = cfz_image_value(b, w.p);
        if (!(t->at[f].sides & 1U << side) || !cfz_image_grows(b, w.i) || b->bytes[w.p] != have ||
            !cfz_is_amid_text(b, w.i, w.p, w.p + 1))
            continue;
        used++;
        for (unsigned k = 0; k < nvalues; k++) {
            enum cfz_trial r;

            if (values[k] > 0x10ffff)
                continue;
            w.c[0] = (uint32_t)values[k];
            r = put(v, &w);
            if (cfz_trial_ends(r))
                return r;
        }
    }
    return CFZ_TRIAL_REACHED;
}

static void take_text(struct wanted *w, const uint8_t *text, uint32_t len)
{
    w->n = (uint32_t)strnlen((const char *)text, len);
    for (uint32_t k = 0; k < w->n; k++)
        w->c[k] = text[k];
}

/* The text of the other side in the place of the one that stands in the input. */
static enum cfz_trial text(struct cfz_solver *v, unsigned side)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    const uint8_t *have = side ? t->text_b : t->text_a;
    const uint32_t nhave = (uint32_t)strnlen((const char *)have, side ? t->len_b : t->len_a);
    struct wanted w = {.del = nhave};
    uint32_t tried[PLACES];
    unsigned used = 0;

    take_text(&w, side ? t->text_a : t->text_b, side ? t->len_a : t->len_b);
    for (uint32_t f = 0; f < t->nat && used < PLACES && w.n > 0; f++) {
        const int32_t at = side ? t->at[f].b_at : t->at[f].a_at;
        bool again = false;
        enum cfz_trial r;

        w.i = cfz_image_value(b, t->at[f].p);
        if (!(t->at[f].sides & 1U << side) || !cfz_image_grows(b, w.i) || at < 0 ||
            t->at[f].p < b->at[w.i] + (uint32_t)at)
            continue;
        w.p = t->at[f].p - (uint32_t)at;
        for (unsigned k = 0; k < used; k++)
            again |= tried[k] == w.p;
        if (again || nhave > b->at[w.i + 1] - w.p || memcmp(b->bytes + w.p, have, nhave) != 0 ||
            !cfz_is_amid_text(b, w.i, w.p, w.p + nhave))
            continue;
        tried[used++] = w.p;
        r = put(v, &w);
        if (cfz_trial_ends(r))
            return r;
    }
    return CFZ_TRIAL_REACHED;
}

/* The text that is wanted anywhere, where nothing moves what is compared with it. */
static enum cfz_trial inserted(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const struct cfz_image *b = &v->base->im;
    const bool is_a =
        cfz_texts_program(t->g.site, b, t->text_a, t->len_a, t->text_b, t->len_b) == 0;
    struct wanted w = {.n = 0};
    unsigned done = 0;

    take_text(&w, is_a ? t->text_a : t->text_b, is_a ? t->len_a : t->len_b);
    for (w.i = 0; w.i < b->n && w.n > 0; w.i++) {
        if (!cfz_image_grows(b, w.i))
            continue;
        for (w.p = b->at[w.i]; w.p <= b->at[w.i + 1] && done < INSERTIONS; w.p++, done++) {
            enum cfz_trial r = cfz_is_amid_text(b, w.i, w.p, w.p) ? put(v, &w) : CFZ_TRIAL_REACHED;

            if (cfz_trial_ends(r))
                return r;
        }
    }
    return CFZ_TRIAL_REACHED;
}

enum cfz_trial cfz_solve_escaped(struct cfz_solver *v)
{
    const struct cfz_task *t = v->task;
    const bool is_text = cfz_site_is_text(t->g.site);
    enum cfz_trial r = CFZ_TRIAL_REACHED;

    if (t->g.site->kind == CFZ_SITE_FLOAT || !(cfz_is_plain(t) || t->is_part))
        return r;
    v->recipe.set = CFZ_RECIPE_NONE;
    if (is_text && t->nat == 0)
        return inserted(v);
    for (unsigned side = 0; side < (t->g.site->kind == CFZ_SITE_SWITCH ? 1U : 2U); side++) {
        if (!(t->sides & 1U << side))
            continue;
        r = is_text ? text(v, side) : number(v, side);
        if (cfz_trial_ends(r))
            return r;
    }
    return r;
}
