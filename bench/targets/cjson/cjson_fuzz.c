/*
 * Fuzz tests for cJSON, put beside its sources by fetch.sh.
 *
 * What parses is printed, parsed again, and has to be equal; and printing is
 * stable from then on.
 */
#ifdef CFUZZ
#include <math.h>
#include <string.h>
#include <cfuzz.h>
#include "cJSON.h"

/* Numbers beyond double's range are printed as null, by design of cJSON, so they change. */
static bool has_infinity(const cJSON *item)
{
    const cJSON *child;

    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
        return true;
    cJSON_ArrayForEach(child, item)
        if (has_infinity(child))
            return true;
    return false;
}

/* cJSON_Compare looks members up by name, so of two with one name it sees the first only. */
static bool has_duplicate_names(const cJSON *item)
{
    const cJSON *a, *b;

    if (cJSON_IsObject(item))
        for (a = item->child; a != NULL; a = a->next)
            for (b = a->next; b != NULL; b = b->next)
                if (strcmp(a->string, b->string) == 0)
                    return true;
    cJSON_ArrayForEach(a, item)
        if (has_duplicate_names(a))
            return true;
    return false;
}

FUZZ_SETUP(FuzzRoundTrip)(cfuzz_f *f)
{
    cfuzz_add(f, CFUZZ_BYTES("{\"name\": \"fuzz\", \"list\": [1, -2.5e3, true, null, \"\\u00e9\"]}"),
              false);
    cfuzz_add(f, CFUZZ_BYTES("[[], {}, \"\\\"\\\\\\n\"]"), true);
    cfuzz_add(f, CFUZZ_BYTES("42"), false);
    cfuzz_add(f, CFUZZ_BYTES(""), false);
}

FUZZ_TEST(FuzzRoundTrip, []byte, bool)(cfuzz_t *t, const uint8_t *data, size_t len, bool formatted)
{
    cJSON *first, *second;
    char *text, *again;

    first = cJSON_ParseWithLength((const char *)data, len);
    if (first == NULL)
        cfuzz_skip(t, "not JSON");
    if (has_infinity(first) || has_duplicate_names(first)) {
        cJSON_Delete(first);
        cfuzz_skip(t, "not to be compared");
    }
    text = formatted ? cJSON_Print(first) : cJSON_PrintUnformatted(first);
    if (text == NULL)
        cfuzz_fatal(t, "parsed, but does not print");
    second = cJSON_Parse(text);
    if (second == NULL)
        cfuzz_fatal(t, "printed, but does not parse: %s", text);
    if (!cJSON_Compare(first, second, true))
        cfuzz_error(t, "not equal after printing: %s", text);
    again = formatted ? cJSON_Print(second) : cJSON_PrintUnformatted(second);
    if (again == NULL || strcmp(text, again) != 0)
        cfuzz_error(t, "prints as %s, and then as %s", text, again != NULL ? again : "nothing");
    cJSON_free(text);
    cJSON_free(again);
    cJSON_Delete(first);
    cJSON_Delete(second);
}
#endif
