/*
 * help_test.c - help names every flag and every topic, and fits a terminal.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/flags.h"
#include "cli/help.h"
#include "cli/sanitizers.h"

enum { WIDTH = 120 }; /* of the longest line, a flag with its default */

static const char *const topics[] = {"packages", "patterns", "corpus", "clean",      "ossfuzz",
                                     "report",   "show",     "exit",   "environment"};

enum { NTOPICS = sizeof topics / sizeof topics[0] };

/* What is printed by print, or by help_topic with the name of a topic. The caller's. */
static char *printed(void (*print)(FILE *), const char *topic)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);

    assert_non_null(f);
    if (print != NULL)
        print(f);
    else
        assert_true(help_topic(f, topic));
    assert_int_equal(fclose(f), 0);
    return text;
}

/* How many lines of text begin with head. */
static int count_lines(const char *text, const char *head)
{
    int n = 0;

    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
        n += strncmp(at, head, strlen(head)) == 0;
    return n;
}

static void check_lines(const char *text)
{
    assert_int_equal(text[strlen(text) - 1], '\n');
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        size_t len = strcspn(at, "\n");

        if (len > WIDTH)
            fail_msg("%zu characters: %.*s", len, (int)len, at);
        assert_true(len == 0 || at[len - 1] != ' ');
    }
}

/* help_usage, of two commands. */
static void print_usage(FILE *to)
{
    static const char *const usages[] = {"[flags] [packages]", "one more", NULL};

    help_usage(to, usages);
}

static void test_usage(void **state)
{
    char *text = printed(print_usage, NULL);

    (void)state;
    assert_non_null(strstr(text, "\nusage: cfuzz-test [flags] [packages]\n"
                                 "       cfuzz-test one more\n\n"));
    free(text);
}

static void test_flags(void **state)
{
    char *text = printed(print_usage, NULL);

    (void)state;
    check_lines(text);
    for (size_t i = 0; i < flags_count; i++) {
        const struct flag *f = &flags_all[i];
        char head[100], rest[300];
        const char *line;

        snprintf(head, sizeof head, "\n  -%s%s%s  ", f->name, f->argument[0] != '\0' ? " " : "",
                 f->argument);
        line = strstr(text, head);
        if (line == NULL)
            fail_msg("no line for -%s", f->name);
        assert_null(strstr(line + 1, head)); /* one each */
        snprintf(rest, sizeof rest, "  %s%s%s%s\n", f->help, f->dflt[0] != '\0' ? " (" : "",
                 f->dflt, f->dflt[0] != '\0' ? ")" : "");
        line += strcspn(line + 1, "\n") + 2 - strlen(rest); /* the end of that line */
        if (strncmp(line, rest, strlen(rest)) != 0)
            fail_msg("-%s: want \"%s\" at the end", f->name, rest);
        /* One line, as flags.def has it; a value has a name, a switch none. */
        assert_null(strchr(f->help, '\n'));
        assert_int_not_equal(f->help[strlen(f->help) - 1], '.');
        assert_int_equal(f->argument[0] == '\0',
                         f->kind == FLAG_SWITCH || f->kind == FLAG_SANITIZER);
    }
    assert_int_equal(count_lines(text, "  -"), flags_count);
    free(text);
}

static void test_topics(void **state)
{
    char *text = printed(print_usage, NULL);
    const char *list = strstr(text, "\nTopics of cfuzz-test help\n");

    (void)state;
    assert_non_null(list);
    assert_int_equal(count_lines(list, "  "), NTOPICS);
    for (size_t i = 0; i < NTOPICS; i++) {
        char head[40], *topic;

        snprintf(head, sizeof head, "  %s ", topics[i]);
        assert_int_equal(count_lines(list, head), 1);
        topic = printed(NULL, topics[i]);
        check_lines(topic);
        free(topic);
    }
    assert_false(help_topic(stdout, "nothing"));
    assert_false(help_topic(stdout, ""));
    free(text);
}

/* The topic environment names the options of every sanitizer: ASAN_OPTIONS for -asan. */
static void test_sanitizers(void **state)
{
    char *text = printed(NULL, "environment");

    (void)state;
    for (size_t i = 0; i < sanitizers_count; i++) {
        char name[32];

        snprintf(name, sizeof name, " %s_OPTIONS,", sanitizers_all[i].flag);
        for (char *c = name; *c != '\0'; c++)
            *c = (char)toupper((unsigned char)*c);
        if (strstr(text, name) == NULL)
            fail_msg("no%s", name);
    }
    free(text);
}

/* A topic that speaks of a flag spells one that there is. */
static void test_flags_of_topics(void **state)
{
    static const char *const others[] = {
        "-fuzzcache",   "-cache",   "-fix", "-init", /* of commands */
        "-O2",          "-O1",      "-g",   "-fno-omit-frame-pointer",
        "-I../include", "-DNAME=1", "-lm",  "-std="};

    (void)state;
    for (size_t i = 0; i < NTOPICS; i++) {
        char *text = printed(NULL, topics[i]), *rest = text, *word;

        while ((word = strsep(&rest, " \n[],;()")) != NULL) {
            size_t len = strcspn(word, "=.:");
            bool known = word[0] != '-' || word[1] == '\0' || word[1] == '-';

            for (size_t k = 0; k < flags_count && !known; k++)
                known = strlen(flags_all[k].name) == len - 1 &&
                        memcmp(flags_all[k].name, word + 1, len - 1) == 0;
            for (size_t k = 0; k < sizeof others / sizeof others[0] && !known; k++)
                known = strncmp(word, others[k], strlen(others[k])) == 0;
            if (!known)
                fail_msg("help %s: %s", topics[i], word);
        }
        free(text);
    }
}

static void hint(FILE *to)
{
    help_hint(to, NULL);
}

static void hint_of_clean(FILE *to)
{
    help_hint(to, "clean");
}

static void test_hint(void **state)
{
    char *text = printed(hint, NULL);

    (void)state;
    assert_string_equal(text, "usage: cfuzz-test [flags] [packages]\n"
                              "Run 'cfuzz-test help' for the flags.\n");
    free(text);
    text = printed(hint_of_clean, NULL);
    assert_string_equal(text,
                        "usage: cfuzz-test clean [-n] [-x] -fuzzcache [-run=pattern] [packages]\n"
                        "       cfuzz-test clean [-n] [-x] -cache\n"
                        "Run 'cfuzz-test help clean' for more.\n");
    free(text);
}

static void test_version(void **state)
{
    char *text = printed(help_version, NULL);

    (void)state;
    assert_int_equal(count_lines(text, "cfuzz-test "), 1);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),      cmocka_unit_test(test_flags),
        cmocka_unit_test(test_topics),     cmocka_unit_test(test_flags_of_topics),
        cmocka_unit_test(test_sanitizers), cmocka_unit_test(test_hint),
        cmocka_unit_test(test_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
