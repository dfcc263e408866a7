/* scale.h - numbers written as "3.5 9 2", scaled so that the largest is 1. */
#ifndef SCALE_H
#define SCALE_H

/* scale_read reads up to max numbers; returns how many, or -1 at something else. */
int scale_read(const char *text, double *out, int max);

#endif
