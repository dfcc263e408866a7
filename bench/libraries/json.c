/*
 * json.c - cJSON parses, prints, and looks for a member.
 */
#include <stdlib.h>

#include <cJSON.h>

#include "target.h"

void bench_target(const uint8_t *data, size_t len)
{
    cJSON *value = cJSON_ParseWithLength((const char *)data, len);
    cJSON *copy;

    if (!value)
        return;
    free(cJSON_Print(value));
    free(cJSON_PrintUnformatted(value));
    copy = cJSON_Duplicate(value, 1);
    cJSON_Compare(value, copy, 0);
    cJSON_GetObjectItem(value, "key");
    cJSON_Delete(copy);
    cJSON_Delete(value);
}
