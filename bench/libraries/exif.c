/*
 * exif.c - libexif reads Exif data and writes the value of each of its entries, and of a maker's
 * note, as text.
 */
#include <libexif/exif-data.h>

#include "target.h"

enum { NOTES_MOST = 64 };

static void each_entry(ExifEntry *entry, void *ctx)
{
    char text[256];

    (void)ctx;
    exif_entry_get_value(entry, text, sizeof text);
}

static void each_content(ExifContent *content, void *ctx)
{
    exif_content_foreach_entry(content, each_entry, ctx);
}

void bench_target(const uint8_t *data, size_t len)
{
    ExifData *exif = exif_data_new_from_data(data, (unsigned)len);
    ExifMnoteData *note;

    if (!exif)
        return;
    exif_data_foreach_content(exif, each_content, NULL);
    note = exif_data_get_mnote_data(exif);
    if (note) {
        unsigned n = exif_mnote_data_count(note);
        char text[256];

        for (unsigned i = 0; i < n && i < NOTES_MOST; i++)
            exif_mnote_data_get_value(note, i, text, sizeof text);
    }
    exif_data_unref(exif);
}
