/*
 * session.c - see session.h.
 */
#include "process/session.h"

int session_open(struct session *s, const struct options *opt, const struct test_binary *bin,
                 struct cfz_error *err)
{
    *s = (struct session){.origin = NULL};
    if (loop_open(&s->loop, err) < 0)
        return -1;
    if (origin_start(opt, bin, &s->loop, &s->origin, err) < 0) {
        session_close(s);
        return -1;
    }
    return 0;
}

void session_close(struct session *s)
{
    origin_stop(s->origin);
    s->origin = NULL;
    loop_close(&s->loop);
}
