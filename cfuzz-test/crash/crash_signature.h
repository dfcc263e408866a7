/*
 * crash_signature.h - which crash it is: when two failing inputs show the same one.
 *
 * A signature is made from the marks that a failing execution left. It holds the kind (signal,
 * sanitizer's report, exit status, hang, a message of cfuzz_error), the place (the innermost line
 * of the user's code, or the line of the first error), and the functions that called the place.
 * Making one is cheap: the symbolizer is asked once for each address (lines.h), and never for
 * callers. Context: ordinary.
 */
#ifndef CRASH_SIGNATURE_H
#define CRASH_SIGNATURE_H

#include "crash/crash_frames.h"
#include "process/ending.h"
#include "stack/stack.h"

enum crash_class {
    CRASH_FAILED,    /* cfuzz_error and its like; the process lived on */
    CRASH_SIGNAL,    /* detail: the signal */
    CRASH_OVERFLOW,  /* of the stack; the place is the recursion */
    CRASH_SANITIZER, /* what: the kind of report */
    CRASH_EXIT,      /* detail: the wait status */
    CRASH_STOPPED,   /* by a signal, again and again; the place is where */
    CRASH_HUNG,      /* the place is what was seen each time that one looked */
    CRASH_ALLOC,     /* too much memory was asked for at once, at a place */
    CRASH_KILL,      /* detail: the signal; it was sent to a process of ours, from a place */
    CRASH_MEMORY,    /* it has no place, since where it was noticed is chance */
    CRASH_SCRIBBLED, /* the tested code wrote over the memory that it shares with the driver */
    CRASH_OTHER,     /* what: the text of the ending */
};

enum {
    CRASH_WHERE_MAX = 96,
    CRASH_KIND_MAX = 96,
    CRASH_LINE_MAX = 1024,
    CRASH_ID_MAX = 64,
    CRASH_PARTS_MAX = 1024
};

struct crash_signature {
    enum crash_class class;
    int detail;
    uint64_t what;   /* hash of a text */
    uint64_t object; /* hash of where the heap object was allocated that it is about; 0: not told */
    uint64_t place;  /* hash of frames, see crash_signature.c; 0: none */
    uint64_t stack;  /* what place would be without the object; 0: the same */
    /* Whether a worker's guard can tell this crash by itself (core/known.h). */
    bool marked;     /* the crash mark alone decided, by so many of its innermost frames: */
    uint32_t frames; /* ... */
    bool whole;      /* that the mark has no further frames counted too */
    char where[CRASH_WHERE_MAX]; /* for people: "parse.c:7", "Aborted at url.c:41" */
    /* What where was made of, for programs; "" where it is not known: */
    char kind[CRASH_KIND_MAX]; /* "Aborted", "AddressSanitizer: heap-buffer-overflow", "failed" */
    char line[CRASH_LINE_MAX]; /* "url.c:41", relative to the package if it lies there */
    char function[CRASH_LINE_MAX]; /* that it lies in */
    /* What place was hashed of, for an identity that lasts (crash_identity.h): functions, some with
     * their lines, "digit@url.c:41;url_parse;". What does not fit is left out. */
    char parts[CRASH_PARTS_MAX];
};

/* What is known of a failing execution. All is borrowed. */
struct crash_marks {
    struct crash_code code; /* shm has log, crash mark and modules; not trusted */
    /* Of a process that died: */
    int status;
    bool hung, stopped, memory;
    const struct stack *stack; /* of one that was read from outside; NULL or n = 0: the mark's */
    const struct ending *ending;
    const char *output; /* the end of what it wrote: a sanitizer's report may be in it */
};

/* crash_signature_failed makes the signature of an execution that answered FAIL, and
 * crash_signature_died that of one that ended its process. */
void crash_signature_failed(const struct crash_marks *m, struct crash_signature *sig);
void crash_signature_died(const struct crash_marks *m, struct crash_signature *sig);

/* crash_signature_equal reports whether two failing inputs show the same crash. -keepfuzzing counts
 * by it. */
bool crash_signature_equal(const struct crash_signature *a, const struct crash_signature *b);

/* crash_signature_is_kept reports whether an input that shows smaller may take the place of one that
 * shows original: they are equal, but for an object that only a report of a smaller input tells. A
 * sanitizer knows an object from near only; far beyond its end it finds nothing to tell. */
bool crash_signature_is_kept(const struct crash_signature *original,
                             const struct crash_signature *smaller);

/* crash_signature_id writes to text what two signatures have in common if, and only if, they are
 * equal. Returns text. */
const char *crash_signature_id(const struct crash_signature *sig, char text[CRASH_ID_MAX]);

#endif
