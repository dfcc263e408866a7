/*
 * worker_server.c - starts a worker, and does the commands of the driver one at a time.
 */
#define _GNU_SOURCE
#include "server/worker_server.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "core/io.h"
#include "server/children.h"
#include "target/alloc.h"
#include "target/crash.h"
#include "server/guard.h"
#include "target/leaks.h"
#include "target/profile.h"
#include "worker/worker_channel.h"
#include "worker/worker_fuzz.h"
#include "worker/worker_search.h"
#include "worker/worker_traced.h"
#include "worker/worker_whole.h"

enum { TRIES_NS = 20 * 1000 * 1000 }; /* of one TRIES: Ctrl-C waits no longer for it; guessed */

static bool fuzzing; /* as in struct cfz_worker, which the target can write over */

/* What the worker was told and what it answers. They are not on the stack, of which each takes 4
 * KiB: that of tested code may be small. */
static struct cfz_msg cmd, result;

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

static void set_state(struct cfz_worker *w, enum cfz_proc_state state)
{
    atomic_store_explicit(&w->shm->state, (uint32_t)state, memory_order_relaxed);
}

/* Writes the BASE record of the execution just done, unless it has no bits. */
static void write_base(struct cfz_worker *w, uint64_t entry, uint64_t ns)
{
    size_t bits = w->seen.nbits * sizeof *w->seen.bits;
    size_t size = (sizeof(struct cfz_record) + bits + 15) & ~(size_t)15;
    struct cfz_record *r;

    if (bits == 0)
        return;
    r = cfz_outbox_reserve(w->shm, size);
    if (!r)
        cfz_crash_internal(w->shm, "no room for the coverage of an input");
    memset(r, 0, sizeof *r);
    r->type = CFZ_RECORD_BASE;
    r->nbits = (uint32_t)w->seen.nbits;
    r->size = size;
    r->entry = entry;
    r->exec = atomic_load_explicit(&w->shm->execs, memory_order_relaxed);
    r->ns = ns;
    memcpy(r + 1, w->seen.bits, bits);
    cfz_outbox_commit(w->shm, r);
}

/* Executes the input in the slots once. */
static void run_once(struct cfz_worker *w)
{
    enum cfz_verdict verdict;
    uint64_t start, ns;

    cfz_counters_reset();
    cfz_leaks_begin();
    start = now_ns();
    verdict =
        cmd.type == CFZ_MSG_TRY && cmd.u.cmd.search ? cfz_worker_traced(w) : cfz_executor_run(w->x);
    ns = now_ns() - start;
    if (cfz_leaks_suspect())
        cfz_leaks_look(w->x, verdict, cmd.type == CFZ_MSG_RUN ? CFZ_LEAKS_SOON : CFZ_LEAKS_NOW);
    if (cfz_counters_late())
        cfz_worker_prepare(w);
    if (cmd.u.cmd.coverage)
        cfz_counters_collect_all(&w->seen);
    else
        cfz_counters_collect(&w->seen);
    cfz_seen_learn(&w->seen);
    write_base(w, cmd.u.cmd.entry, ns);
    cfz_profile_keep();
    if (verdict == CFZ_VERDICT_SKIP)
        atomic_fetch_add_explicit(&w->shm->skipped, 1, memory_order_relaxed);
    result.u.result.verdict = (uint32_t)verdict;
    result.u.result.ns = ns;
}

/* What has to be so before an input is executed, whatever user code did before. */
static void begin_input(struct cfz_worker *w)
{
    cfz_crash_unmark();
    cfz_fpmode_restore(&w->x->fpmode);
    set_state(w, CFZ_STATE_ENGINE);
    atomic_store_explicit(&w->shm->traced, 0, memory_order_relaxed);
}

/* ... and before a command executes anything. Between the inputs of one command, as in the loop of
 * FUZZ, what this sees to would be system calls that cost as much as a fast test. */
static void begin(struct cfz_worker *w)
{
    cfz_crash_rearm();
    begin_input(w);
}

/* What the test printed belongs to its result. Should that crash or not end, the input did it, or
 * one before it: it closed a stream twice, ran over one, or filled a pipe that nobody reads. */
static void flush_what_it_printed(struct cfz_worker *w)
{
    set_state(w, CFZ_STATE_TARGET);
    cfz_io_flush();
    set_state(w, CFZ_STATE_ENGINE);
}

/* Executes the inputs of a TRIES command until one fails, prints, or time is up. */
static void run_several(struct cfz_worker *w)
{
    uint64_t longest = 0, all = 0, len = 0;
    off_t printed = lseek(STDERR_FILENO, 0, SEEK_CUR);
    bool ends = false;

    for (size_t at = 0; at < cmd.text_len && !ends; at += len) {
        if (cmd.text_len - at >= sizeof len) {
            __builtin_memcpy(&len, cmd.text + at, sizeof len);
            at += sizeof len;
        }
        if (cmd.text_len - at < len ||
            !cfz_slots_packed(&w->x->slots, (const uint8_t *)cmd.text + at, len))
            cfz_crash_internal(w->shm, "TRIES: not inputs of this test");
        begin_input(w);
        run_once(w);
        if (result.u.result.ns > longest)
            longest = result.u.result.ns;
        all += result.u.result.ns;
        flush_what_it_printed(w);
        ends = result.u.result.verdict == CFZ_VERDICT_FAIL || all >= TRIES_NS ||
               lseek(STDERR_FILENO, 0, SEEK_CUR) != printed || cfz_worker_stopped(w);
    }
    if (result.u.result.verdict != CFZ_VERDICT_FAIL)
        result.u.result.ns = longest;
}

/* Sends the result of a command. */
static void finish(struct cfz_worker *w)
{
    flush_what_it_printed(w);
    (void)cfz_worker_stopped(w);
    set_state(w, CFZ_STATE_IDLE);
    cfz_worker_send(w, &result);
}

/* Maps what only the loop needs: most processes just execute what they are given. Not inlined, for
 * its frame: the stack of tested code may be small. */
static __attribute__((noinline)) void prepare_to_fuzz(struct cfz_worker *w)
{
    struct cfz_error err = CFZ_ERROR_INIT;

    if (cfz_worker_fuzz_map(w, &err) < 0)
        cfz_crash_unable(w->shm, &err);
    cfz_worker_made(w);
}

/* Does the FUZZ command in w->cmd, from its beginning or from where a known crash broke in. */
static void fuzz(struct cfz_worker *w)
{
    static bool keeps;

    if (!w->room)
        prepare_to_fuzz(w);
    if (!keeps) {
        keeps = true;
        (void)cfz_alloc_keep(w->shm);
    }
    cfz_msg_init(&result, CFZ_MSG_RESULT);
    set_state(w, CFZ_STATE_ENGINE);
    w->fuzzing = fuzzing = true;
    result.u.result.verdict = (uint32_t)cfz_worker_fuzz(w, &result.u.result.mutated);
    result.u.result.drifted = w->drift.found;
    w->fuzzing = fuzzing = false;
    w->resumed = false;
    finish(w);
}

/* Receives one command and does it. */
static void serve(struct cfz_worker *w)
{
    cfz_worker_recv(w, &cmd);
    begin(w);
    cfz_msg_init(&result, CFZ_MSG_RESULT);
    switch (cmd.type) {
    case CFZ_MSG_RUN: {
        const struct cfz_entry *e;

        if (cmd.u.cmd.entry >= atomic_load_explicit(&w->run->nentries, memory_order_acquire))
            cfz_crash_internal(w->shm, "no such entry");
        e = cfz_run_shm_entry(w->run, cmd.u.cmd.entry);
        if (!cfz_slots_packed(&w->x->slots, (const uint8_t *)(e + 1), e->size))
            cfz_crash_internal(w->shm, "an entry is not an input of this test");
        w->shm->parent = w->x->parent = cmd.u.cmd.entry;
        run_once(w);
        break;
    }
    case CFZ_MSG_TRY:
        if (!cfz_slots_adopt(&w->x->slots))
            cfz_crash_internal(w->shm, "an input of a length that no slot has");
        run_once(w);
        break;
    case CFZ_MSG_TRIES:
        run_several(w);
        break;
    case CFZ_MSG_FUZZ:
        w->cmd = cmd;
        fuzz(w);
        return;
    default:
        cfz_crash_internal(w->shm, "worker: not a message for a worker");
    }
    finish(w);
}

/* Called by cfz_executor: puts the input of a FUZZ command back into the slots. Of other commands
 * the driver has the input. */
static void restore_input(void)
{
    if (fuzzing)
        cfz_slots_restore(&cfz_executor.slots, cfz_worker_buffers());
}

void cfz_worker_run(const int fds[CFZ_WORKER_FDS], bool guarded, uint64_t slow_ns)
{
    struct cfz_worker *w;
    struct cfz_error err = CFZ_ERROR_INIT;
    struct cfz_proc_shm *host_shm = cfz_executor.shm;
    struct stat st;

    w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w == MAP_FAILED) {
        cfz_fail_errno(&err, "map memory for a worker");
        cfz_crash_unable(NULL, &err);
    }
    w->x = &cfz_executor;
    w->cur.v = w->cur_v;
    w->x->restore_input = restore_input;
    w->sock = cfz_move_fd(fds[0]);
    fcntl(w->sock, F_SETFL, fcntl(w->sock, F_GETFL) | O_NONBLOCK);
    w->sock_ino = fstat(w->sock, &st) == 0 ? st.st_ino : 0;
    if (cfz_proc_shm_map(fds[1], &w->shm, &err) < 0)
        cfz_crash_unable(NULL, &err);
    w->x->shm = w->shm;
    w->shm->pid = getpid();
    cfz_set_output(fds[3]);
    if (cfz_crash_attach(w->shm, &err) < 0 || cfz_run_shm_map(fds[2], &w->run, &err) < 0 ||
        cfz_slots_attach(&w->x->slots, w->shm, fds[1], &err) < 0 ||
        cfz_executor_begin(w->x, &err) < 0 ||
        cfz_seen_map(&w->seen, cfz_run_mask(w->run), w->run->mask_len, &err) < 0 ||
        (guarded && cfz_worker_fuzz_map(w, &err) < 0) || cfz_leaks_init(w->x, &err) < 0 ||
        cfz_proc_shm_seal(w->shm, &err) < 0)
        cfz_crash_unable(w->shm, &err);
    w->seen.frame = &w->x->frame;
    cfz_shm_unmap(host_shm, host_shm->size);
    close(fds[1]);
    close(fds[2]);
    set_state(w, CFZ_STATE_IDLE);
    cfz_alloc_limit(w->shm);
    cfz_worker_made(w);
    cfz_crash_whole(cfz_worker_whole);
    w->guarded = guarded;
    if (guarded)
        cfz_guard(w, slow_ns); /* returns in each worker */
    if (w->resumed) {          /* in the middle of a command: the driver expects no READY */
        fuzz(w);
        for (;;)
            serve(w);
    }
    cfz_msg_init(&result, CFZ_MSG_READY);
    cfz_worker_send(w, &result);
    for (;;)
        serve(w);
}
