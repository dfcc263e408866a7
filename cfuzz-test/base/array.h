/*
 * array.h - arrays that grow.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

#include "core/error.h"

/*
 * Makes room for one more element at *v, an array of *cap elements of size bytes, of which n are in
 * use: when it is full it is moved to twice the room, and *v and *cap are set. An empty array is
 * NULL and 0. The caller frees *v. -1 with err without memory, and *v is as it was.
 */
int array_grow(void **v, size_t n, size_t *cap, size_t size, struct cfz_error *err);

#endif
