// The short strings of a program's data are listed as words; those that are shown to people, names of
// functions and what is too short or too long are not. Only where comparisons are traced.
// RUN: %clang -O0 -c -o %t.0.o %s && %clang -O2 -c -o %t.2.o %s
// RUN: %python %S/Inputs/strings.py %t.0.o > %t.0 && %python %S/Inputs/strings.py %t.2.o > %t.2
// RUN: FileCheck --match-full-lines --check-prefixes=CHECK %s < %t.0
// RUN: FileCheck --match-full-lines --check-prefixes=CHECK %s < %t.2
// RUN: %clang -O2 -fsanitize=address,undefined -c -o %t.a.o %s
// RUN: %python %S/Inputs/strings.py %t.a.o | FileCheck --match-full-lines %s
// A name of a file that fits is one that reports name, cfuzz_add's as UndefinedBehaviorSanitizer's.
// RUN: cd %S && %clang -O2 -fsanitize=undefined -c -o %t.u.o strings.c
// RUN: %python %S/Inputs/strings.py %t.u.o | FileCheck --match-full-lines %s
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck --check-prefix=IR %s
// RUN: %clang -fplugin-arg-cfuzz-trace=off -O2 -S -emit-llvm -o - %s | FileCheck --check-prefix=OFF %s
//
// IR: @cfuzz.strings = private constant {{.*}}, section "cfuzz_strings"
// IR: declare extern_weak void @cfuzz_strings_init(i32, {{.*}})
// IR: call void @cfuzz_strings_init(i32 5, {{.*}}@__start_cfuzz_strings, {{.*}}@__stop_cfuzz_strings)
// OFF-NOT: cfuzz_strings
//
// CHECK-NOT: {{.+}}
// CHECK: 'alpha'
// CHECK-NEXT: 'beta gamma'
// CHECK-NEXT: '%PDF-'
// CHECK-NEXT: '\x89PNG'
// CHECK-NEXT: 'red'
// CHECK-NEXT: 'green'
// CHECK-NEXT: 'looked up'
// CHECK-NOT: {{.+}}
#include <cfuzz.h>

void abort(void);
int printf(const char *format, ...);
int puts(const char *text);
int look_up(const char *text);

const char *const words[] = {"alpha", "beta gamma", "alpha", "x", "%PDF-", "an error that people read",
                             "a word of far more than thirty-two bytes, which is none", "======"};
const unsigned char magic[4] = {0x89, 'P', 'N', 'G'};
const unsigned char table[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
struct {
    char name[8];
    int value;
} colours[] = {{"red", 1}, {"green", 2}};

__attribute__((noreturn)) static void die(const char *text)
{
    puts(text);
    abort();
}

int find(int n);

FUZZ_SETUP(FuzzFind)(cfuzz_f *f)
{
    cfuzz_add(f, "x");
}

FUZZ_TEST(FuzzFind, string)(cfuzz_t *t, const char *text)
{
    cfuzz_log(t, "called");
    find(look_up(text));
}

int find(int n)
{
    if (n > 3)
        die("too large");
    printf("%d of\n", n);
    puts("shown");
    return look_up("looked up") + look_up(__func__);
}
