/*
 * slow.h - which executions are cut short, since they take so much longer than others.
 *
 * A changed length may have a target clear two gigabytes, for a third of a second, where other
 * inputs take ten microseconds. One such input in a thousand is nearly all that happens then. The
 * guard of a worker (server/guard.h) looks now and then at what the worker executes. An execution
 * is slow that took CPU time of -slow, of 20 others, and of 5 beginnings of a process, which are a
 * fork and the first execution, if the process has not lived for 20 of them already. It goes on all
 * the same
 *
 *     1. while slow executions take less than a tenth of the time;
 *     2. if it is the first of the first process, and may do what the test does once in each;
 *     3. while those that went on by this rule took less than a twentieth of the time;
 *     4. if it has shown counters that no slow one showed before, which the worker itself looks at,
 *        while those that went on by this rule took less than a tenth of the time.
 *
 * Otherwise the worker ends, and another takes its place. An input that hangs is so found as a hang
 * the first time, by the third or fourth rule, and later ones in the long run: the time is that of
 * all workers of the run, and what is known of it outlives the guard, which ends with a hang. What
 * takes wall time and no CPU time is not slow here.
 *
 * This module decides from numbers alone, so that every case can be tested. That executions are cut
 * at some times the average, and that slow ones with new coverage have more time, is from AFL
 * (M. Zalewski, docs/technical_details.txt); what is spared is ours.
 */
#ifndef CFZ_SLOW_H
#define CFZ_SLOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* All times in ns, of the CPU where nothing else is said. Executions go by their number in the run
 * of the worker, from 1. */

/* What the guards of a run know together; all zero is nothing. The target can write over it, so it
 * is no more than a measure. */
struct cfz_slow_sums {
    _Atomic uint64_t spent;     /* by workers */
    _Atomic uint64_t done;      /* executions that ended */
    _Atomic uint64_t quick;     /* between looks that saw different executions */
    _Atomic uint64_t slow;      /* slow executions took in all */
    _Atomic uint64_t nslow;     /* ... and how many they were */
    _Atomic uint64_t let;       /* ... those that rule 3 let go on */
    _Atomic uint64_t shown;     /* ... those that were asked and went on, by rule 4 */
    _Atomic uint64_t beginning; /* the least that making a process and its first execution took, at
                                   least 1; 0: not known */
};

/* What one guard knows. */
struct cfz_slow {
    struct cfz_slow_sums *sums;
    uint64_t limit; /* -slow */
    uint64_t wait;  /* wall time until the next look */
    uint64_t pace;  /* about the CPU time until then */
    unsigned quiet; /* looks since one last saw an execution twice */
    uint64_t cpu;   /* of this process */
    uint64_t execs; /* the execution that was seen last */
    uint64_t since; /* cpu when it was first seen */
    uint64_t first; /* the first of this process */
    uint64_t fork;  /* making this process took, of wall time */
    bool begun;     /* this process is part of beginning */
    uint64_t first_took;
    uint64_t late, allowed, asked; /* executions: slow; let go on by rule 3; told to end */
};

/* What becomes of an execution. */
enum cfz_slow_fate {
    CFZ_SLOW_GOES_ON,
    CFZ_SLOW_ALLOWED, /* by rule 3; what it shows is no longer new for rule 4. Once for each */
    CFZ_SLOW_ASKED,   /* to end, unless rule 4, which is the worker's own, lets it go on. Once for each */
};

/* cfz_slow_init makes *s, for a limit above 0. The caller keeps *sums. */
void cfz_slow_init(struct cfz_slow *s, uint64_t limit, struct cfz_slow_sums *sums);

/* cfz_slow_begin is called when a process begins, the first one or one that takes another's place.
 * execs is how many executions began before it, fork the wall time that making it took. */
void cfz_slow_begin(struct cfz_slow *s, uint64_t execs, uint64_t fork);

/*
 * cfz_slow_look is called after s->wait, again and again, with the CPU time of the process, how
 * many executions began in all, whether the last one still runs, and whether it may be cut short:
 * it is a mutated one, or of a search. Returns what becomes of it; its number is s->execs.
 */
enum cfz_slow_fate cfz_slow_look(struct cfz_slow *s, uint64_t cpu, uint64_t execs, bool runs,
                                 bool may_end);

/*
 * cfz_slow_late reports whether the execution that was seen last is slow beside those that are not.
 * The turn of its entry is to end, whatever becomes of it: where all mutations of an entry are
 * slow, a whole turn of them would be what is usual, more than half of the executions, and is
 * not cut.
 */
bool cfz_slow_late(const struct cfz_slow *s);

/* cfz_slow_spares reports whether rule 4 may let an execution go on that is to be asked. */
bool cfz_slow_spares(const struct cfz_slow *s);

/* cfz_slow_worth tells how many other executions take the time of the one that was seen last, from
 * 1 to 2^20. */
uint64_t cfz_slow_worth(const struct cfz_slow *s);

#endif
