/*
 * entry.c - one test of tests/barriers/targets/bytes.c, BARRIER, behind the function that libFuzzer
 * calls.
 */
#include "bytes.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    BARRIER(NULL, data, len);
    return 0;
}
