/*
 * decompress.c - see decompress.h.
 */
#include "target/decompress.h"

#include <stddef.h>
#include <string.h>

/* Of zlib, zlib-ng, libdeflate, miniz, stb_image and lodepng. Only whether they are there is asked.
 */
#define FUNCTIONS(X)                                                                               \
    X(inflate)                                                                                     \
    X(uncompress) X(zng_inflate) X(libdeflate_deflate_decompress) X(mz_inflate)                    \
        X(tinfl_decompress) X(stbi_zlib_decode_buffer) X(lodepng_inflate)

#define DECLARE(name) extern char name[] __attribute__((weak));
FUNCTIONS(DECLARE)

bool cfz_decompresses(const struct cfz_proc_shm *mem)
{
    static const char *const libraries[] = {"libz.so", "libz-ng.so", "libdeflate.so"};
#define ADDRESS(name) name,
    const char *const functions[] = {FUNCTIONS(ADDRESS)};

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i])
            return true;
    for (uint32_t m = 0; m < mem->nmodules; m++) {
        const char *name = strrchr(mem->modules[m].path, '/');

        for (size_t i = 0; name && i < sizeof libraries / sizeof libraries[0]; i++)
            if (strncmp(name + 1, libraries[i], strlen(libraries[i])) == 0)
                return true;
    }
    return false;
}
