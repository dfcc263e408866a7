/*
 * harness_name.h - the name of a harness's function.
 */
#ifndef HARNESS_NAME_H
#define HARNESS_NAME_H

/*
 * harness_name returns the name that libFuzzer's harnesses have. It is put together at run time:
 * OSS-Fuzz takes every executable whose bytes hold it for a fuzz target, and the driver may lie
 * beside some (core/protocol.h, CFZ_LIBFUZZER_DRIVER). Context: any.
 */
const char *harness_name(void);

#endif
