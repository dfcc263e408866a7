/*
 * child.c - see child.h.
 */
#include "process/child.h"

void children_add(struct child **list, struct child *c)
{
    c->next = *list;
    *list = c;
}

void children_remove(struct child **list, struct child *c)
{
    while (*list != NULL && *list != c)
        list = &(*list)->next;
    if (*list != NULL)
        *list = c->next;
}

bool children_message(struct child *list, const struct cfz_msg *m)
{
    struct child *c = list;

    if (m->type != CFZ_MSG_FORKED && m->type != CFZ_MSG_EXIT)
        return false;
    while (c != NULL && c->id != m->u.exit.id)
        c = c->next;
    if (c != NULL && m->type == CFZ_MSG_FORKED)
        c->type->forked(c, m->u.exit.pid);
    else if (c != NULL)
        c->type->exited(c, m->u.exit.status);
    return true;
}

void children_orphaned(struct child *list, int status)
{
    for (struct child *c = list; c != NULL; c = c->next)
        c->type->orphaned(c, status);
}

void children_tick(struct child *list, uint64_t now)
{
    for (struct child *c = list; c != NULL; c = c->next)
        c->type->tick(c, now);
}

void children_excuse(struct child *list, uint64_t now)
{
    for (struct child *c = list; c != NULL; c = c->next)
        c->type->excuse(c, now);
}

void children_shift(struct child *list, uint64_t by, uint64_t now)
{
    for (struct child *c = list; c != NULL; c = c->next)
        c->type->shift(c, by, now);
}

void children_free(struct child **list)
{
    while (*list != NULL)
        (*list)->type->free(*list);
}
