/*
 * obstacle_lines.c - see obstacle_lines.h.
 */
#include "fuzz/obstacle_lines.h"

#include <string.h>

#include "core/corpus/quote.h"
#include "core/extended.h"
#include "core/value.h"
#include "fuzz/expression.h"
#include "stack/frames.h"

static bool is_text(const struct cfz_obstacle *o)
{
    return o->kind >= CFZ_SITE_MEM;
}

static bool is_pointer(const struct cfz_obstacle *o)
{
    return (o->flags & CFZ_SITE_POINTER) != 0;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- operands ------------------------------------------------------------------- */

enum { SMALL = 100000 };

/* Whether an operand is a negative number. A site that looks for equality is signed if its constant
 * has its highest bit set, whatever the program says: a large one is no number below 0. */
static bool is_negative(const struct cfz_obstacle *o, uint64_t below)
{
    const bool equality = o->kind == CFZ_SITE_SWITCH || o->want == CFZ_REL_EQUAL ||
                          o->want == (CFZ_REL_GREATER | CFZ_REL_LESS);

    return below < SMALL || !equality;
}

/* Small numbers in decimal, others as programs have them in constants. */
static int number(struct cfz_buf *out, const struct cfz_obstacle *o, uint64_t v,
                  struct cfz_error *err)
{
    uint64_t mask = o->width >= 64 ? UINT64_MAX : ((uint64_t)1 << o->width) - 1;

    v &= mask;
    if (o->kind == CFZ_SITE_FLOAT)
        return cfz_buf_printf(out, err, "%.9g", cfz_float_operand(o->width, v));
    if ((o->flags & CFZ_SITE_SIGNED) && v > mask >> 1) {
        uint64_t below = (0 - v) & mask;

        if (is_negative(o, below))
            return cfz_buf_printf(out, err, below < SMALL ? "-%llu" : "-0x%llx",
                                  (unsigned long long)below);
    }
    return cfz_buf_printf(out, err, v < SMALL ? "%llu" : "0x%llx", (unsigned long long)v);
}

/* Whether there may be more of a text than what was kept: its last byte is no NUL that ends it. */
static bool is_cut(const struct cfz_obstacle *o, const uint8_t *p, uint32_t len)
{
    return len == CFZ_OBSTACLE_TEXT && !(o->kind == CFZ_SITE_MEM && p[len - 1] == 0);
}

/* A side of text. Of strcmp with a constant compilers make memcmp, which looks at the NUL. */
static int text(struct cfz_buf *out, const struct cfz_obstacle *o, const uint8_t *p, uint32_t len,
                struct cfz_error *err)
{
    const bool cut = is_cut(o, p, len);

    if (cut)
        len--;
    else if (o->kind == CFZ_SITE_MEM && len > 1 && p[len - 1] == 0)
        len--;
    if (cfz_quote(p, len, out, err) < 0)
        return -1;
    return cut ? cfz_buf_puts(out, "...", err) : 0;
}

static int side(struct cfz_buf *out, const struct cfz_obstacle *o, bool b, struct cfz_error *err)
{
    if (is_text(o))
        return b ? text(out, o, o->text_b, o->len_b, err) : text(out, o, o->text_a, o->len_a, err);
    return number(out, o, b ? o->b : o->a, err);
}

/* The relations of b to a, from those of a to b. */
static uint8_t mirrored(uint8_t want)
{
    return (uint8_t)((want & ~(CFZ_REL_LESS | CFZ_REL_GREATER)) |
                     (want & CFZ_REL_LESS ? CFZ_REL_GREATER : 0) |
                     (want & CFZ_REL_GREATER ? CFZ_REL_LESS : 0));
}

/* "less than ", to be followed by a value. */
static const char *relation_to(uint8_t want)
{
    static const char *const words[8] = {"not a number, against ",
                                         "",
                                         "more than ",
                                         "at least ",
                                         "less than ",
                                         "at most ",
                                         "other than ",
                                         "a number, against "};

    return words[want & 7];
}

/* "the first less", of two that both vary. */
static const char *relation_of_two(uint8_t want)
{
    static const char *const words[8] = {"one that is not a number",
                                         "equal",
                                         "the first more than the second",
                                         "the first at least the second",
                                         "the first less than the second",
                                         "the first at most the second",
                                         "different",
                                         "two numbers"};

    return words[want & 7];
}

static int pair(struct cfz_buf *out, const struct cfz_obstacle *o, struct cfz_error *err)
{
    bool a_fixed = (o->flags & CFZ_SITE_CONST_A) != 0, b_fixed = (o->flags & CFZ_SITE_CONST_B) != 0;
    bool finds = o->kind >= CFZ_SITE_FIND;

    if (is_pointer(o))
        return cfz_buf_puts(out, "; NULL each time", err);
    if (finds) {
        if (cfz_buf_puts(out, "; closest so far ", err) < 0 || side(out, o, false, err) < 0 ||
            cfz_buf_puts(out, ", wanted ", err) < 0 || side(out, o, true, err) < 0)
            return -1;
        return cfz_buf_puts(out, " in it", err);
    }
    if (a_fixed != b_fixed) {
        if (cfz_buf_puts(out, "; closest so far ", err) < 0 || side(out, o, a_fixed, err) < 0 ||
            cfz_buf_puts(out, ", wanted ", err) < 0 ||
            cfz_buf_puts(out, relation_to(a_fixed ? mirrored(o->want) : o->want), err) < 0)
            return -1;
        return side(out, o, b_fixed, err);
    }
    if (cfz_buf_puts(out, "; closest so far ", err) < 0 || side(out, o, false, err) < 0 ||
        cfz_buf_puts(out, " and ", err) < 0 || side(out, o, true, err) < 0)
        return -1;
    return cfz_buf_printf(out, err, ", wanted %s", relation_of_two(o->want));
}

static int cases(struct cfz_buf *out, const struct cfz_obstacle *o, struct cfz_error *err)
{
    if (cfz_buf_puts(out, "; never chosen: ", err) < 0)
        return -1;
    for (unsigned i = 0; i < o->nvalues; i++)
        if ((i > 0 && cfz_buf_puts(out, ", ", err) < 0) || number(out, o, o->values[i], err) < 0)
            return -1;
    if (o->nopen > o->nvalues &&
        cfz_buf_printf(out, err, " and %u more", (unsigned)(o->nopen - o->nvalues)) < 0)
        return -1;
    return cfz_buf_printf(out, err, " (%u of %u cases)", (unsigned)o->nopen, (unsigned)o->ncases);
}

/* ---- advice ----------------------------------------------------------------------- */

/* "data[4..7], flags" */
static int ranges(struct cfz_buf *out, const struct cfz_obstacle *o, struct cfz_error *err)
{
    for (unsigned i = 0; i < o->nranges; i++) {
        const struct cfz_obstacle_range *r = &o->ranges[i];

        if ((i > 0 && cfz_buf_puts(out, ", ", err) < 0) ||
            cfz_buf_escape(out, r->name, strlen(r->name), CFZ_ESCAPE_LINE, err) < 0)
            return -1;
        if (r->to == r->from + 1) {
            if (cfz_buf_printf(out, err, "[%u]", (unsigned)r->from) < 0)
                return -1;
        } else if (r->to > r->from) {
            if (cfz_buf_printf(out, err, "[%u..%u]", (unsigned)r->from, (unsigned)(r->to - 1)) < 0)
                return -1;
        }
    }
    return o->influence == CFZ_INFLUENCE_MORE
               ? cfz_buf_puts(out, o->nranges ? " and more" : "a length", err)
               : 0;
}

/* Whether text of len bytes does not stand in the input, but is made from less of it. */
static bool is_made(const struct cfz_obstacle *o, uint32_t len)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < o->nranges; i++) {
        if (o->ranges[i].to == 0)
            return false; /* a number, of which nobody knows how many bytes */
        n += o->ranges[i].to - o->ranges[i].from;
    }
    return o->influence == CFZ_INFLUENCE_RANGES && n < len;
}

/* The side of text that is a constant of the program, whole, and may help as a word, or NULL. */
static const uint8_t *word(const struct cfz_obstacle *o, uint32_t *len)
{
    const bool b = (o->flags & CFZ_SITE_CONST_B) != 0;
    const uint8_t *p;

    if (!is_text(o) || o->kind == CFZ_SITE_FIND_BYTE || o->kind == CFZ_SITE_FIND_BYTE_MEM ||
        (!b && (!(o->flags & CFZ_SITE_CONST_A) || o->kind >= CFZ_SITE_FIND)))
        return NULL;
    *len = b ? o->len_b : o->len_a;
    p = b ? o->text_b : o->text_a;
    if (is_cut(o, p, *len) || (o->kind < CFZ_SITE_FIND && is_made(o, b ? o->len_a : o->len_b)))
        return NULL;
    return p;
}

static int advice(struct cfz_buf *out, const struct cfz_obstacle *o, struct cfz_error *err)
{
    uint32_t len;
    const uint8_t *p = word(o, &len);

    if (is_pointer(o) &&
        (o->influence == CFZ_INFLUENCE_NONE || o->influence == CFZ_INFLUENCE_HIDDEN))
        return cfz_buf_puts(out,
                            "no byte changes it: what it would point to may be missing in all "
                            "inputs; a seed that has it would help\n",
                            err);
    switch (o->influence) {
    case CFZ_INFLUENCE_NONE:
        return cfz_buf_puts(out,
                            "no byte of the inputs changes it: is it the environment, a file, a "
                            "global, another thread? Then the test can set it\n",
                            err);
    case CFZ_INFLUENCE_DRIFTS:
        return cfz_buf_puts(out,
                            "another value each time for the same input, so it was left alone: is "
                            "it the time, a counter, an earlier input? Then the test can set it\n",
                            err);
    case CFZ_INFLUENCE_HIDDEN:
        if (cfz_buf_puts(out, "no byte changes it in inputs that still get here; ", err) < 0)
            return -1;
        break;
    case CFZ_INFLUENCE_MOST:
        return cfz_buf_puts(out,
                            "depends on nearly all bytes, as a checksum does: have the test "
                            "compute it, or leave it out when fuzzing\n",
                            err);
    case CFZ_INFLUENCE_RANGES:
    case CFZ_INFLUENCE_MORE:
        if (cfz_buf_puts(out, "depends on ", err) < 0 || ranges(out, o, err) < 0 ||
            cfz_buf_puts(out, "; ", err) < 0)
            return -1;
        break;
    default:
        break;
    }
    if (p != NULL) {
        if (cfz_buf_puts(out, "a seed or a dictionary with ", err) < 0 ||
            text(out, o, p, len, err) < 0)
            return -1;
        return cfz_buf_puts(out, " would help\n", err);
    }
    return cfz_buf_puts(out,
                        o->kind == CFZ_SITE_SWITCH ? "seeds that choose them would help\n"
                                                   : "a seed that gets past it would help\n",
                        err);
}

/* ---- one obstacle --------------------------------------------------------------------- */

/* "parse.c:41: n == 7" */
static int head(struct cfz_buf *out, const struct cfz_obstacle *o, const char *dir, time_t since,
                struct cfz_error *err)
{
    const char *file = o->file;
    size_t len = strlen(file), before;

    frames_shorten(&file, &len, dir);
    if (cfz_buf_puts(out, "    ", err) < 0)
        return -1;
    if (len == 0 || o->line == 0) { /* no debug information */
        if (cfz_buf_puts(out, "at an unknown line: ", err) < 0)
            return -1;
    } else if (cfz_buf_escape(out, file, len, CFZ_ESCAPE_LINE, err) < 0 ||
               cfz_buf_printf(out, err, ":%u: ", (unsigned)o->line) < 0) {
        return -1;
    }
    before = out->len;
    if (o->line != 0 && len != 0 &&
        expression_read(dir, o->file, o->line, o->column, since, out, err) < 0)
        return -1;
    if (out->len == before && cfz_buf_puts(out,
                                           o->kind == CFZ_SITE_SWITCH ? "a switch"
                                           : is_text(o)               ? "a comparison of text"
                                           : is_pointer(o)            ? "a pointer"
                                                                      : "a comparison of numbers",
                                           err) < 0)
        return -1;
    return cfz_buf_puts(out, "\n", err);
}

static int obstacle(struct cfz_buf *out, const struct cfz_obstacle *o, const char *dir,
                    time_t since, struct cfz_error *err)
{
    if (head(out, o, dir, since, err) < 0 || cfz_buf_puts(out, "        ", err) < 0)
        return -1;
    if (o->behind > 0 && cfz_buf_printf(out, err, "%u counter%s behind it, ", (unsigned)o->behind,
                                        plural(o->behind)) < 0)
        return -1;
    if (cfz_buf_printf(out, err, "reached by %u input%s", (unsigned)o->reached,
                       plural(o->reached)) < 0 ||
        (o->kind == CFZ_SITE_SWITCH ? cases(out, o, err) : pair(out, o, err)) < 0 ||
        cfz_buf_puts(out, "\n        ", err) < 0)
        return -1;
    return advice(out, o, err);
}

int obstacle_lines(struct cfz_buf *out, const struct cfz_obstacles *list, uint32_t most,
                   const char *dir, bool failed, time_t since, struct cfz_error *err)
{
    if (list->n == 0 || most == 0 || (list->little && most < CFZ_OBSTACLES_MAX))
        return 0;
    if (cfz_buf_printf(out, err,
                       "fuzz: blocked: comparisons that inputs reach and none gets past%s\n",
                       failed ? " without failing" : "") < 0)
        return -1;
    for (uint32_t i = 0; i < list->n && i < most; i++)
        if (obstacle(out, &list->at[i], dir, since, err) < 0)
            return -1;
    if (list->n > most)
        return cfz_buf_printf(out, err, "    and %u more; -v tells them\n",
                              (unsigned)(list->n - most));
    return 0;
}
