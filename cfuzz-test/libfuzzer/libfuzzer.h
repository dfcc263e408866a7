/*
 * libfuzzer.h - the command `cfuzz-test libfuzzer`.
 */
#ifndef LIBFUZZER_H
#define LIBFUZZER_H

/*
 * libfuzzer_command runs argv[0..argc): the test executable, the name of the fuzz test or "", then
 * libFuzzer's flags, files and directories. All lines go to stderr, as libFuzzer's do. Returns the
 * exit status: that of libFuzzer in the same case (lf_target.h). Context: ordinary.
 */
int libfuzzer_command(int argc, char **argv);

#endif
