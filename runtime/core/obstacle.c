/*
 * obstacle.c - publishes a list of obstacles, and copies one that may be in pieces.
 */
#include "core/obstacle.h"

#include <string.h>

#include "core/extended.h"

void cfz_obstacles_begin(struct cfz_obstacles *list)
{
    /* A process that died while it wrote left begun ahead of done. */
    uint32_t next = atomic_load_explicit(&list->done, memory_order_relaxed) + 1;

    atomic_store_explicit(&list->begun, next, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

void cfz_obstacles_end(struct cfz_obstacles *list)
{
    atomic_store_explicit(&list->done, atomic_load_explicit(&list->begun, memory_order_relaxed),
                          memory_order_release);
}

static bool ends(const char *text, size_t room)
{
    return memchr(text, 0, room) != NULL;
}

/* Whether operands of a kind may have so many bits; text has none. */
static bool is_width(uint8_t kind, uint8_t width)
{
    if (kind == CFZ_SITE_FLOAT)
        return width == 32 || width == 64 || width == CFZ_EXTENDED;
    return width <= 64 && (kind >= CFZ_SITE_MEM || width >= 2);
}

static bool is_sane(const struct cfz_obstacle *o)
{
    if (o->kind < CFZ_SITE_INT || o->kind > CFZ_SITE_FIND_BYTE_MEM ||
        !is_width(o->kind, o->width) || o->want > 15 || o->influence >= CFZ_INFLUENCE_KINDS ||
        o->nranges > CFZ_OBSTACLE_RANGES || o->nvalues > CFZ_OBSTACLE_CASES ||
        o->nvalues > o->nopen || o->nopen > o->ncases || o->len_a > CFZ_OBSTACLE_TEXT ||
        o->len_b > CFZ_OBSTACLE_TEXT || !ends(o->file, sizeof o->file))
        return false;
    for (unsigned i = 0; i < o->nranges; i++)
        if (!ends(o->ranges[i].name, sizeof o->ranges[i].name) ||
            o->ranges[i].from > o->ranges[i].to)
            return false;
    return true;
}

bool cfz_obstacles_copy(const struct cfz_obstacles *from, struct cfz_obstacles *to)
{
    uint32_t done = atomic_load_explicit(&from->done, memory_order_acquire);

    if (done == 0 || atomic_load_explicit(&from->begun, memory_order_relaxed) != done)
        return false;
    memcpy(to->at, from->at, sizeof to->at);
    to->n = from->n;
    to->little = from->little;
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&from->begun, memory_order_relaxed) != done ||
        to->n > CFZ_OBSTACLES_MAX)
        return false;
    for (uint32_t i = 0; i < to->n; i++)
        if (!is_sane(&to->at[i]))
            return false;
    return true;
}
