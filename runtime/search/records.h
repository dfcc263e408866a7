/*
 * records.h - where the parts of an input begin, as the program reads it; and parts of one input
 * put in, or in place of those, of another.
 *
 * Formats are made of things that a loop reads one after the other: lines, chunks, tags with
 * lengths, elements, commands. A random piece of another input hardly ever is one of them, from its
 * beginning to its end, at a place where one may stand. But the comparisons tell: each byte is
 * changed, and the first comparison that becomes another one is the one that reads it. A part
 * begins where a comparison reads for the first time, and ends where the same one, in the source,
 * reads again. So lines of a text and chunks of a file are found alike, and nested ones, too, with
 * no grammar. Grimoire (Blazytko et al., USENIX Security 2019) finds such pieces by what can be
 * left out without losing coverage.
 *
 * Context: target.
 */
#ifndef CFZ_RECORDS_H
#define CFZ_RECORDS_H

#include "search/search.h"

enum {
    CFZ_FIELDS_MAX = 96,     /* of an input */
    CFZ_RECORDS_BYTES = 512, /* longer inputs are not looked at */
};

struct cfz_field {
    uint32_t p;    /* position in the image */
    uint32_t site; /* the number of the site that reads it first */
};

struct cfz_records {
    bool known;
    uint32_t n; /* fields, in order; with fewer than 2 there is nothing to do */
    struct cfz_field fields[CFZ_FIELDS_MAX];
};

/* cfz_records_find finds the fields of im, with one or two traced executions for each byte. False
 * if the search is over; r is not known then. */
bool cfz_records_find(struct cfz_search *s, const struct cfz_image *im, struct cfz_records *r);

/*
 * cfz_records_mix changes im, whose fields are in own: a part of other, which may be the input that
 * im is a copy of, with own as its fields, is put in before or behind a part of the same kind, or
 * in its place; or a part is left out. Half of the parts are of the kind that other begins with. By
 * chance what looks like a length around it is changed along with it, a byte that ends parts of its
 * kind is put between it and the next one, and a copy of an own part, behind that part, has one
 * more in one of its first bytes: the next number of a sequence. False if it could not be done; im
 * is as it was.
 */
bool cfz_records_mix(struct cfz_rand *rand, struct cfz_image *im, const struct cfz_records *own,
                     const struct cfz_image *other, const struct cfz_records *others);

#endif
