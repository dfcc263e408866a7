/*
 * duration.c - lengths of time as Go writes them.
 */
#include "base/duration.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { NS = 1, US = 1000 * NS, MS = 1000 * US, SECOND = 1000 * MS };

static const struct unit {
    const char *name;
    uint64_t ns;
} units[] = {
    {"ns", NS},
    {"us", US},
    {"\u00b5s", US}, /* micro sign */
    {"\u03bcs", US}, /* Greek mu */
    {"ms", MS},
    {"s", SECOND},
    {"m", UINT64_C(60) * SECOND},
    {"h", UINT64_C(3600) * SECOND},
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Finds the longest unit at s and returns its length; 0 if there is none. */
static size_t parse_unit(const char *s, uint64_t *ns)
{
    size_t len = strcspn(s, ".0123456789");

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strlen(units[i].name) == len && memcmp(units[i].name, s, len) == 0) {
            *ns = units[i].ns;
            return len;
        }
    }
    return 0;
}

bool duration_parse(const char *text, int64_t *ns)
{
    /* One more than INT64_MAX is allowed on the way: the most negative duration. */
    const uint64_t max = (uint64_t)INT64_MAX + 1;
    const char *s = text;
    bool negative = *s == '-';
    uint64_t total = 0;

    if (*s == '-' || *s == '+')
        s++;
    if (strcmp(s, "0") == 0) {
        *ns = 0;
        return true;
    }
    if (*s == '\0')
        return false;
    while (*s != '\0') {
        const char *start = s;
        uint64_t whole = 0, fraction = 0, unit, part;
        double scale = 1;
        bool dot = false;
        size_t len;

        for (; is_digit(*s); s++) {
            if (whole > (max - (uint64_t)(*s - '0')) / 10)
                return false;
            whole = whole * 10 + (uint64_t)(*s - '0');
        }
        if (*s == '.') {
            dot = true;
            s++;
            for (; is_digit(*s); s++) {
                /* What does not fit 63 bits is far below a nanosecond of an hour. */
                if (fraction <= (uint64_t)(INT64_MAX - 9) / 10) {
                    fraction = fraction * 10 + (uint64_t)(*s - '0');
                    scale *= 10;
                }
            }
        }
        if (s == start || (dot && s == start + 1))
            return false; /* no digit at all */
        len = parse_unit(s, &unit);
        if (len == 0 || whole > max / unit)
            return false;
        s += len;
        part = whole * unit + (uint64_t)((double)fraction * ((double)unit / scale));
        if (part > max || total > max - part)
            return false;
        total += part;
    }
    if (!negative && total == max)
        return false;
    *ns = negative ? (int64_t)(0 - total) : (int64_t)total;
    return true;
}

/* Appends v / 10^digits with the zeros at the end cut off. */
static size_t put_fraction(char *out, size_t size, uint64_t v, unsigned digits)
{
    uint64_t scale = 1;
    int n;

    for (unsigned i = 0; i < digits; i++)
        scale *= 10;
    n = snprintf(out, size, "%" PRIu64, v / scale);
    if (v % scale != 0) {
        n += snprintf(out + n, size - (size_t)n, ".%0*" PRIu64, (int)digits, v % scale);
        while (out[n - 1] == '0')
            n--;
    }
    out[n] = '\0';
    return (size_t)n;
}

const char *duration_format(int64_t ns, char text[DURATION_TEXT_MAX])
{
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    size_t n = 0, size = DURATION_TEXT_MAX;

    if (ns < 0)
        text[n++] = '-';
    if (v == 0) {
        snprintf(text, size, "0s");
    } else if (v < SECOND) {
        unsigned digits = v < US ? 0 : v < MS ? 3 : 6;

        n += put_fraction(text + n, size - n, v, digits);
        snprintf(text + n, size - n, "%s", digits == 0 ? "ns" : digits == 3 ? "\u00b5s" : "ms");
    } else {
        uint64_t minutes = v / (UINT64_C(60) * SECOND);

        if (minutes >= 60)
            n += (size_t)snprintf(text + n, size - n, "%" PRIu64 "h", minutes / 60);
        if (minutes > 0)
            n += (size_t)snprintf(text + n, size - n, "%" PRIu64 "m", minutes % 60);
        n += put_fraction(text + n, size - n, v % (UINT64_C(60) * SECOND), 9);
        snprintf(text + n, size - n, "s");
    }
    return text;
}
