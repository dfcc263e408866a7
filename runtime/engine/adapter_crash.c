/*
 * adapter_crash.c - what target/crash.h promises, where no driver reads marks: the process says
 * what happened, and dies by abort, so that the engine keeps the input.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/exit_codes.h"
#include "target/crash.h"

static void __attribute__((noreturn)) die(const char *text)
{
    fprintf(stderr, "cfuzz: %s\n", text);
    abort();
}

void cfz_crash_scribbled(struct cfz_proc_shm *shm)
{
    (void)shm;
    die("the test wrote over memory of cfuzz");
}

void cfz_crash_misuse(struct cfz_proc_shm *shm, const char *text)
{
    (void)shm;
    die(text);
}

void cfz_crash_internal(struct cfz_proc_shm *shm, const char *text)
{
    (void)shm;
    fprintf(stderr, "cfuzz: internal failure: %s\n", text);
    _Exit(CFZ_EXIT_INTERNAL);
}

/* exit() in user code is the engine's, and on_end's in adapter.c. */
void cfz_crash_on_leaving(void (*fn)(void))
{
    (void)fn;
}
