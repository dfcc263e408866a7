/*
 * frames.h - a stack as the user reads it: numbered frames, of which repeated ones are counted.
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
        char *text; /* "parse parse.c:41:9"; NULL: frames that are not known are left out here */
        uint64_t number; /* of the frame, or how many are left out */
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

/* frames_skip appends n frames of which nothing is known. CFZ_ENOMEM. */
int frames_skip(struct frames *f, uint64_t n, struct cfz_error *err);

/*
 * frames_print appends a line for each frame. A sequence of up to 16 frames that is repeated at
 * once, by recursion of one or several functions, is printed once and counted. Unknown functions at
 * the end are left out, but not the innermost frame. CFZ_ENOMEM.
 */
int frames_print(const struct frames *all, struct cfz_buf *out, struct cfz_error *err);

/*
 * frames_is_runtime reports whether function is one of those that call a test: of our runtime, of
 * libffi or of the C library's start. No frame from there outward is the user's. This is the only
 * list of them: messages and crash signatures end a stack at the same frame.
 *
 * frames_is_test reports whether function is the test, or its setup part: the outermost frame of
 * the user's code.
 */
bool frames_is_runtime(const char *function, size_t len);
bool frames_is_test(const char *function, size_t len, const char *test);

void frames_release(struct frames *f);

#endif
