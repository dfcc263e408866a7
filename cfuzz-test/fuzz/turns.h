/*
 * turns.h - several tests that are fuzzed at once: they take turns, and who still finds new
 * coverage gets more of them.
 *
 *     each package: its other tests as unit tests -> a turn of each test -> turns, as turns_choose
 *     says, until the budget is spent -> one summary
 *
 * A turn is a run of the coordinator with a part of the budget; what it finds is in the cache when
 * the next turn begins. A test that failed has no further turn, but with -keepfuzzing. Context:
 * ordinary.
 */
#ifndef TURNS_H
#define TURNS_H

#include "build/build.h"
#include "test/run.h"

/* A test that takes turns: what it was given so far. */
struct turn_state {
    uint64_t given; /* nanoseconds, or executions of mutated inputs */
    double gain;    /* interesting inputs found for what it was given, its last turns before all */
    bool done;      /* no further turn */
};

/* turns_note adds a turn that was given so much, and found so many interesting inputs. */
void turns_note(struct turn_state *s, uint64_t given, uint64_t found);

/*
 * turns_choose returns whose turn is next: one that had none; one that had less than a quarter of
 * an even share; or who gains most, and among equals who had
 * least. SIZE_MAX: all are done.
 */
size_t turns_choose(const struct turn_state *v, size_t n);

/* turns_slice is how long a turn is: an eighth of an even share of the limit, but between a second
 * and 30 for a time; less than a second, and at least a tenth, where the tests that wait for their
 * first turn would have none. left is what there is of the budget; given is what all turns had, for
 * a run without limit. */
uint64_t turns_slice(const struct fuzz_limit *limit, size_t n, size_t waiting, uint64_t given,
                     uint64_t left);

/*
 * turns_stretch is how long the turn is that would be a slice of left: all that is left where no
 * other test may have one, since it would begin with the same corpus again; and for a time, at
 * least four times as long as the test's last baseline took, so that seeds and cached inputs that
 * run again at each turn take no more than a fifth of it.
 */
uint64_t turns_stretch(uint64_t slice, uint64_t left, uint64_t baseline, bool alone);

/* A package whose tests take part. */
struct turn_package {
    const struct package *pkg;
    const struct test_binaries *bins; /* NULL: it could not be built */
    struct run_result res;            /* filled by turns_run */
};

/*
 * turns_run fuzzes all tests of the packages that -fuzz selects. Results are those of fuzz_package
 * for each package; main prints the last two lines of each. CFZ_EUSAGE: no test matches, or a flag
 * that goes with one test only; and the errors of fuzz_package, with what was found before told.
 */
int turns_run(const struct options *opt, struct turn_package *pkgs, size_t npkgs,
              struct cfz_error *err);

#endif
