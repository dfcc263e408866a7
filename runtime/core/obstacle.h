/*
 * obstacle.h - a comparison that inputs reach and none gets past, as a worker tells it the driver.
 *
 * It lies in process memory, which the tested code can write over: the driver takes a copy and
 * believes nothing of it that it did not check.
 */
#ifndef CFZ_OBSTACLE_H
#define CFZ_OBSTACLE_H

#include <stdatomic.h>

#include "abi.h"

enum {
    CFZ_OBSTACLES_MAX = 20,
    CFZ_OBSTACLE_FILE = 240, /* a longer name keeps its end */
    CFZ_OBSTACLE_TEXT = 33,  /* bytes of each side of text, of which the last tells of more */
    CFZ_OBSTACLE_RANGES = 4,
    CFZ_OBSTACLE_CASES = 4,
    CFZ_OBSTACLE_NAME = 24,
};

/* What of the input changes the operands. */
enum cfz_influence_kind {
    CFZ_INFLUENCE_UNKNOWN, /* nobody tried */
    CFZ_INFLUENCE_NONE,
    CFZ_INFLUENCE_HIDDEN, /* none, as far as changed inputs still got there */
    CFZ_INFLUENCE_RANGES,
    CFZ_INFLUENCE_MORE,   /* the ranges, and others */
    CFZ_INFLUENCE_MOST,   /* nearly all bytes, as in a checksum */
    CFZ_INFLUENCE_DRIFTS, /* the same input compares another value each time */
    CFZ_INFLUENCE_KINDS
};

/* Bytes [from, to) of a value; of one that is no string or []byte both are 0. */
struct cfz_obstacle_range {
    char name[CFZ_OBSTACLE_NAME]; /* of the parameter; "argument 2" if it has none */
    uint32_t from, to;
};

struct cfz_obstacle {
    char file[CFZ_OBSTACLE_FILE];
    uint32_t line, column;
    uint8_t kind; /* enum cfz_site_kind */
    uint8_t want; /* of a number: set of enum cfz_relation, a to b; of text 1: equal, found */
    uint8_t width, flags; /* as in struct cfz_site */
    uint8_t influence;    /* enum cfz_influence_kind */
    uint8_t nranges, nvalues;
    uint8_t nearest;        /* a and b, or the texts, are the closest so far */
    uint32_t behind;        /* counters that are not reached because of it */
    uint32_t reached;       /* inputs of the corpus, and of the solver's own, that came there */
    uint32_t attempts;      /* of the solver */
    uint32_t ncases, nopen; /* SWITCH: in all, and never chosen */
    uint64_t values[CFZ_OBSTACLE_CASES]; /* SWITCH: of those, with most behind them */
    uint64_t a, b;
    uint32_t len_a, len_b; /* of text, at most CFZ_OBSTACLE_TEXT; of a longer one so much is kept */
    uint8_t text_a[CFZ_OBSTACLE_TEXT], text_b[CFZ_OBSTACLE_TEXT];
    struct cfz_obstacle_range ranges[CFZ_OBSTACLE_RANGES];
};

/* The worst obstacles of a run, worst first. It is whole while begun == done, and neither is 0. */
struct cfz_obstacles {
    _Atomic uint32_t begun, done; /* how often it was written */
    uint32_t n;
    uint32_t little; /* 1: nothing with much behind it blocks; these are for who wants details */
    struct cfz_obstacle at[CFZ_OBSTACLES_MAX];
};

/* For the process: what is written between the two is published as a whole. Context: target. */
void cfz_obstacles_begin(struct cfz_obstacles *list);
void cfz_obstacles_end(struct cfz_obstacles *list);

/*
 * For the driver: cfz_obstacles_copy copies what a process published, if anything was, if it is
 * whole and can be true. Strings of the copy end within their arrays. *to is changed in any case.
 * Context: ordinary.
 */
bool cfz_obstacles_copy(const struct cfz_obstacles *from, struct cfz_obstacles *to);

#endif
