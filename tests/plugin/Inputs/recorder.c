/*
 * recorder.c - stands in for the runtime in tests of traced copies.
 *
 * Runs the test program's program() twice, plain and traced, and checks what must
 * always hold: counters and flags say the same of both, and a counter behind an
 * outcome counted the records with that outcome. Then prints the records:
 *
 *     <line>: <type> <a> <predicate> <b>       numbers; ' behind a constant; of an index and its
 *                                              array "bound" before the type
 *     <line>: switch <value> of <values>
 *     <line>: <kind> "<a>" "<b>" <n> <m>       text; a byte to look for is m
 *
 * An argument "sites" prints the sites instead, and runs nothing; "behind" prints what
 * they say lies behind their outcomes.
 * Compiled without the plugin.
 */
#define _GNU_SOURCE
#include "../../../runtime/abi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void program(void);

enum { IMAGES = 16, RECORDS = 4096, TEXT = 32, COUNTERS = 4096 };

static struct image {
    uint8_t *tracing;
    struct cfz_site *sites, *sites_end;
} images[IMAGES];
static size_t nimages;

static struct region {
    uint8_t *start, *end;
    uint8_t plain[COUNTERS]; /* after the plain run */
} regions[2 * IMAGES];       /* counters and flags */
static size_t nregions;

static struct record {
    struct cfz_site *site;
    uint64_t a, b;
    char left[TEXT], right[TEXT]; /* what was compared, and ends here */
    bool has_left, has_right, holds;
} records[RECORDS];
static size_t nrecords;

__attribute__((noreturn)) static void die(const char *what, uint64_t n)
{
    printf("BROKEN: %s (%" PRIu64 ")\n", what, n);
    exit(1);
}

static void add_region(uint8_t *start, uint8_t *end)
{
    for (size_t i = 0; i < nregions; i++)
        if (regions[i].start == start)
            return;
    if (end - start > COUNTERS)
        die("too many counters", (uint64_t)(end - start));
    regions[nregions].start = start;
    regions[nregions++].end = end;
}

void cfuzz_module_init(uint32_t abi, uint8_t *flags, uint8_t *flags_end,
                       const struct cfz_func_rec *recs, const struct cfz_func_rec *recs_end)
{
    if (abi != CFUZZ_ABI || flags_end - flags != recs_end - recs)
        die("flags", abi);
    add_region(flags, flags_end);
}

void cfuzz_trace_init(uint32_t abi, uint8_t *tracing, struct cfz_site *sites,
                      struct cfz_site *sites_end)
{
    if (abi != CFUZZ_ABI || *tracing)
        die("tracing", abi);
    if (nregions == 0)
        die("sites before flags", nregions);
    for (size_t i = 0; i < nimages; i++)
        if (images[i].tracing == tracing && images[i].sites == sites)
            return;
        else if (images[i].tracing == tracing || images[i].sites == sites)
            die("image announced twice", i);
    images[nimages].tracing = tracing;
    images[nimages].sites = sites;
    images[nimages++].sites_end = sites_end;
}

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end);
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *end)
{
    add_region(start, end);
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end)
{
    (void)start, (void)end;
}

static uint64_t extend(uint64_t n, unsigned width, bool is_signed)
{
    unsigned unused = 64 - width;

    n <<= unused;
    return is_signed ? (uint64_t)((int64_t)n >> unused) : n >> unused;
}

static double float_of(uint64_t bits, unsigned width)
{
    uint32_t low = (uint32_t)bits;
    float f;
    double d;

    if (width == 32)
        return memcpy(&f, &low, sizeof f), f;
#if __LDBL_MANT_DIG__ == 64
    if (width == 80) {
        long double x = 0;

        memcpy((char *)&x + 2, &bits, sizeof bits);
        return (double)x;
    }
#endif
    return memcpy(&d, &bits, sizeof d), d;
}

static struct record *new_record(struct cfz_site *site)
{
    bool known = false;

    for (size_t i = 0; i < nimages; i++)
        known |= site >= images[i].sites && site < images[i].sites_end && *images[i].tracing;
    if (!known)
        die("record outside of all sites, or not while tracing", nrecords);
    if (nrecords == RECORDS)
        die("too many records", nrecords);
    records[nrecords].site = site;
    return &records[nrecords++];
}

void cfuzz_trace_number(struct cfz_site *site, uint64_t a, uint64_t b)
{
    struct record *r = new_record(site);
    bool is_signed = site->flags & CFZ_SITE_SIGNED;
    unsigned relation;

    r->a = a;
    r->b = b;
    if (site->kind == CFZ_SITE_FLOAT) {
        double x = float_of(a, site->width), y = float_of(b, site->width);
        relation = x < y    ? CFZ_REL_LESS
                   : x > y  ? CFZ_REL_GREATER
                   : x == y ? CFZ_REL_EQUAL
                            : CFZ_REL_UNORDERED;
    } else {
        if (site->kind != CFZ_SITE_INT || a != extend(a, site->width, is_signed) ||
            b != extend(b, site->width, is_signed))
            die("a number is not extended as its site says", site->line);
        relation = a == b                                          ? CFZ_REL_EQUAL
                   : (is_signed ? (int64_t)a < (int64_t)b : a < b) ? CFZ_REL_LESS
                                                                   : CFZ_REL_GREATER;
    }
    r->holds = site->predicate & relation;
}

void cfuzz_trace_switch(struct cfz_site *site, uint64_t value)
{
    if (site->kind != CFZ_SITE_SWITCH ||
        value != extend(value, site->width, site->flags & CFZ_SITE_SIGNED))
        die("a switch is not what its site says", site->line);
    new_record(site)->a = value;
}

static bool keep(char *to, const void *from, uint64_t n)
{
    if (!from)
        return false;
    memcpy(to, from, n < TEXT - 1 ? n : TEXT - 1);
    return true;
}

void cfuzz_trace_text(struct cfz_site *site, const void *a, uint64_t n, const void *b, uint64_t m)
{
    struct record *r = new_record(site);
    uint64_t na = 0, nb = 0;

    switch (site->kind) {
    case CFZ_SITE_MEM:
        na = nb = n;
        r->holds = memcmp(a, b, n) == 0;
        break;
    case CFZ_SITE_STRING:
        na = strlen(a), nb = strlen(b);
        r->holds = strcmp(a, b) == 0;
        break;
    case CFZ_SITE_STRING_N:
        na = strnlen(a, n), nb = strnlen(b, n);
        r->holds = strncmp(a, b, n) == 0;
        break;
    case CFZ_SITE_STRING_CASE:
        na = strlen(a), nb = strlen(b);
        r->holds = strcasecmp(a, b) == 0;
        break;
    case CFZ_SITE_STRING_N_CASE:
        na = strnlen(a, n), nb = strnlen(b, n);
        r->holds = strncasecmp(a, b, n) == 0;
        break;
    case CFZ_SITE_FIND:
        na = strlen(a), nb = strlen(b);
        r->holds = strstr(a, b);
        break;
    case CFZ_SITE_FIND_CASE:
        na = strlen(a), nb = strlen(b);
        r->holds = strcasestr(a, b);
        break;
    case CFZ_SITE_FIND_MEM:
        na = n, nb = m;
        r->holds = memmem(a, n, b, m);
        break;
    case CFZ_SITE_FIND_BYTE:
        na = strlen(a);
        r->holds = strchr(a, (int)m);
        break;
    case CFZ_SITE_FIND_BYTE_MEM:
        na = n;
        r->holds = memchr(a, (int)m, n);
        break;
    default:
        die("kind of text", site->kind);
    }
    r->a = n;
    r->b = m;
    r->has_left = keep(r->left, a, na);
    r->has_right = keep(r->right, b, nb);
}

void cfuzz_trace_call(struct cfz_site *sites, uint64_t nsites, const void *callee, const void *a,
                      const void *b, uint64_t n)
{
    unsigned kind = callee == (const void *)strcmp        ? CFZ_SITE_STRING
                    : callee == (const void *)strcasecmp  ? CFZ_SITE_STRING_CASE
                    : callee == (const void *)strncmp     ? CFZ_SITE_STRING_N
                    : callee == (const void *)strncasecmp ? CFZ_SITE_STRING_N_CASE
                    : callee == (const void *)memcmp      ? CFZ_SITE_MEM
                                                          : 0;

    for (uint64_t i = 0; i < nsites; i++)
        if (sites[i].kind == kind)
            cfuzz_trace_text(&sites[i], a, n, b, 0);
}

static const char *predicate_of(const struct cfz_site *site)
{
    static const char *const words[16] = {
        "never", "==",  ">",  ">=",  "<",  "<=",  "!=",  "ordered",
        "nan",   "?==", "?>", "?>=", "?<", "?<=", "?!=", "always"};

    return words[site->predicate & 15];
}

static void show_number(const struct cfz_site *site, uint64_t n, bool constant)
{
    if (site->kind == CFZ_SITE_FLOAT)
        printf(" %g", float_of(n, site->width));
    else if (site->flags & CFZ_SITE_SIGNED)
        printf(" %" PRId64, (int64_t)n);
    else
        printf(" %" PRIu64, n);
    if (constant)
        putchar('\'');
}

static void show_type(const struct cfz_site *site)
{
    static const char *const texts[] = {"mem",       "string",       "string-n", "case",
                                        "case-n",    "find",         "find-mem", "find-case",
                                        "find-byte", "find-byte-mem"};

    printf("%" PRIu32 ": ", site->line);
    if (site->kind == CFZ_SITE_INT && site->flags & CFZ_SITE_POINTER)
        printf("pointer%u", site->width);
    else if (site->kind == CFZ_SITE_INT)
        printf("%s%sint%u%s", site->flags & CFZ_SITE_UNASKED ? "bound " : "",
               site->flags & CFZ_SITE_SIGNED ? "" : "u", site->width,
               site->flags & CFZ_SITE_HIGH ? "-high" : "");
    else if (site->kind == CFZ_SITE_FLOAT)
        printf("%sfloat%u", site->flags & CFZ_SITE_UNASKED ? "bound " : "", site->width);
    else if (site->kind == CFZ_SITE_SWITCH)
        printf("switch");
    else
        printf("%s", texts[site->kind - CFZ_SITE_MEM]);
}

static void show_cases(const struct cfz_site *site)
{
    printf(" of");
    for (uint32_t i = 0; i < site->ncases; i++)
        show_number(site, site->cases[i].value, false);
}

static void show_text(bool given, const char *text, bool constant)
{
    if (given)
        printf(" \"%s\"", text);
    if (constant)
        putchar('\'');
}

static void show(const struct record *r)
{
    const struct cfz_site *site = r->site;

    show_type(site);
    if (site->kind == CFZ_SITE_INT || site->kind == CFZ_SITE_FLOAT) {
        show_number(site, r->a, site->flags & CFZ_SITE_CONST_A);
        printf(" %s", predicate_of(site));
        show_number(site, r->b, site->flags & CFZ_SITE_CONST_B);
    } else if (site->kind == CFZ_SITE_SWITCH) {
        show_number(site, r->a, false);
        show_cases(site);
    } else {
        show_text(r->has_left, r->left, site->flags & CFZ_SITE_CONST_A);
        show_text(r->has_right, r->right, site->flags & CFZ_SITE_CONST_B);
        printf(" %" PRIu64 " %" PRIu64, r->a, r->b);
    }
    putchar('\n');
}

static const char *counter_of(const struct cfz_site *site, int32_t counter)
{
    return !counter ? "none" : site->flags & CFZ_SITE_JOINED ? "joined" : "own";
}

/* A site as the object has it. */
static void show_site(const struct cfz_site *site)
{
    const char *base = strrchr(site->file, '/');

    printf("%s:", base ? base + 1 : site->file);
    show_type(site);
    printf(" column %" PRIu32 " %s%s%s true=%s false=%s", site->column, predicate_of(site),
           site->flags & CFZ_SITE_CONST_A ? " A" : "", site->flags & CFZ_SITE_CONST_B ? " B" : "",
           counter_of(site, site->counter_true), counter_of(site, site->counter_false));
    if (site->kind == CFZ_SITE_SWITCH) {
        show_cases(site);
        for (uint32_t i = 0; i < site->ncases; i++)
            printf(site->cases[i].counter ? " own" : " none");
    }
    putchar('\n');
}

/* How many counters lie behind the outcomes of a site, as the object has it. */
static void show_behind(const struct cfz_site *site)
{
    show_type(site);
    printf(" behind %" PRIu32 " %" PRIu32, site->behind_true, site->behind_false);
    if (site->kind == CFZ_SITE_SWITCH) {
        show_cases(site);
        for (uint32_t i = 0; i < site->ncases; i++)
            printf(" %u@%u", site->cases[i].behind, site->cases[i].body);
    }
    putchar('\n');
}

static bool is_counter(const int32_t *field)
{
    const uint8_t *counter = (const uint8_t *)field + *field;

    for (size_t i = 0; i < nregions; i++)
        if (counter >= regions[i].start && counter < regions[i].end)
            return true;
    return false;
}

static uint8_t counter_at(const int32_t *field)
{
    if (!is_counter(field))
        die("a site's counter is no counter", (uint64_t)*field);
    return *((const uint8_t *)field + *field);
}

static void check_outcome(const struct cfz_site *site, const int32_t *field, uint64_t n)
{
    if (*field && counter_at(field) != (n & 255))
        die("a counter does not count the outcome it stands behind", site->line);
}

static void check_part(const struct cfz_site *site, const int32_t *field, uint64_t n)
{
    if (*field && n == 0 && is_counter(field) && counter_at(field) != 0)
        die("a condition held without its part", site->line);
}

/* An outcome that was never had leaves as many counters at 0 as its site says. */
static void check_behind(const struct cfz_site *site, uint32_t behind)
{
    uint32_t zero = 0;

    for (size_t i = 0; i < nregions; i++)
        for (uint8_t *p = regions[i].start; p < regions[i].end; p++)
            zero += *p == 0;
    if (zero < behind)
        die("more counters are behind an outcome than were not reached", site->line);
}

/* What a site says of its counters is true of this run. */
static void check_site(const struct cfz_site *site)
{
    uint64_t held = 0, total = 0;

    if (site->id || site->hits || (site->ncases != 0) != (site->kind == CFZ_SITE_SWITCH))
        die("fields of a site", site->line);
    for (uint32_t c = 0; c < site->ncases; c++) {
        uint64_t n = 0;
        if (c && site->cases[c].value <= site->cases[c - 1].value)
            die("cases are not sorted", site->line);
        for (size_t i = 0; i < nrecords; i++)
            n += records[i].site == site && records[i].a == site->cases[c].value;
        held += n;
        check_outcome(site, &site->cases[c].counter, n);
    }
    for (size_t i = 0; i < nrecords; i++) {
        total += records[i].site == site;
        held += records[i].site == site && records[i].holds;
    }
    if (site->flags & CFZ_SITE_JOINED) {
        check_part(site, &site->counter_true, held);
        check_part(site, &site->counter_false, total - held);
    } else {
        check_outcome(site, &site->counter_true, held);
        check_outcome(site, &site->counter_false, total - held);
    }
    if (held == 0)
        check_behind(site, site->behind_true);
    if (held == total)
        check_behind(site, site->behind_false);
}

static void clear(void)
{
    for (size_t i = 0; i < nregions; i++)
        for (uint8_t *p = regions[i].start; p < regions[i].end; p++)
            *p = 0;
}

int main(int argc, char **argv)
{
    size_t nsites = 0;

    setvbuf(stdout, NULL, _IONBF, 0);
    for (size_t i = 0; argc > 1 && i < nimages; i++)
        for (struct cfz_site *site = images[i].sites; site < images[i].sites_end; site++)
            if (strcmp(argv[1], "behind") == 0)
                show_behind(site);
            else
                show_site(site);
    if (argc > 1)
        return 0;
    clear();
    program();
    if (nrecords)
        die("records of a plain run", nrecords);
    for (size_t i = 0; i < nregions; i++)
        for (uint8_t *p = regions[i].start; p < regions[i].end; p++)
            regions[i].plain[p - regions[i].start] = *p;
    clear();
    for (size_t i = 0; i < nimages; i++)
        *images[i].tracing = 1;
    program();
    for (size_t i = 0; i < nimages; i++)
        *images[i].tracing = 0;
    for (size_t i = 0; i < nrecords; i++)
        show(&records[i]);
    for (size_t i = 0; i < nregions; i++)
        for (uint8_t *p = regions[i].start; p < regions[i].end; p++)
            if (*p != regions[i].plain[p - regions[i].start])
                die("counters of plain and traced run differ", (uint64_t)(p - regions[i].start));
    for (size_t i = 0; i < nimages; i++)
        for (struct cfz_site *site = images[i].sites; site < images[i].sites_end; site++, nsites++)
            check_site(site);
    printf("consistent: %zu images, %zu sites\n", nimages, nsites);
    return 0;
}
