/*
 * frames.h - a stack as the user reads it: numbered frames, without what repeats.
 *
 *     #0 parse parse.c:41:9
 *     #1 value parse.c:17:5
 *        and 30 times more these 2
 *        ... 25998 frames left out
 *     #26060 FuzzParse parse.c:80:5
 *
 * Pure. Context: ordinary.
 */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>

#include "core/buf.h"

struct frames {
    struct frame_text {
        char *text;      /* NULL: frames that are not known were left out here */
        uint64_t number; /* of the frame; or of how many were left out */
    } * v;
    size_t n, cap;
    uint64_t next; /* the number of the next frame */
};

#define FRAMES_INIT                                                                                \
    {                                                                                              \
        NULL, 0, 0, 0                                                                              \
    }

/*
 * frames_add appends a frame. place is "file:line:column"; "" or "??..." if it is not known. It is
 * shown relative to dir, and without ":0" for an unknown column. CFZ_ENOMEM.
 */
int frames_add(struct frames *f, const char *function, size_t function_len, const char *place,
               size_t place_len, const char *dir, struct cfz_error *err);

/* frames_shorten makes a place relative to dir. False if it does not lie in dir; it stays then. */
bool frames_shorten(const char **place, size_t *len, const char *dir);

/* frames_skip notes that n frames follow of which nothing is known. CFZ_ENOMEM. */
int frames_skip(struct frames *f, uint64_t n, struct cfz_error *err);

/*
 * frames_print appends a line a frame. A sequence of up to 16 frames that comes again at once is
 * printed once and counted: recursion, also of several functions. Unknown functions at the end are
 * left out. CFZ_ENOMEM.
 */
int frames_print(const struct frames *all, struct cfz_buf *out, struct cfz_error *err);

/*
 * What frames are, by the name of the function: frames_is_runtime, where our runtime calls the
 * test: nothing from there outward is the user's; frames_is_test, the test function or its setup
 * part, the outermost frame of the user's.
 */
bool frames_is_runtime(const char *function, size_t len);
bool frames_is_test(const char *function, size_t len, const char *test);

void frames_release(struct frames *f);

#endif
