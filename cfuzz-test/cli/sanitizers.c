/*
 * sanitizers.c - see sanitizers.h.
 */
#include "cli/sanitizers.h"

#include "core/protocol.h"

#define FLAG(name, kind, field, argument, group, dflt, help) /* flags.c has these */
#define SANITIZER_FLAG(flag, bit, value, name, help) {flag, bit, value, name},
const struct sanitizer sanitizers_all[] = {
#include "cli/flags.def"
};
#undef FLAG
#undef SANITIZER_FLAG

const size_t sanitizers_count = sizeof sanitizers_all / sizeof sanitizers_all[0];
