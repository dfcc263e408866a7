/*
 * database.c - SQLite opens a database file in memory, reads its schema, all rows of its tables,
 * and checks it.
 */
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "target.h"

enum { STEPS = 20000, ROWS = 64, TABLES = 4 };

static int steps;

static int too_long(void *ctx)
{
    (void)ctx;
    return ++steps > STEPS / 100;
}

static void all_rows(sqlite3 *db, const char *query)
{
    sqlite3_stmt *rows;

    if (sqlite3_prepare_v2(db, query, -1, &rows, NULL) != SQLITE_OK)
        return;
    for (int i = 0; i < ROWS && sqlite3_step(rows) == SQLITE_ROW; i++)
        for (int k = 0; k < sqlite3_column_count(rows); k++)
            sqlite3_column_bytes(rows, k);
    sqlite3_finalize(rows);
}

static void each_table(sqlite3 *db)
{
    sqlite3_stmt *names;
    char *queries[TABLES];
    int n = 0;

    if (sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'table'", -1, &names,
                           NULL) != SQLITE_OK)
        return;
    while (n < TABLES && sqlite3_step(names) == SQLITE_ROW)
        queries[n++] = sqlite3_mprintf("SELECT * FROM \"%w\"", sqlite3_column_text(names, 0));
    sqlite3_finalize(names);
    for (int i = 0; i < n; i++) {
        if (queries[i])
            all_rows(db, queries[i]);
        sqlite3_free(queries[i]);
    }
}

void bench_target(const uint8_t *data, size_t len)
{
    sqlite3 *db;
    uint8_t *copy = NULL;

    if (sqlite3_open(":memory:", &db) == SQLITE_OK && len > 0)
        copy = sqlite3_malloc64(len);
    if (copy) {
        memcpy(copy, data, len);
        steps = 0;
        sqlite3_progress_handler(db, 100, too_long, NULL);
        if (sqlite3_deserialize(db, "main", copy, (sqlite3_int64)len, (sqlite3_int64)len,
                                SQLITE_DESERIALIZE_FREEONCLOSE) == SQLITE_OK) {
            each_table(db);
            all_rows(db, "PRAGMA integrity_check");
        }
    }
    sqlite3_close(db);
}
