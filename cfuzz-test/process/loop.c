/*
 * loop.c - see loop.h.
 */
#define _GNU_SOURCE
#include "process/loop.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"

static void on_closed(uv_handle_t *h)
{
    free(h);
}

static void on_tick(uv_timer_t *t)
{
    struct loop *l = t->data;

    if (l->on_tick != NULL)
        l->on_tick(l->ctx, uv_hrtime());
}

static void note_signal(struct loop *l, int signum)
{
    if (signum == SIGINT)
        l->interrupts++;
    else if (signum != 0)
        l->terminated = signum;
}

static void on_signal(uv_signal_t *h, int signum)
{
    note_signal(h->data, signum);
}

static int start_handles(struct loop *l, struct cfz_error *err)
{
    static const int signums[3] = {SIGINT, SIGTERM, SIGHUP};

    l->tick = malloc(sizeof *l->tick);
    if (l->tick == NULL)
        return cfz_fail_nomem(err);
    uv_timer_init(l->uv, l->tick);
    l->tick->data = l;
    uv_timer_start(l->tick, on_tick, LOOP_TICK_MS, LOOP_TICK_MS);
    for (size_t i = 0; i < 3; i++) {
        struct sigaction old;

        /* What a parent such as nohup made us ignore stays ignored. */
        if (sigaction(signums[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        l->signals[i] = malloc(sizeof *l->signals[i]);
        if (l->signals[i] == NULL)
            return cfz_fail_nomem(err);
        uv_signal_init(l->uv, l->signals[i]);
        l->signals[i]->data = l;
        uv_signal_start(l->signals[i], on_signal, signums[i]);
    }
    return 0;
}

/* While libuv makes its first loop. Context: signal, of our own abort(). */
static void on_abort(int sig)
{
    static const char what[] = "cfuzz-test: make an event loop: ";
    const char *why = strerrordesc_np(errno);

    (void)sig;
    if (why == NULL)
        why = "no room for a pipe";
    if (write(STDERR_FILENO, what, sizeof what - 1) < 0 ||
        write(STDERR_FILENO, why, strlen(why)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(2);
    _exit(2);
}

/* uv_loop_init, which aborts the process where the first pipe of all cannot be made. */
static int init_loop(uv_loop_t *uv)
{
    struct sigaction sa = {.sa_handler = on_abort}, old;
    int r;

    sigaction(SIGABRT, &sa, &old);
    r = uv_loop_init(uv);
    sigaction(SIGABRT, &old, NULL);
    return r;
}

int loop_open(struct loop *l, struct cfz_error *err)
{
    int r;

    *l = (struct loop){.uv = malloc(sizeof *l->uv)};
    if (l->uv == NULL)
        return cfz_fail_nomem(err);
    r = init_loop(l->uv);
    if (r < 0) {
        free(l->uv);
        l->uv = NULL;
        return cfz_fail(err, CFZ_EIO, "make an event loop: %s", uv_strerror(r));
    }
    l->now = uv_hrtime();
    if (start_handles(l, err) < 0) {
        loop_close(l);
        return -1;
    }
    note_signal(l, interrupt_take()); /* one that came before */
    return 0;
}

void loop_close(struct loop *l)
{
    if (l->uv == NULL)
        return;
    if (l->tick != NULL)
        uv_close((uv_handle_t *)l->tick, on_closed);
    l->tick = NULL;
    for (size_t i = 0; i < 3; i++) {
        if (l->signals[i] != NULL)
            uv_close((uv_handle_t *)l->signals[i], on_closed);
        l->signals[i] = NULL;
    }
    while (uv_run(l->uv, UV_RUN_DEFAULT) != 0) {
    }
    uv_loop_close(l->uv);
    free(l->uv);
    l->uv = NULL;
    interrupt_catch_again();
}

void loop_pump(struct loop *l)
{
    uv_run(l->uv, UV_RUN_ONCE);
    l->now = uv_hrtime();
}
