/*
 * depth_foreign.c - the depth of the stack in a program with objects that others built with
 * -fsanitize-coverage=stack-depth. The plugin's announce it themselves (abi.h). The driver has this
 * linked by the name cfz_depth_linked.
 */
#include "abi.h"

extern const char cfz_depth_linked;
const char cfz_depth_linked = 1;

__attribute__((constructor)) static void announce(void)
{
    cfuzz_depth_init(CFUZZ_ABI);
}
