/*
 * session.c - see session.h.
 */
#define _GNU_SOURCE
#include "process/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "process/origin_client.h"
#include "cli/report.h"
#include "base/subprocess.h"

static void on_closed(uv_handle_t *h)
{
    free(h);
}

static void on_tick(uv_timer_t *t)
{
    struct session *s = t->data;

    if (s->origin != NULL)
        origin_tick(s->origin, uv_hrtime());
}

static void on_signal(uv_signal_t *h, int signum)
{
    struct session *s = h->data;

    if (signum == SIGINT)
        s->interrupts++;
    else
        s->terminated = signum;
}

static int start_handles(struct session *s, struct cfz_error *err)
{
    static const int signums[3] = {SIGINT, SIGTERM, SIGHUP};

    s->tick = malloc(sizeof *s->tick);
    if (s->tick == NULL)
        return cfz_fail_nomem(err);
    uv_timer_init(s->loop, s->tick);
    s->tick->data = s;
    uv_timer_start(s->tick, on_tick, SESSION_TICK_MS, SESSION_TICK_MS);
    for (size_t i = 0; i < 3; i++) {
        struct sigaction old;

        /* What a parent such as nohup made us ignore stays ignored. */
        if (sigaction(signums[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        s->signals[i] = malloc(sizeof *s->signals[i]);
        if (s->signals[i] == NULL)
            return cfz_fail_nomem(err);
        uv_signal_init(s->loop, s->signals[i]);
        s->signals[i]->data = s;
        uv_signal_start(s->signals[i], on_signal, signums[i]);
    }
    return 0;
}

int session_open(struct session *s, const struct options *opt, const struct test_binary *bin,
                 struct cfz_error *err)
{
    int r;

    *s = (struct session){.opt = opt, .bin = bin};
    s->loop = malloc(sizeof *s->loop);
    if (s->loop == NULL)
        return cfz_fail_nomem(err);
    r = uv_loop_init(s->loop);
    if (r < 0) {
        free(s->loop);
        s->loop = NULL;
        return cfz_fail(err, CFZ_EIO, "make an event loop: %s", uv_strerror(r));
    }
    s->now = uv_hrtime();
    if (start_handles(s, err) < 0 || origin_start(s, &s->origin, err) < 0) {
        session_close(s);
        return -1;
    }
    return 0;
}

void session_close(struct session *s)
{
    if (s->loop == NULL)
        return;
    origin_stop(s->origin);
    s->origin = NULL;
    if (s->tick != NULL)
        uv_close((uv_handle_t *)s->tick, on_closed);
    s->tick = NULL;
    for (size_t i = 0; i < 3; i++) {
        if (s->signals[i] != NULL)
            uv_close((uv_handle_t *)s->signals[i], on_closed);
        s->signals[i] = NULL;
    }
    while (uv_run(s->loop, UV_RUN_DEFAULT) != 0) {
    }
    uv_loop_close(s->loop);
    free(s->loop);
    s->loop = NULL;
}

void session_pump(struct session *s)
{
    uv_run(s->loop, UV_RUN_ONCE);
    s->now = uv_hrtime();
}

int session_check(const struct session *s, struct cfz_error *err)
{
    char text[SUBPROCESS_STATUS_MAX];

    if (s->terminated != 0)
        return cfz_fail(err, CFZ_EIO, "ended by signal: %s",
                        subprocess_signal_name(s->terminated, text));
    if (report_broken() != 0) {
        errno = report_broken();
        return cfz_fail_errno(err, "write to stdout");
    }
    if (s->origin != NULL)
        return origin_check(s->origin, err);
    return 0;
}
