/*
 * ossfuzz_init.c - cfuzz-test ossfuzz -init: the files that ClusterFuzzLite and OSS-Fuzz want to
 * find, for a person to read, complete and commit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/report.h"
#include "core/io.h"
#include "ossfuzz/ossfuzz.h"

/* In a text @NAME@ stands for the name of the current directory. */
static const char dockerfile[] =
    "# The image in which the fuzz targets of @NAME@ are built.\n"
    "FROM gcr.io/oss-fuzz-base/base-builder:v1\n"
    "\n"
    "# What cfuzz needs to be built, but for clang: it takes that of the image. Where there is no "
    "plugin for it,\n"
    "# tests register themselves and the coverage is that of the image.\n"
    "RUN apt-get update && apt-get install -y cmake ninja-build pkgconf libuv1-dev libpcre2-dev "
    "\\\n"
    "    libmd-dev libjansson-dev libminizip-dev libarchive-dev libmicrohttpd-dev libdw-dev libffi-dev\n"
    "\n"
    "# Say where cfuzz comes from. The image's flags are for clang and fuzz targets.\n"
    "ARG CFUZZ_REPOSITORY\n"
    "RUN git clone --depth 1 \"$CFUZZ_REPOSITORY\" $SRC/cfuzz && \\\n"
    "    CFLAGS= CXXFLAGS= cmake -S $SRC/cfuzz -B /tmp/cfuzz -G Ninja -DCMAKE_C_COMPILER=gcc "
    "-DCMAKE_CXX_COMPILER=g++ \\\n"
    "        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr/local -DCFUZZ_TESTS=OFF && "
    "\\\n"
    "    cmake --build /tmp/cfuzz --target install\n"
    "\n"
    "@SOURCES@\n"
    "WORKDIR $SRC/@NAME@\n"
    "COPY @BUILD@ $SRC/build.sh\n";

static const char build_sh[] = "#!/bin/bash -eu\n"
                               "# Builds each fuzz test of @NAME@ into $OUT, with its seeds and "
                               "words, as FUZZING_ENGINE and SANITIZER say.\n"
                               "cfuzz-test ossfuzz ./...\n";

static const char lite_yaml[] = "language: c\n";

static const char oss_yaml[] = "# homepage, primary_contact and main_repo are yours to fill in.\n"
                               "homepage: \"\"\n"
                               "language: c\n"
                               "primary_contact: \"\"\n"
                               "main_repo: \"\"\n"
                               "fuzzing_engines:\n"
                               "  - libfuzzer\n"
                               "  - afl\n"
                               "  - honggfuzz\n"
                               "sanitizers:\n"
                               "  - address\n"
                               "  - undefined\n"
                               "  - memory\n";

static const char workflow[] =
    "# ClusterFuzzLite: the fuzz tests of a pull request, for ten minutes.\n"
    "name: ClusterFuzzLite\n"
    "on:\n"
    "  pull_request:\n"
    "permissions: read-all\n"
    "jobs:\n"
    "  fuzz:\n"
    "    runs-on: ubuntu-latest\n"
    "    strategy:\n"
    "      fail-fast: false\n"
    "      matrix:\n"
    "        sanitizer: [address, undefined]\n"
    "    steps:\n"
    "      - name: Build\n"
    "        uses: google/clusterfuzzlite/actions/build_fuzzers@v1\n"
    "        with:\n"
    "          language: c\n"
    "          github-token: ${{ secrets.GITHUB_TOKEN }}\n"
    "          sanitizer: ${{ matrix.sanitizer }}\n"
    "      - name: Fuzz\n"
    "        uses: google/clusterfuzzlite/actions/run_fuzzers@v1\n"
    "        with:\n"
    "          github-token: ${{ secrets.GITHUB_TOKEN }}\n"
    "          fuzz-seconds: 600\n"
    "          mode: code-change\n"
    "          sanitizer: ${{ matrix.sanitizer }}\n"
    "          output-sarif: true\n";

/* ClusterFuzzLite builds the checkout that it is in; OSS-Fuzz fetches one. */
static const char lite_sources[] = "COPY . $SRC/@NAME@";
static const char oss_sources[] = "# Say where @NAME@ comes from.\n"
                                  "ARG REPOSITORY\n"
                                  "RUN git clone --depth 1 \"$REPOSITORY\" $SRC/@NAME@\n";

static const struct file {
    const char *dir, *name, *text, *sources, *build;
} files[] = {
    {".clusterfuzzlite", "Dockerfile", dockerfile, lite_sources, ".clusterfuzzlite/build.sh"},
    {".clusterfuzzlite", "build.sh", build_sh, NULL, NULL},
    {".clusterfuzzlite", "project.yaml", lite_yaml, NULL, NULL},
    {".github/workflows", "clusterfuzzlite.yml", workflow, NULL, NULL},
    {"oss-fuzz", "Dockerfile", dockerfile, oss_sources, "build.sh"},
    {"oss-fuzz", "build.sh", build_sh, NULL, NULL},
    {"oss-fuzz", "project.yaml", oss_yaml, NULL, NULL},
};

enum { FILES = sizeof(files) / sizeof(files[0]) };

/* Appends a text with what stands for something else replaced. */
static int expand(const struct file *f, const char *text, const char *name, struct cfz_buf *out,
                  struct cfz_error *err)
{
    static const char mark_name[] = "@NAME@", mark_sources[] = "@SOURCES@",
                      mark_build[] = "@BUILD@";

    while (*text != '\0') {
        size_t len = strcspn(text, "@");
        int ret = cfz_buf_append(out, text, len, err);

        text += len;
        if (ret == 0 && strncmp(text, mark_name, sizeof(mark_name) - 1) == 0) {
            ret = cfz_buf_puts(out, name, err);
            text += sizeof(mark_name) - 1;
        } else if (ret == 0 && strncmp(text, mark_sources, sizeof(mark_sources) - 1) == 0) {
            ret = expand(f, f->sources, name, out, err);
            text += sizeof(mark_sources) - 1;
        } else if (ret == 0 && strncmp(text, mark_build, sizeof(mark_build) - 1) == 0) {
            ret = cfz_buf_puts(out, f->build, err);
            text += sizeof(mark_build) - 1;
        } else if (ret == 0 && *text != '\0') {
            ret = cfz_buf_append(out, text++, 1, err);
        }
        if (ret < 0)
            return -1;
    }
    return 0;
}

static int write_one(const struct file *f, const char *name, struct cfz_error *err)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    int dir = -1, ret = -1;

    if (expand(f, f->text, name, &text, err) < 0 || cfz_io_mkdirs(f->dir, err) < 0)
        goto out;
    dir = open(f->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        cfz_fail_errno(err, "%s", f->dir);
    else
        ret = cfz_io_write_file(dir, f->name, text.data, text.len, 0, err);
    if (ret == 0 && strncmp(cfz_buf_str(&text), "#!", 2) == 0 &&
        fchmodat(dir, f->name, 0755, 0) < 0)
        ret = cfz_fail_errno(err, "%s/%s", f->dir, f->name);
out:
    if (dir >= 0)
        close(dir);
    cfz_buf_release(&text);
    return ret;
}

/* Whether a name can stand in the path of an image as it is. */
static bool is_plain(const char *name)
{
    return name[0] != '\0' &&
           name[strspn(
               name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-")] == '\0';
}

int ossfuzz_init(struct cfz_error *err)
{
    char *here = getcwd(NULL, 0);
    const char *name = here != NULL ? strrchr(here, '/') + 1 : "";
    int ret = 0;

    if (here == NULL)
        return cfz_fail_errno(err, "the current directory");
    if (!is_plain(name))
        ret = cfz_fail(err, CFZ_EUSAGE,
                       "%s: the name of the directory is that of the project: letters, digits and "
                       "_.+- please",
                       here);
    for (size_t i = 0; ret == 0 && i < FILES; i++) {
        struct cfz_buf path = CFZ_BUF_INIT;

        ret = cfz_buf_printf(&path, err, "%s/%s", files[i].dir, files[i].name);
        if (ret == 0 && access(cfz_buf_str(&path), F_OK) == 0)
            ret = cfz_fail(err, CFZ_EEXIST, "%s: is there already; nothing was written",
                           cfz_buf_str(&path));
        cfz_buf_release(&path);
    }
    for (size_t i = 0; ret == 0 && i < FILES; i++) {
        ret = write_one(&files[i], name, err);
        if (ret == 0)
            report_line("%s/%s", files[i].dir, files[i].name);
    }
    free(here);
    return ret;
}
