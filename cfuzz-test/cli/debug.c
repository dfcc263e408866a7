/*
 * debug.c - see debug.h.
 */
#define _GNU_SOURCE
#include "cli/debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/report.h"

long debug_value(const char *text, const char *key)
{
    size_t len = strlen(key);

    while (text != NULL && *text != '\0') {
        if (strncmp(text, key, len) == 0 && text[len] == '=')
            return strtol(text + len + 1, NULL, 10);
        text = strchr(text, ',');
        text = text != NULL ? text + 1 : NULL;
    }
    return 0;
}

bool debug_fuzz(void)
{
    static int on = -1;

    if (on < 0)
        on = debug_value(getenv("CFUZZDEBUG"), "fuzz") != 0;
    return on;
}

bool debug_signature(void)
{
    static int on = -1;

    if (on < 0)
        on = debug_value(getenv("CFUZZDEBUG"), "signature") != 0;
    return on;
}

bool debug_mutations(void)
{
    static int on = -1;

    if (on < 0)
        on = debug_value(getenv("CFUZZDEBUG"), "mutations") != 0;
    return on;
}

void debug_line(const char *fmt, ...)
{
    struct timespec now;
    struct tm tm;
    char stamp[64], text[1024];
    va_list ap;

    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &tm);
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &tm);
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    report_line("%s.%09ld DEBUG %s", stamp, now.tv_nsec, text);
}
