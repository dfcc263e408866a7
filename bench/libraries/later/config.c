/*
 * config.c - libconfig reads an input, looks values up in it, and writes it again, to nowhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libconfig.h>

#include "target.h"

static void visit(const config_setting_t *s, int depth)
{
    static const char *const paths[] = {"a", "b.c", "b.e.[1]", "x.y"};
    int n = config_setting_length(s);

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        config_setting_lookup((config_setting_t *)s, paths[i]);
    config_setting_get_int(s);
    config_setting_get_int64(s);
    config_setting_get_float(s);
    config_setting_get_bool(s);
    config_setting_get_string(s);
    for (int i = 0; i < n && depth < 8; i++)
        visit(config_setting_get_elem(s, (unsigned)i), depth + 1);
}

void bench_target(const uint8_t *data, size_t len)
{
    static FILE *null;
    config_t cfg;
    char *text = malloc(len + 1);

    if (!null)
        null = fopen("/dev/null", "w");
    if (!text)
        return;
    memcpy(text, data, len);
    text[len] = '\0';
    config_init(&cfg);
    if (!strstr(text, "@include") && config_read_string(&cfg, text) == CONFIG_TRUE) {
        visit(config_root_setting(&cfg), 0);
        if (null)
            config_write(&cfg, null);
    }
    config_destroy(&cfg);
    free(text);
}
