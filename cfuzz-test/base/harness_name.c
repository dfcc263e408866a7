/*
 * harness_name.c - see harness_name.h.
 */
#include "base/harness_name.h"

#include <stdio.h>

const char *harness_name(void)
{
    static char name[32];

    if (name[0] == '\0')
        snprintf(name, sizeof name, "%s%s", "LLVMFuzzer", "TestOneInput");
    return name;
}
