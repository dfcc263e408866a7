/*
 * assets.h - report.css and report.js, which lie beside this file, as part of the program.
 * cfuzz-test/CMakeLists.txt makes their source.
 */
#ifndef ASSETS_H
#define ASSETS_H

#include <stddef.h>

extern const unsigned char asset_css[], asset_js[];
extern const size_t asset_css_len, asset_js_len;

#endif
