/*
 * entry.c - a target behind the function that libFuzzer and the driver of AFL++ call.
 */
#include "count.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    bench_count(len);
    bench_target(data, len);
    return 0;
}
