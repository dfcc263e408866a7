/*
 * parser.h - a parser of settings such as "a=1;b=0x2f,c='x y'", some 20 branches
 * over at most the first 32 bytes, so that its time does not grow with the input.
 * It never fails. Each branch writes to the sink, so that none is merged with
 * another or turned into arithmetic.
 */
#ifndef BENCH_PARSER_H
#define BENCH_PARSER_H

#include <stddef.h>
#include <stdint.h>

static volatile unsigned parser_sink;

static void parser_run(const uint8_t *data, size_t len)
{
    enum { NAME, VALUE, HEX, QUOTED, COMMENT } state = NAME;
    unsigned number = 0, names = 0;

    if (len > 32)
        len = 32;
    for (size_t i = 0; i < len; i++) {
        unsigned c = data[i];

        switch (state) {
        case NAME:
            if (c == '=') {
                state = VALUE;
                parser_sink = ++names;
            } else if (c == '#') {
                state = COMMENT;
            } else if (c == 0) {
                parser_sink = 101;
                return;
            }
            break;
        case VALUE:
            if (c >= '0' && c <= '9') {
                number = number * 10 + c - '0';
                parser_sink = number;
            } else if (c == 'x' && number == 0) {
                state = HEX;
                parser_sink = 102;
            } else if (c == '\'') {
                state = QUOTED;
                parser_sink = 103;
            } else if (c == ';' || c == ',') {
                state = NAME;
                number = 0;
                parser_sink = 104;
            } else if (c >= 0x80) {
                parser_sink = 105;
            }
            break;
        case HEX:
            if (c >= 'a' && c <= 'f') {
                number = number * 16 + c - 'a' + 10;
                parser_sink = number;
            } else if (c >= '0' && c <= '9') {
                number = number * 16 + c - '0';
                parser_sink = number + 1;
            } else {
                state = NAME;
                parser_sink = 106;
            }
            break;
        case QUOTED:
            if (c == '\\') {
                i++;
                parser_sink = 107;
            } else if (c == '\'') {
                state = VALUE;
                parser_sink = 108;
            }
            break;
        case COMMENT:
            if (c == '\n') {
                state = NAME;
                parser_sink = 109;
            }
            break;
        }
    }
    if (state == QUOTED)
        parser_sink = 110;
    if (names > 3)
        parser_sink = 111;
}

#endif
