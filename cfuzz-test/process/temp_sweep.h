/*
 * temp_sweep.h - removes temporary directories of tests whose processes were killed, so that
 * nobody else did.
 *
 * A process removes its own, and its parent those of one that crashed. What is left is that of a
 * run whose origin or host was killed. Only directories that belong to this user and have a name of
 * a run are touched, and symbolic links are not followed. Context: ordinary.
 */
#ifndef TEMP_SWEEP_H
#define TEMP_SWEEP_H

/* temp_sweep_begin removes what runs left whose drivers are gone. */
void temp_sweep_begin(void);

/* temp_sweep_end removes what this run left. Its processes have ended, or are about to. */
void temp_sweep_end(void);

#endif
