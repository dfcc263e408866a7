// Loading: the wrong clang, and half of the flags.
// Every other plugin that was built is refused, with the reason, and never crashes this clang.
// RUN: for p in %plugins/cfuzz-plugin-*.so; do \
// RUN:   case $p in *-%major.so) continue ;; esac; \
// RUN:   not %cc -fplugin=$p -fpass-plugin=$p -c -o %t.o %s 2>%t.err || exit 1; \
// RUN:   grep -E -q "this plugin is for clang|unable to load plugin" %t.err || exit 1; \
// RUN:   not grep -E "Stack dump|PLEASE submit" %t.err || exit 1; \
// RUN:   not %cc -fpass-plugin=$p -c -o %t.o %s 2>%t.err || exit 1; \
// RUN:   not grep -E "Stack dump|PLEASE submit" %t.err || exit 1; \
// RUN: done
//
// Only the passes: an unused static function never reaches them, but where one does, they say so
// rather than register an unchecked test. (From LLVM 22 on the one flag loads both parts.)
// RUN: %cc -fpass-plugin=%plugin -DCFUZZ_TEST -c -o %t.o %s >%t.err 2>&1; echo "exit $?" >>%t.err
// RUN: FileCheck %s --check-prefix=ONLY%major < %t.err
// ONLY14: error: {{.*}}cfuzz: fuzz test FuzzLoad was not checked: the plugin has to be given with -fplugin= as well as -fpass-plugin=
// ONLY14: exit 1
// ONLY16: error: {{.*}}cfuzz: fuzz test FuzzLoad was not checked
// ONLY16: exit 1
// ONLY19: error: {{.*}}cfuzz: fuzz test FuzzLoad was not checked
// ONLY19: exit 1
// ONLY22: exit 0
//
// Files that no plugin looks at draw no warning.
// RUN: %clang -Werror -E -o /dev/null %s
// RUN: %clang -Werror -MM -o /dev/null %s
// RUN: %clang -Werror -c -x assembler-with-cpp -o /dev/null /dev/null
#include <cfuzz.h>

FUZZ_TEST(FuzzLoad, int)(cfuzz_t *t, int n) { (void)t, (void)n; }
