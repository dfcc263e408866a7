/*
 * crash_frames.h - the stack of a crash as functions of the user's: what a signature is made of.
 *
 * Frames of sanitizers, of the C library and of our runtime are left out, and functions that were
 * inlined have frames of their own. Everything is made of raw addresses, which the dying process
 * left in its memory; the symbolizer is asked for each of them once (lines.h). Context: ordinary.
 */
#ifndef CRASH_FRAMES_H
#define CRASH_FRAMES_H

#include "base/symtab.h"
#include "core/shmem.h"
#include "stack/lines.h"

enum { CRASH_FRAMES_MAX = CFZ_FRAMES_MAX + 32 }; /* of the user's that are looked at. Guessed. */

struct crash_frame {
    const char *function; /* NULL: not known */
    const char *line;     /* "parse.c:41"; NULL: not known */
    uint64_t at;          /* address in the file */
    uint64_t start;       /* of the function in the file; at, if that is not known */
    uint32_t raw;         /* the number of the address that it was made of */
    bool helper;          /* see crash_frames_is_helper */
};

/* Texts are borrowed from the symbol table, and from the lines until those are asked again. */
struct crash_frames {
    struct crash_frame v[CRASH_FRAMES_MAX];
    uint32_t n;
    uint32_t end; /* how many addresses were looked at */
    bool whole;   /* these were all, and none of them is our runtime's */
};

/* Where addresses are looked up. */
struct crash_code {
    const struct cfz_proc_shm *shm; /* its table of modules; not trusted */
    const struct symtab *symtab;    /* of the test binary, may be empty */
    struct lines *lines;            /* of the test binary, or NULL */
};

/*
 * crash_frames_read takes n addresses apart, innermost first. behind: the innermost ones are of a
 * handler of ours and what called it, a sanitizer or exit(); the user's begin behind those.
 */
void crash_frames_read(const struct crash_code *code, const uint64_t *pc, uint32_t n, bool behind,
                       struct crash_frames *out);

/* crash_frames_behind_api returns how many of the innermost addresses are of functions of cfuzz.h,
 * cfuzz_error say, and what these call. */
uint32_t crash_frames_behind_api(const struct crash_code *code, const uint64_t *pc, uint32_t n);

/* crash_frames_function returns the function of the test binary that pc lies in, with all that was
 * inlined there, or NULL if it is not known. */
const char *crash_frames_function(const struct crash_code *code, uint64_t pc);

/* crash_frames_loop returns where in the file the outermost loop begins that pc lies in, of its
 * function in the test binary; 0 if it lies in none, or that is not known. */
uint64_t crash_frames_loop(const struct crash_code *code, uint64_t pc);

/* crash_frames_line returns the line of an address in the file of the test binary, in the function
 * itself where code was inlined, or NULL if it is not known. Borrowed until the lines are asked
 * again. */
const char *crash_frames_line(const struct crash_code *code, uint64_t at);

/* crash_frames_offset returns where pc lies in its file, or 0 if it lies in none. */
uint64_t crash_frames_offset(const struct crash_code *code, uint64_t pc, bool innermost);

/*
 * crash_frames_is_helper reports whether function is one that others call to say that something is
 * wrong, or to get memory: it says nothing about what was wrong. By its name, as the lists of
 * ClusterFuzz and CERT's tools have it ("die", "xmalloc", "my_assert_failed"), or since the plugin
 * noted that it does not return (symtab_never_returns).
 */
bool crash_frames_is_helper(const struct symtab *symtab, const char *function);

#endif
