// Functions through which every way ends in a call that does not return are listed by name, those too that
// are inlined or that only call such a function; and nothing else. Only where coverage is on.
// RUN: %clang -O0 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -fplugin-arg-cfuzz-coverage=off -O2 -S -emit-llvm -o - %s | FileCheck --check-prefix=OFF %s
//
// CHECK: section "cfuzz_noreturn"
// OFF-NOT: cfuzz_noreturn

// RUN: %clang -O2 -c -o %t.o %s && %clang -O2 -c -DNOTHING -o %t.none.o %s
// RUN: llvm-readelf -p cfuzz_noreturn %t.o | grep -o '[a-z_]*$' | grep . | sort > %t.names
// RUN: printf 'both_ways\ndie\nfor_ever\nfrom_die\n' | diff - %t.names
// RUN: llvm-readelf -S %t.none.o | not grep cfuzz_noreturn

void abort(void);
void exit(int);
int puts(const char *);
int other(int n);

#ifdef NOTHING
int other(int n)
{
    return n + 1;
}
#else
static void die(const char *text)
{
    puts(text);
    abort();
}

void from_die(int n);
void from_die(int n)
{
    if (n)
        puts("n");
    die("from");
}

void both_ways(int n);
void both_ways(int n)
{
    if (n)
        exit(n);
    die("both");
}

void for_ever(void);
void for_ever(void)
{
    for (;;)
        puts("again");
}

int sometimes(int n);
int sometimes(int n)
{
    if (n > 3)
        from_die(n);
    return other(n);
}
#endif
