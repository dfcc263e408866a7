// Counters, flags and records: in IR, and checked by running under every way of building.
// RUN: %clang -O1 -g -S -emit-llvm -o - %s | FileCheck %s --check-prefix=IR
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O0 -o %t.0 %s %t.rt.o && %t.0 | FileCheck %s --check-prefix=OUT
// RUN: %clang -O1 -g -o %t.1 %s %t.rt.o && %t.1 | FileCheck %s --check-prefix=OUT
// RUN: %clang -O2 -o %t.2 %s %t.rt.o && %t.2 | FileCheck %s --check-prefix=OUT
// RUN: %clang -O3 -ffunction-sections -fno-pic -no-pie -o %t.3 %s %t.rt.o && %t.3 | FileCheck %s --check-prefix=OUT
//
// Both files of a package; the order of flags and records is the linker's in both sections.
// RUN: %clang -O1 -c -o %t.a.o %s && %clang -O1 -DSECOND -c -o %t.b.o %s
// RUN: %clang -o %t.4 %t.b.o %t.a.o %t.rt.o && %t.4 | FileCheck %s --check-prefixes=OUT,TWO
//
// The linker may drop dead functions, with all that belongs to them.
// RUN: %clang -o %t.5 -Wl,--gc-sections %t.a.o %t.b.o %t.rt.o && %t.5 | FileCheck %s --check-prefixes=OUT,TWO
#include <cfuzz.h>

// The comdat of the counters is that of flag and record.
// IR: @[[CNT:__sancov_gen_[.0-9]*]] = private global [{{[0-9]+}} x i8] zeroinitializer, section "__sancov_cntrs", comdat(${{.*}}branches)
// IR: @[[FLAG:cfuzz.flag[.0-9]*]] = private global i8 0, section "cfuzz_flags", comdat(${{.*}}branches), align 1
// IR-NEXT: @[[REC:cfuzz.rec[.0-9]*]] = private constant { i32, i32 } { i32 {{.*}}@[[CNT]]{{.*}}@[[REC]]{{.*}}, section "cfuzz_recs", comdat(${{.*}}branches), align 4
// IR-LABEL: define {{.*}}@branches(
// IR: store i8 1, {{i8\*|ptr}} @[[FLAG]], align 1{{.*}} !nosanitize
// IR-LABEL: define {{.*}}@never(
// IR: store i8 1, {{i8\*|ptr}} @cfuzz.flag
// IR-LABEL: define {{.*}}@excluded(
// IR-NOT: {{@__sancov_gen_|@cfuzz.flag}}
// IR-LABEL: define internal void @cfuzz_setup_FuzzCoverage(
// IR-NOT: {{@__sancov_gen_|@cfuzz.flag}}
// IR-LABEL: define internal void @FuzzCoverage(
// IR: store i8 1, {{i8\*|ptr}} @cfuzz.flag
// The thunk and the setup part have no counters.
// IR-LABEL: define internal void @cfuzz_call_FuzzCoverage(
// IR-NOT: {{@__sancov_gen_|@cfuzz.flag}}
// IR-LABEL: define internal void @cfuzz.module_ctor.5()
// IR-SAME: comdat
// IR: call void @cfuzz_module_init(i32 5,

#ifndef SECOND

extern int branches(const char *s), dead(int n), never(int n);
static int helper(int n);
__attribute__((no_sanitize("coverage"))) int excluded(int n);

// One counter for the entry and one each for what optforfuzzing keeps apart.
__attribute__((noinline)) int branches(const char *s)
{
    if (s[0] == 's' && s[1] == 't' && s[2] == 'r' && s[3] == 'i')
        return helper(s[4]);
    return 0;
}

static int helper(int n) // inlined away at -O2: no array, flag or record of its own then
{
    return n > 'a' ? n - 1 : n;
}

__attribute__((noinline)) int never(int n)
{
    return n * 2;
}

int dead(int n)
{
    return n == 1 ? never(1) : n;
}

int excluded(int n)
{
    return n == 3 ? 4 : n;
}

FUZZ_SETUP(FuzzCoverage)(cfuzz_f *f)
{
    cfuzz_add(f, "s", 1);
}

FUZZ_TEST(FuzzCoverage, string, int)(cfuzz_t *t, const char *s, int n)
{
    cfuzz_log(t, "%d", branches(s));
    if (excluded(n) == 1 << 30)
        cfuzz_log(t, "%d", never(n));
}

const struct known {
    const char *name;
    void (*fn)(void);
} known[] = {
    {"branches", (void (*)(void))branches},
    {"FuzzCoverage", (void (*)(void))FuzzCoverage},
    {"never", (void (*)(void))never},
    {"excluded", (void (*)(void))excluded},
    {0, 0},
};

#else

FUZZ_TEST(FuzzSecond, int)(cfuzz_t *t, int n)
{
    if (n < 0)
        cfuzz_log(t, "negative");
}

#endif

// OUT-DAG: log: 109
// TWO-DAG: log: negative
// OUT-NOT: BROKEN
// OUT-DAG: branches flag=1 counters={{[5-9]|1[0-9]}} entry=1
// OUT-DAG: FuzzCoverage flag=1 counters={{[0-9]+}} entry=1
// OUT-DAG: never flag=0 counters=1 entry=0
// OUT-NOT: excluded flag
// OUT: consistent
