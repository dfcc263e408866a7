/*
 * loaded.c - see loaded.h.
 */
#define _GNU_SOURCE
#include "self/loaded.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The loaded objects as of the last time that they were listed. A worker begins with those of its
 * host, which most often are its own. */
static struct {
    unsigned long long loads, unloads; /* of the process until then */
    uint32_t n;
    struct cfz_module v[CFZ_MODULES_MAX];
} listed;

/* Tells how many objects were loaded and unloaded so far. */
static int count_loads(struct dl_phdr_info *info, size_t size, void *arg)
{
    unsigned long long *now = arg;

    (void)size;
    now[0] = info->dlpi_adds;
    now[1] = info->dlpi_subs;
    return 1; /* the first object says it */
}

/* Lists one loaded object; other than 0 when the table is full. */
static int list_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct cfz_module *m = &listed.v[listed.n];
    uint64_t start = UINT64_MAX, end = 0;

    (void)size;
    (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type != PT_LOAD)
            continue;
        if (p->p_vaddr < start)
            start = p->p_vaddr;
        if (p->p_vaddr + p->p_memsz > end)
            end = p->p_vaddr + p->p_memsz;
    }
    if (end == 0)
        return 0;
    m->base = info->dlpi_addr;
    m->start = info->dlpi_addr + start;
    m->end = info->dlpi_addr + end;
    if (info->dlpi_name[0]) {
        snprintf(m->path, sizeof m->path, "%s", info->dlpi_name);
    } else { /* the program itself */
        ssize_t n = readlink("/proc/self/exe", m->path, sizeof m->path - 1);

        m->path[n > 0 ? n : 0] = 0;
    }
    return ++listed.n == CFZ_MODULES_MAX;
}

void cfz_loaded_list(struct cfz_proc_shm *mem)
{
    unsigned long long now[2] = {0, 0};

    dl_iterate_phdr(count_loads, now);
    if (listed.n == 0 || now[0] != listed.loads || now[1] != listed.unloads) {
        listed.n = 0;
        dl_iterate_phdr(list_module, NULL);
        listed.loads = now[0];
        listed.unloads = now[1];
    }
    memcpy(mem->modules, listed.v, listed.n * sizeof *listed.v);
    mem->nmodules = listed.n;
}
