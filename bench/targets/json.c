/*
 * json.c - parses the input with cJSON, from Debian's source package with Debian's
 * patches, which is compiled and instrumented like the target itself.
 *
 * The patches matter: cJSON 1.7.15 without them reads one byte past an input that ends
 * after a member's comma, which ends a run at once under an engine that sees it.
 */
#include "cJSON.h"
#include "target.h"

void bench_target(const uint8_t *data, size_t len)
{
    cJSON_Delete(cJSON_ParseWithLength((const char *)data, len));
}
