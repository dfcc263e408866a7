/*
 * numbers.h - the numbers of an input that steps of the solver vary together: digits in text, and
 * arguments. Only files of the solver include it.
 */
#ifndef CFZ_NUMBERS_H
#define CFZ_NUMBERS_H

#include "solver/solving.h"

enum {
    CFZ_NUMBERS = 16,      /* that are varied */
    CFZ_NUMBER_DIGITS = 9, /* of a number in text; a longer one is left alone */
};

/* A number of the input. */
struct cfz_number {
    uint32_t value;   /* of the test */
    uint32_t at, len; /* in the image that it was found in */
    int64_t x;        /* of a float argument its bits, and of a uint64 */
};

struct cfz_numbers {
    struct cfz_image from; /* the input that they are of */
    struct cfz_number of[CFZ_NUMBERS];
    uint32_t n;
    bool pads; /* a number in text that gets shorter gets zeros before it; one that has any always
                  does */
};

/* cfz_rounded returns the integer that is nearest, if an int64_t has it; else d. */
double cfz_rounded(double d);

/* cfz_aim returns what a - b has to become for the goal of a task: 0, or just beyond. */
double cfz_aim(const struct cfz_task *t, double a, double b);

/* cfz_numbers_add adds the number at position p of ns->from, if it is one and not there yet;
 * floats: an argument that is a float, too. */
void cfz_numbers_add(struct cfz_numbers *ns, uint32_t p, bool floats);

/* cfz_numbers_add_in_text adds the number at position p if that is one in text, between characters.
 * A position behind the end is none. */
void cfz_numbers_add_in_text(struct cfz_numbers *ns, uint32_t p);

/* cfz_numbers_clamp returns what number k, which is no float, may become instead of x. */
int64_t cfz_numbers_clamp(const struct cfz_numbers *ns, uint32_t k, int64_t x);

/* cfz_numbers_render makes im what ns->from becomes when the numbers are those in x. False if it
 * has no room for them. */
bool cfz_numbers_render(const struct cfz_numbers *ns, const int64_t x[CFZ_NUMBERS],
                        struct cfz_image *im);

/* cfz_numbers_written sets [*from, *end) to what differs in that image: from the first number that
 * is another one to the last. False if none is, or if they are of several values of the test. */
bool cfz_numbers_written(const struct cfz_numbers *ns, const int64_t x[CFZ_NUMBERS], uint32_t *from,
                         uint32_t *end);

/* cfz_numbers_become makes the numbers those in x, and ns->from what it is with them. False, and
 * nothing has changed, if it has no room. */
bool cfz_numbers_become(struct cfz_numbers *ns, const int64_t x[CFZ_NUMBERS]);

#endif
