/*
 * Day numbers and calendar dates, both ways.
 *
 * Bug: a wrong result, found by the test's own check (cfuzz_error). Division
 * truncates towards zero, so days before 1 March 2000 fall into the wrong era.
 */
#include <stdint.h>

struct date {
    int32_t year;
    int month, day; /* from 1 */
};

enum {
    ERA = 146097, /* days in 400 years */
    SHIFT = 11017 /* from 1970-01-01 to 2000-03-01 */
};

/* Years begin in March here, so that the leap day is the last. */
static struct date date_from_days(int32_t days)
{
    int64_t z = (int64_t)days - SHIFT;
    int64_t era = z / ERA; /* the bug: rounds up below zero */
    int64_t doe = z - era * ERA;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;
    struct date d;

    d.day = (int)(doy - (153 * mp + 2) / 5 + 1);
    d.month = (int)(mp < 10 ? mp + 3 : mp - 9);
    d.year = (int32_t)(2000 + era * 400 + yoe + (d.month <= 2));
    return d;
}

static int64_t days_from_date(struct date d)
{
    int64_t y = (int64_t)d.year - 2000 - (d.month <= 2);
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t yoe = y - era * 400;
    int64_t doy = (153 * (d.month > 2 ? d.month - 3 : d.month + 9) + 2) / 5 + d.day - 1;

    return era * ERA + yoe * 365 + yoe / 4 - yoe / 100 + doy + SHIFT;
}

#ifdef CFUZZ
#include <cfuzz.h>

FUZZ_SETUP(FuzzDate)(cfuzz_f *f)
{
    cfuzz_add(f, 11017); /* 2000-03-01 */
    cfuzz_add(f, 20000);
}

FUZZ_TEST(FuzzDate, int32)(cfuzz_t *t, int32_t days)
{
    struct date d = date_from_days(days);

    if (d.month < 1 || d.month > 12 || d.day < 1 || d.day > 31)
        cfuzz_error(t, "day %d is %d-%02d-%02d", days, d.year, d.month, d.day);
    if (days_from_date(d) != days)
        cfuzz_error(t, "day %d becomes %lld", days, (long long)days_from_date(d));
}
#endif
