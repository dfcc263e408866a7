/*
 * protocol_test.c - messages over a socket pair, good and bad.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/protocol.h"

static int ends[2];
static struct cfz_error err;

static int setup(void **state)
{
    (void)state;
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

static int teardown(void **state)
{
    (void)state;
    close(ends[0]);
    close(ends[1]);
    return 0;
}

static void test_message(void **state)
{
    struct cfz_msg m, got;

    (void)state;
    cfz_msg_init(&m, CFZ_MSG_RESULT);
    m.u.result.mutated = 1234567890123;
    memcpy(m.text, "a\0b", 3);
    m.text_len = 3;
    assert_int_equal(cfz_msg_send(ends[0], &m, NULL, 0, &err), 0);
    m.text_len = 0;
    m.type = CFZ_MSG_ACK;
    assert_int_equal(cfz_msg_send(ends[0], &m, NULL, 0, &err), 0);
    memset(&got, 0xff, sizeof got);
    assert_int_equal(cfz_msg_recv(ends[1], &got, NULL, NULL, &err), 1);
    assert_int_equal(got.type, CFZ_MSG_RESULT);
    assert_int_equal(got.text_len, 3);
    assert_memory_equal(got.text, "a\0b", 3);
    assert_int_equal(got.u.result.mutated, 1234567890123);
    assert_int_equal(cfz_msg_recv(ends[1], &got, NULL, NULL, &err), 1);
    assert_int_equal(got.type, CFZ_MSG_ACK);
}

static void test_longest_text(void **state)
{
    struct cfz_msg m, got;

    (void)state;
    cfz_msg_init(&m, CFZ_MSG_HELLO);
    memset(m.text, 'x', sizeof m.text);
    m.text_len = CFZ_MSG_TEXT_MAX;
    assert_int_equal(cfz_msg_send(ends[0], &m, NULL, 0, &err), 0);
    assert_int_equal(cfz_msg_recv(ends[1], &got, NULL, NULL, &err), 1);
    assert_int_equal(got.text_len, CFZ_MSG_TEXT_MAX);
    assert_int_equal(got.text[CFZ_MSG_TEXT_MAX - 1], 'x');
}

static void test_descriptors(void **state)
{
    struct cfz_msg m;
    int fds[2], got[CFZ_MSG_FDS_MAX];
    size_t n = 99;
    struct stat a, b;

    (void)state;
    fds[0] = memfd_create("one", 0);
    fds[1] = memfd_create("two", 0);
    cfz_msg_init(&m, CFZ_MSG_FORK);
    m.u.fork.id = 7;
    assert_int_equal(cfz_msg_send(ends[0], &m, fds, 2, &err), 0);
    assert_int_equal(cfz_msg_recv(ends[1], &m, got, &n, &err), 1);
    assert_int_equal(m.u.fork.id, 7);
    assert_int_equal(n, 2);
    assert_int_equal(got[2], -1);
    assert_int_equal(got[3], -1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fcntl(got[i], F_GETFD), FD_CLOEXEC);
        fstat(fds[i], &a);
        fstat(got[i], &b);
        assert_int_equal(a.st_ino, b.st_ino);
        close(got[i]);
        close(fds[i]);
    }
}

/* Nobody asked for descriptors: they must not stay open. */
static void test_unwanted_descriptors(void **state)
{
    struct cfz_msg m;
    int fd = open("/dev/null", O_RDONLY), next;

    (void)state;
    cfz_msg_init(&m, CFZ_MSG_FORK);
    assert_int_equal(cfz_msg_send(ends[0], &m, &fd, 1, &err), 0);
    next = dup(fd);
    close(next);
    assert_int_equal(cfz_msg_recv(ends[1], &m, NULL, NULL, &err), 1);
    assert_int_equal(dup(fd), next);
    close(next);
    close(fd);
}

static void test_end_of_file(void **state)
{
    struct cfz_msg m;

    (void)state;
    close(ends[0]);
    assert_int_equal(cfz_msg_recv(ends[1], &m, NULL, NULL, &err), 0);
    cfz_msg_init(&m, CFZ_MSG_QUIT);
    assert_int_equal(cfz_msg_send(ends[1], &m, NULL, 0, &err), -1);
    assert_int_equal(err.code, CFZ_EIO);
    assert_int_equal(err.sys, EPIPE);
    ends[0] = -1;
}

static void test_nonblocking(void **state)
{
    struct cfz_msg m;
    int sent = 0;

    (void)state;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    assert_int_equal(cfz_msg_recv(ends[1], &m, NULL, NULL, &err), -1);
    assert_int_equal(err.sys, EAGAIN);
    cfz_msg_init(&m, CFZ_MSG_RECORDS);
    while (cfz_msg_send(ends[0], &m, NULL, 0, &err) == 0)
        assert_true(++sent < 1000000);
    assert_int_equal(err.sys, EAGAIN);
    while (cfz_msg_recv(ends[1], &m, NULL, NULL, &err) == 1)
        sent--;
    assert_int_equal(sent, 0);
}

static void test_bad_packets(void **state)
{
    static const struct {
        uint32_t type, text_len;
        size_t len;
        const char *why;
    } cases[] = {
        {CFZ_MSG_HELLO, 0, 3, "packet too short"},
        {CFZ_MSG_HELLO, 5, offsetof(struct cfz_msg, text) + 4, "wrong text length"},
        {CFZ_MSG_HELLO, UINT32_MAX, offsetof(struct cfz_msg, text), "wrong text length"},
        {0, 0, offsetof(struct cfz_msg, text), "unknown message"},
        {CFZ_MSG_QUIT + 1, 0, offsetof(struct cfz_msg, text), "unknown message"},
        {CFZ_MSG_HELLO, 0, sizeof(struct cfz_msg) + 1, "packet too long"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct {
            struct cfz_msg m;
            char more[16];
        } out;
        struct cfz_msg m;

        memset(&out, 0, sizeof out);
        out.m.type = cases[i].type;
        out.m.text_len = cases[i].text_len;
        assert_int_equal(send(ends[0], &out, cases[i].len, 0), cases[i].len);
        assert_int_equal(cfz_msg_recv(ends[1], &m, NULL, NULL, &err), -1);
        assert_int_equal(err.code, CFZ_EINTERNAL);
        assert_non_null(strstr(err.text, "communicating with fuzzing process: "));
        assert_non_null(strstr(err.text, cases[i].why));
    }
}

static void fill_test(struct cfz_msg *m, const char *text, size_t len, uint32_t nvalues)
{
    cfz_msg_init(m, CFZ_MSG_TEST);
    memcpy(m->text, text, len);
    m->text_len = (uint32_t)len;
    m->u.test.nvalues = nvalues;
}

static void test_test_parts(void **state)
{
    enum cfz_kind kinds[CFZ_VALUES_MAX];
    const char *name, *types, *file;
    struct cfz_msg m;

    (void)state;
    fill_test(&m, "FuzzA\0[]byte, int\0a.c\0\1\10", 24, 2);
    assert_int_equal(cfz_msg_test_parts(&m, &name, &types, &file, kinds, &err), 0);
    assert_string_equal(name, "FuzzA");
    assert_string_equal(types, "[]byte, int");
    assert_string_equal(file, "a.c");
    assert_int_equal(kinds[0], CFZ_KIND_BYTES);
    assert_int_equal(kinds[1], CFZ_KIND_INT);

    fill_test(&m, "FuzzA\0[]byte, int\0a.c\0\1\10", 24, 3); /* one kind is missing */
    assert_int_equal(cfz_msg_test_parts(&m, &name, &types, &file, kinds, &err), -1);
    assert_int_equal(err.code, CFZ_EINTERNAL);
    fill_test(&m, "FuzzA\0[]byte, int\0a.c\0\1\10", 24, 0);
    assert_int_equal(cfz_msg_test_parts(&m, &name, &types, &file, kinds, &err), -1);
    fill_test(&m, "FuzzA\0int\0a.c\0\20", 15, 1); /* no such kind */
    assert_int_equal(cfz_msg_test_parts(&m, &name, &types, &file, kinds, &err), -1);
    fill_test(&m, "FuzzA\0int", 9, 1); /* ends too early */
    assert_int_equal(cfz_msg_test_parts(&m, &name, &types, &file, kinds, &err), -1);
    fill_test(&m, "", 0, 1);
    assert_int_equal(cfz_msg_test_parts(&m, &name, &types, &file, kinds, &err), -1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_message),     TEST(test_longest_text),
        TEST(test_descriptors), TEST(test_unwanted_descriptors),
        TEST(test_end_of_file), TEST(test_nonblocking),
        TEST(test_bad_packets), TEST(test_test_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
