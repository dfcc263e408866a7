/*
 * json_text.h - text of others as strings of JSON.
 */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <jansson.h>

/*
 * json_text makes a string of text, in which what is not UTF-8 or not printable is escaped
 * (core/escape.h): names of files are any bytes, and jansson takes none but UTF-8. Lines stay. The
 * caller owns the string; NULL: no memory. Context: ordinary.
 */
json_t *json_text(const char *text);

#endif
