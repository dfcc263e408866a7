/*
 * foreign.c - see foreign.h.
 *
 * Symbols' names are in the file as they are, of ELF and of LLVM's bitcode, in an archive too. So
 * the file is searched for one, and not read as what it is.
 */
#define _GNU_SOURCE
#include "build/foreign.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether data begins like an object, or like an archive with its members in it. */
static bool is_linked_statically(const char *data, size_t len)
{
    static const char archive[] = "!<arch>\n", bitcode[] = "BC\xc0\xde";
    const Elf64_Ehdr *elf = (const Elf64_Ehdr *)data;

    if (len >= sizeof *elf && memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0)
        return elf->e_type == ET_REL;
    return (len >= sizeof archive && memcmp(data, archive, sizeof archive - 1) == 0) ||
           (len >= sizeof bitcode && memcmp(data, bitcode, sizeof bitcode - 1) == 0);
}

static bool mentions(const char *data, size_t len, const char *name)
{
    return memmem(data, len, name, strlen(name)) != NULL;
}

static unsigned of_file(const char *path)
{
    struct stat st;
    unsigned told = 0;
    char *data;
    size_t len;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        len = (size_t)st.st_size;
        data = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED) {
            if (is_linked_statically(data, len) && mentions(data, len, "__sanitizer_cov_") &&
                !mentions(data, len, "cfuzz_trace_init")) /* the plugin's */
                told = FOREIGN_COVERAGE |
                       (mentions(data, len, "__sancov_lowest_stack") ? FOREIGN_DEPTH : 0);
            munmap(data, len);
        }
    }
    close(fd);
    return told;
}

/* A path of len bytes, relative to directory. */
static unsigned of_path(const char *directory, const char *path, size_t len)
{
    char at[PATH_MAX];
    int n = path[0] == '/' ? snprintf(at, sizeof at, "%.*s", (int)len, path)
                           : snprintf(at, sizeof at, "%s/%.*s", directory, (int)len, path);

    return len > 0 && n > 0 && (size_t)n < sizeof at ? of_file(at) : 0;
}

/* -lname, looked for in the directories of all -L. */
static unsigned of_library(const struct strlist *words, const char *directory, const char *name)
{
    char path[PATH_MAX];
    unsigned told = 0;

    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i], *in = word + 2;
        int n;

        if (strncmp(word, "-L", 2) != 0)
            continue;
        if (*in == '\0')
            in = i + 1 < words->n ? words->v[i + 1] : "";
        n = name[0] == ':' ? snprintf(path, sizeof path, "%s/%s", in, name + 1)
                           : snprintf(path, sizeof path, "%s/lib%s.a", in, name);
        if (n > 0 && (size_t)n < sizeof path)
            told |= of_path(directory, path, (size_t)n);
    }
    return told;
}

unsigned foreign_objects(const struct strlist *words, const char *directory)
{
    unsigned told = 0;

    for (size_t i = 0; i < words->n; i++) {
        const char *word = words->v[i];

        if (strncmp(word, "-l", 2) == 0) {
            told |= of_library(words, directory,
                               word[2] != '\0'    ? word + 2
                               : i + 1 < words->n ? words->v[i + 1]
                                                  : "");
        } else if (strncmp(word, "-Wl,", 4) == 0) {
            for (const char *at = word + 4; *at != '\0'; at += at[0] == ',') {
                size_t len = strcspn(at, ",");

                if (at[0] != '-')
                    told |= of_path(directory, at, len);
                at += len;
            }
        } else if (word[0] != '-') {
            told |= of_path(directory, word, strlen(word));
        }
    }
    return told;
}
