/*
 * cfuzz_stub.h - for builders who have no cfuzz: with it, fuzz tests are unused functions that the
 * compiler drops. Copy this file into your project and include it in place of <cfuzz.h>, which it is
 * in test builds.
 *
 * SPDX-License-Identifier: 0BSD
 *
 * Permission to use, copy, modify, and/or distribute this software for any purpose with or without
 * fee is hereby granted.
 *
 * THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS
 * SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE
 * AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
 * WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
 * NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE
 * OF THIS SOFTWARE.
 */
#ifndef CFUZZ_STUB_H
#define CFUZZ_STUB_H
#if defined(CFUZZ) || defined(CFUZZ_TEST)
#include <cfuzz.h>
#else
#ifdef __GNUC__
#pragma GCC system_header
#define CFUZZ_STUB_ __attribute__((unused)) static __inline
#define CFUZZ_STUB_NORETURN_ __attribute__((noreturn))
#else
#define CFUZZ_STUB_ static __inline
#define CFUZZ_STUB_NORETURN_
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cfuzz_t cfuzz_t, cfuzz_f;
#define FUZZ_TEST(name, ...) CFUZZ_STUB_ void name
#define FUZZ_TEST_VALUES(name, ...) CFUZZ_STUB_ void name
#define FUZZ_SETUP(name) CFUZZ_STUB_ void cfuzz_setup_##name
#define CFUZZ_DICT(...) struct cfuzz_t
#define CFUZZ_BYTES(literal) (const uint8_t *)("" literal ""), sizeof(literal) - 1

/* Nobody calls these. Unoptimised builds keep helpers of tests, which link then. */
#define CFUZZ_STUB_SAYS_(name) CFUZZ_STUB_ void name(cfuzz_t *t, const char *fmt, ...) { (void)t, (void)fmt; }
#define CFUZZ_STUB_ENDS_(name) CFUZZ_STUB_ CFUZZ_STUB_NORETURN_ void name(cfuzz_t *t, ...) { for (;;) (void)t; }
#define CFUZZ_STUB_DOES_(name) CFUZZ_STUB_ void name(cfuzz_t *t, ...) { (void)t; }
#define CFUZZ_STUB_IS_(name) CFUZZ_STUB_ bool name(const cfuzz_t *t, ...) { return t == 0; }
#define CFUZZ_STUB_TEXT_(name) CFUZZ_STUB_ const char *name(const cfuzz_t *t) { return t ? "" : 0; }
#define CFUZZ_STUB_ALL_(p)                                                                         \
    CFUZZ_STUB_SAYS_(p##log) CFUZZ_STUB_SAYS_(p##error) CFUZZ_STUB_DOES_(p##fail)                  \
    CFUZZ_STUB_ENDS_(p##fatal) CFUZZ_STUB_ENDS_(p##skip)                                           \
    CFUZZ_STUB_ENDS_(p##fail_now) CFUZZ_STUB_ENDS_(p##skip_now)                                    \
    CFUZZ_STUB_DOES_(p##cleanup) CFUZZ_STUB_DOES_(p##setenv)                                       \
    CFUZZ_STUB_IS_(p##failed) CFUZZ_STUB_IS_(p##skipped) CFUZZ_STUB_IS_(p##short)                  \
    CFUZZ_STUB_TEXT_(p##name) CFUZZ_STUB_TEXT_(p##temp_dir)
CFUZZ_STUB_ALL_(cfuzz_)
CFUZZ_STUB_ALL_(cfuzz_f_)
CFUZZ_STUB_DOES_(cfuzz_parallel)
CFUZZ_STUB_DOES_(cfuzz_add)
CFUZZ_STUB_IS_(cfuzz_deadline)
#endif
#endif
