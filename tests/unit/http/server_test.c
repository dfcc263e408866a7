/*
 * Addresses to listen at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "http/server.h"

static void test_split(void **state)
{
    static const struct {
        const char *address, *host, *port;
    } cases[] = {
        {":8080", "", "8080"},
        {"127.0.0.1:0", "127.0.0.1", "0"},
        {"localhost:65535", "localhost", "65535"},
        {"[::1]:80", "::1", "80"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *host = NULL;
        const char *port = NULL;

        assert_int_equal(server_split(cases[i].address, &host, &port, NULL), 0);
        assert_string_equal(host, cases[i].host);
        assert_string_equal(port, cases[i].port);
        free(host);
    }
}

static void test_refused(void **state)
{
    static const char *const cases[] = {"",
                                        ":",
                                        "8080",
                                        "localhost",
                                        "localhost:http",
                                        "a:65536",
                                        "a:-1",
                                        "a: 1",
                                        "a:1x",
                                        "::1:80",
                                        "fe80::1:",
                                        "[::1]80",
                                        "a:+80",
                                        "a:99999999999999999999"};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cfz_error err = CFZ_ERROR_INIT;
        char *host = NULL;
        const char *port;

        assert_int_equal(server_split(cases[i], &host, &port, &err), -1);
        assert_int_equal(err.code, CFZ_EUSAGE);
        assert_non_null(strstr(err.text, "not an address"));
        assert_null(host);
    }
}

/* Pages are put, replaced and taken away while nobody asks. */
static void test_pages(void **state)
{
    struct server *s;
    struct cfz_buf text = CFZ_BUF_INIT;

    (void)state;
    assert_int_equal(server_open("127.0.0.1:0", &s, NULL), 0);
    assert_int_equal(strncmp(server_url(s), "http://127.0.0.1:", 17), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cfz_buf_puts(&text, "page", NULL), 0);
        assert_int_equal(server_put(s, "index.html", &text, NULL), 0);
        assert_int_equal(text.len, 0);
    }
    assert_int_equal(server_put(s, "index.html", &text, NULL), 0);
    assert_false(server_asked(s, NULL));
    assert_false(server_asked(s, "index.html"));
    /* An action that nobody posted. */
    assert_int_equal(server_offer(s, "coverage-0", NULL), 0);
    assert_int_equal(server_offer(s, "coverage-0", NULL), 0);
    assert_false(server_posted(s, "coverage-0"));
    assert_false(server_posted(s, "coverage-1"));
    server_close(s);
    server_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_pages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
