// The plugin's options, and what it refuses to be combined with.
// RUN: %clang -O1 -S -emit-llvm -o - %s | FileCheck %s --check-prefixes=KEEP,COV
// RUN: %clang -O1 -S -emit-llvm -fplugin-arg-cfuzz-rename-main=on -o - %s | FileCheck %s --check-prefixes=RENAME,COV
// RUN: %clang -O0 -S -emit-llvm -fplugin-arg-cfuzz-rename-main=on -fplugin-arg-cfuzz-coverage=off -o - %s | FileCheck %s --check-prefixes=RENAME,NOCOV
// RUN: %clang -O1 -S -emit-llvm -fplugin-arg-cfuzz-coverage=off -x c++ -o - %s | FileCheck %s --check-prefixes=KEEP,NOCOV
// The variable that carries options inside leaves nothing in the object.
// RUN: %clang -O0 -c -fplugin-arg-cfuzz-rename-main=on -o %t.o %s && nm %t.o | FileCheck %s --check-prefix=NM
// Nothing is emitted, and nothing is said, where no code is generated.
// RUN: %clang -fsyntax-only -Werror -fplugin-arg-cfuzz-rename-main=on %s
// RUN: not %clang -c -fplugin-arg-cfuzz-colour=on -o %t.o %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %clang -c -fplugin-arg-cfuzz-coverage=yes -o %t.o %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %clang -c -fsanitize=fuzzer-no-link -o %t.o %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %clang -c -fsanitize-coverage=trace-pc-guard -o %t.o %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %clang -O1 -S -emit-llvm -fsanitize=fuzzer-no-link -fplugin-arg-cfuzz-coverage=off -o - %s | FileCheck %s --check-prefix=THEIRS
// RUN: not %clang -c -fplugin-arg-cfuzz-rename-main=on -DTAKEN -o %t.o %s 2>&1 | FileCheck %s --check-prefix=TAKEN
// Bitcode that was compiled before is not instrumented again.
// RUN: %clang -O1 -emit-llvm -c -o %t.bc %s && %clang -O1 -S -emit-llvm -o - %t.bc | FileCheck %s --check-prefix=ONCE
#include <cfuzz.h>

#ifdef TAKEN
int cfuzz_user_main;
#endif

#ifdef __cplusplus
extern "C"
#endif
int again(int n);

FUZZ_TEST(FuzzOption, int)(cfuzz_t *t, int n)
{
    if (n == 3)
        cfuzz_error(t, "three");
}

int main(int argc, char **argv)
{
    (void)argv;
    return again(argc);
}

// COV: section "__sancov_cntrs"
// COV: section "cfuzz_flags"
// NOCOV-NOT: {{sancov|cfuzz_flags|cfuzz_recs|optforfuzzing}}
// KEEP: define {{.*}} @main(
// RENAME-NOT: @main(
// RENAME: define {{.*}} @cfuzz_user_main(
// NOCOV-NOT: {{sancov|cfuzz_flags|cfuzz_recs|optforfuzzing}}

// NM-NOT: options
// NM: T cfuzz_user_main
// NM-NOT: options

// UNKNOWN: error: cfuzz: -fplugin-arg-cfuzz-colour=on: unknown option; there are coverage=on|off, rename-main=on|off, trace=on|off and compare=FUNCTION:A:B[:SIZE]
// VALUE: error: cfuzz: -fplugin-arg-cfuzz-coverage=yes: the value must be on or off
// TWICE: error: cfuzz: -fsanitize-coverage and -fsanitize=fuzzer-no-link instrument what the plugin instruments already
// TAKEN: error: {{.*}}cfuzz: cfuzz_user_main: main is renamed to this, but the name is already taken

// THEIRS: section "__sancov_cntrs"
// THEIRS-NOT: cfuzz_flags

// ONCE-COUNT-2: section "__sancov_cntrs"
// ONCE-NOT: section "__sancov_cntrs"
