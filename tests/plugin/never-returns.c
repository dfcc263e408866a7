// Functions through which every way ends in a call that does not return are listed by name, those too that
// are inlined or that only call such a function; and nothing else: not what is assembly, nor what another
// definition may take the place of. Also without coverage: seeds are run in such a build.
// RUN: %clang -O0 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -fplugin-arg-cfuzz-coverage=off -O2 -S -emit-llvm -o - %s | FileCheck %s
//
// CHECK: section "cfuzz_noreturn"

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

#ifdef __x86_64__
__attribute__((naked, noinline)) int assembly(int n);
int assembly(int n)
{
    __asm__("leal 3(%edi), %eax\n\tretq");
}
#else
#define assembly(n) (n)
#endif

__attribute__((weak)) void on_error(void);
void on_error(void)
{
    abort();
}

int returns(int n);
int returns(int n)
{
    if (n > 7)
        on_error();
    else
        n = assembly(n);
    on_error();
    return n;
}

int sometimes(int n);
int sometimes(int n)
{
    if (n > 3)
        from_die(n);
    return other(n);
}
#endif
