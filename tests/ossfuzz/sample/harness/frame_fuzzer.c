/*
 * frame_fuzzer.c - a sample: a harness of libFuzzer, as others write them.
 */
#include <stdint.h>
#include <stddef.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static volatile int frames;

    if (size > 4 && memcmp(data, "FRM1", 4) == 0)
        for (size_t i = 4; i < size; i++)
            frames += data[i] == 0x7e;
    return 0;
}
