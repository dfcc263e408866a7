/*
 * sarif.c - see sarif.h.
 */
#define _GNU_SOURCE
#include "results/sarif.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "results/json_text.h"
#include "results/result_place.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* "Segmentation fault" as the name of a rule: "segmentation-fault". */
static json_t *rule_id(const char *kind)
{
    struct cfz_buf id = CFZ_BUF_INIT;
    bool gap = false;
    json_t *text = NULL;

    for (; *kind != '\0'; kind++) {
        char c = (char)tolower((unsigned char)*kind);

        if (!isalnum((unsigned char)c)) {
            gap = id.len > 0;
            continue;
        }
        if ((gap && cfz_buf_puts(&id, "-", NULL) < 0) || cfz_buf_append(&id, &c, 1, NULL) < 0)
            goto out;
        gap = false;
    }
    text = json_string(id.len > 0 ? cfz_buf_str(&id) : "failed");
out:
    cfz_buf_release(&id);
    return text;
}

/* The number of the rule for crashes of that kind, which is added if there is none. -1 without
 * memory. */
static json_int_t rule(json_t *rules, const char *kind)
{
    json_t *id = rule_id(kind), *new;
    size_t i = 0;

    for (; id != NULL && i < json_array_size(rules); i++) {
        if (json_equal(json_object_get(json_array_get(rules, i), "id"), id)) {
            json_decref(id);
            return (json_int_t)i;
        }
    }
    new = json_pack("{s:o, s:{s:o}}", "id", id, "shortDescription", "text",
                    json_text(kind[0] != '\0' ? kind : "the test failed"));
    return json_array_append_new(rules, new) < 0 ? -1 : (json_int_t)i;
}

/* A path as a reference of a URI. */
static json_t *uri(const char *path)
{
    struct cfz_buf out = CFZ_BUF_INIT;
    json_t *text = NULL;
    int ret = path[0] == '/' ? cfz_buf_puts(&out, "file://", NULL) : 0;

    for (; *path != '\0' && ret == 0; path++) {
        unsigned char c = (unsigned char)*path;

        ret = isalnum(c) || strchr("/._-~", c) != NULL ? cfz_buf_append(&out, path, 1, NULL)
                                                       : cfz_buf_printf(&out, NULL, "%%%02X", c);
    }
    if (ret == 0)
        text = json_string(cfz_buf_str(&out));
    cfz_buf_release(&out);
    return text;
}

/* Where r is: the line that crashed, or else nothing. */
static json_t *locations(const char *dir, const char *root, const struct result *r)
{
    struct result_place at = {NULL, 0};
    json_t *list = json_array(), *location;

    if (r->crash == NULL || result_place_find(dir, r->crash->line, root, &at, NULL) < 0 ||
        at.file == NULL)
        return list;
    location =
        json_pack("{s:{s:{s:o}}}", "physicalLocation", "artifactLocation", "uri", uri(at.file));
    if (at.line > 0)
        json_object_set_new(json_object_get(location, "physicalLocation"), "region",
                            json_pack("{s:i}", "startLine", (int)at.line));
    if (r->crash->function[0] != '\0')
        json_object_set_new(
            location, "logicalLocations",
            json_pack("[{s:o, s:s}]", "name", json_text(r->crash->function), "kind", "function"));
    result_place_release(&at);
    if (json_array_append_new(list, location) < 0) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* What is to be said of r: a line, and behind it all that there is. */
static json_t *message(const struct result_package *p, const struct result *r)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    size_t len;
    const char *line = result_message(r, &len);
    json_t *m = NULL;

    if (cfz_buf_printf(&text, NULL, "%s%s%s%s: %.*s", r->test, p->build != NULL ? " [" : "",
                       p->build != NULL ? p->build : "", p->build != NULL ? "]" : "", (int)len,
                       line) == 0 &&
        (r->text[0] == '\0' || cfz_buf_printf(&text, NULL, "\n\n%s", r->text) == 0) &&
        (r->crash == NULL || r->crash->command[0] == '\0' ||
         cfz_buf_printf(&text, NULL, "\nTo re-run: %s\n", r->crash->command) == 0))
        m = json_pack("{s:o}", "text", json_text(cfz_buf_str(&text)));
    cfz_buf_release(&text);
    return m;
}

static json_t *result(const struct result_package *p, const struct result *r, const char *root,
                      bool baseline, json_t *rules)
{
    const struct result_crash *c = r->crash;
    json_int_t number = rule(rules, c != NULL ? c->kind : "");
    json_t *out;

    if (number < 0)
        return NULL;
    out = json_pack("{s:O, s:I, s:s, s:o, s:o, s:{s:o, s:o}}", "ruleId",
                    json_object_get(json_array_get(rules, (size_t)number), "id"), "ruleIndex",
                    number, "level", r->kind == RESULT_FAILED ? "error" : "note", "message",
                    message(p, r), "locations", locations(p->dir, root, r), "properties", "package",
                    json_text(p->name), "test", json_text(r->test));
    if (baseline)
        json_object_set_new(out, "baselineState",
                            json_string(r->kind == RESULT_FAILED ? "new" : "unchanged"));
    if (p->build != NULL)
        json_object_set_new(json_object_get(out, "properties"), "sanitizers",
                            json_string(p->build));
    if (c != NULL && c->identity[0] != '\0')
        json_object_set_new(out, "partialFingerprints",
                            json_pack("{s:s}", "cfuzzCrash/v1", c->identity));
    if (c != NULL && c->file[0] != '\0')
        json_object_set_new(json_object_get(out, "properties"), "input", json_text(c->file));
    return out;
}

/* Whether r is a test that failed because an input of it did, which has a result of its own. */
static bool told_by_input(const struct result_package *p, const struct result *r)
{
    size_t len = strlen(r->test);

    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].kind == RESULT_FAILED && strncmp(p->v[i].test, r->test, len) == 0 &&
            p->v[i].test[len] == '/')
            return true;
    return false;
}

/* Adds what failed in p. */
static int add_package(const struct result_package *p, const char *root, bool baseline,
                       json_t *rules, json_t *results, json_t *notifications)
{
    for (size_t i = 0; i < p->n; i++) {
        bool known = p->v[i].kind == RESULT_SKIPPED && p->v[i].crash != NULL;

        if (!known && (p->v[i].kind != RESULT_FAILED || told_by_input(p, &p->v[i])))
            continue;
        if (json_array_append_new(results, result(p, &p->v[i], root, baseline, rules)) < 0)
            return -1;
    }
    if (p->kind != RESULT_BROKEN)
        return 0;
    return json_array_append_new(
        notifications,
        json_pack("{s:s, s:{s:o}}", "level", "error", "message", "text",
                  json_text(p->why != NULL && p->why[0] != '\0' ? p->why : p->name)));
}

int sarif_write(struct cfz_buf *out, const struct result_list *l, bool baseline, bool complete,
                struct cfz_error *err)
{
    json_t *rules = json_array(), *results = json_array(), *notifications = json_array(), *log;
    char *root = result_root(), *text = NULL;
    int ret = 0;

    for (size_t i = 0; i < l->n && ret == 0 && root != NULL; i++)
        ret = add_package(&l->v[i], root, baseline, rules, results, notifications);
    log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:O}}, s:[{s:b, s:O}], s:O}]}", "$schema",
                    SCHEMA, "version", "2.1.0", "runs", "tool", "driver", "name", "cfuzz-test",
                    "version", CFUZZ_VERSION, "rules", rules, "invocations", "executionSuccessful",
                    complete, "toolExecutionNotifications", notifications, "results", results);
    if (ret == 0 && root != NULL && log != NULL)
        text = json_dumps(log, JSON_INDENT(2));
    ret = text != NULL ? cfz_buf_printf(out, err, "%s\n", text) : cfz_fail_nomem(err);
    free(text);
    free(root);
    json_decref(log);
    json_decref(rules);
    json_decref(results);
    json_decref(notifications);
    return ret;
}
