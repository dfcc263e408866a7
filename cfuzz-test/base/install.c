/*
 * install.c - where cfuzz's own files are.
 */
#define _GNU_SOURCE
#include "base/install.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* Notes the majors of the files named cfuzz-plugin-<N>.so. */
static void find_plugins(struct install *in)
{
    struct dirent *entry;
    DIR *dir = opendir(in->lib);

    if (dir == NULL)
        return;
    while ((entry = readdir(dir)) != NULL) {
        int major, end = 0;

        if (sscanf(entry->d_name, "cfuzz-plugin-%d.so%n", &major, &end) == 1 && end > 0 &&
            entry->d_name[end] == '\0' && in->nplugins < INSTALL_PLUGINS_MAX)
            in->plugins[in->nplugins++] = major;
    }
    closedir(dir);
    qsort(in->plugins, in->nplugins, sizeof(in->plugins[0]), compare_ints);
}

int install_self(char path[PATH_MAX], struct cfz_error *err)
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

    if (n < 0)
        return cfz_fail_errno(err, "/proc/self/exe");
    path[n] = '\0';
    return 0;
}

int install_find(struct install *out, struct cfz_error *err)
{
    struct install in = {0};
    char self[PATH_MAX];

    if (install_self(self, err) < 0)
        return -1;
    for (int i = 0; i < 2; i++) { /* drop the name, then "bin" */
        char *slash = strrchr(self, '/');

        if (slash != NULL)
            *slash = '\0';
    }
    if (asprintf(&in.lib, "%s/lib/cfuzz", self) < 0)
        in.lib = NULL;
    if (asprintf(&in.include, "%s/include", self) < 0)
        in.include = NULL;
    if (in.lib == NULL || in.include == NULL) {
        install_release(&in);
        return cfz_fail_nomem(err);
    }
    find_plugins(&in);
    *out = in;
    return 0;
}

void install_release(struct install *in)
{
    free(in->lib);
    free(in->include);
    *in = (struct install){0};
}

bool install_has_plugin(const struct install *in, int major)
{
    for (size_t i = 0; i < in->nplugins; i++)
        if (in->plugins[i] == major)
            return true;
    return false;
}

const char *install_list_plugins(const struct install *in, char text[INSTALL_LIST_MAX])
{
    size_t len = 0;

    snprintf(text, INSTALL_LIST_MAX, "none");
    for (size_t i = 0; i < in->nplugins && len < INSTALL_LIST_MAX - 16; i++)
        len += (size_t)snprintf(text + len, INSTALL_LIST_MAX - len, "%s%d", i > 0 ? ", " : "",
                                in->plugins[i]);
    return text;
}
