// Every function is marked optforfuzzing before it is optimised, so that branches are not merged
// before they are counted: there are as many counters as with clang's -fsanitize=fuzzer-no-link, which
// does the same, at each level and in each function. Nor do switches that choose a value become tables.
// RUN: %clang -O1 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O0 -S -emit-llvm -o %t.0.ll %s && %clang -O1 -S -emit-llvm -o %t.1.ll %s
// RUN: %clang -O2 -S -emit-llvm -o %t.2.ll %s && %clang -O3 -S -emit-llvm -o %t.3.ll %s
// RUN: %cc -fsanitize=fuzzer-no-link -fno-jump-tables -O0 -S -emit-llvm -o %t.c0.ll %s && %cc -fsanitize=fuzzer-no-link -fno-jump-tables -O1 -S -emit-llvm -o %t.c1.ll %s
// RUN: %cc -fsanitize=fuzzer-no-link -fno-jump-tables -O2 -S -emit-llvm -o %t.c2.ll %s && %cc -fsanitize=fuzzer-no-link -fno-jump-tables -O3 -S -emit-llvm -o %t.c3.ll %s
// RUN: for f in %t.*.ll; do grep -o '\[[0-9]* x i8\] zeroinitializer, section "__sancov_cntrs"' $f > $f.n; test -s $f.n || exit 1; done
// RUN: diff %t.0.ll.n %t.c0.ll.n && diff %t.1.ll.n %t.c1.ll.n && diff %t.2.ll.n %t.c2.ll.n && diff %t.3.ll.n %t.c3.ll.n
//
// And fewer if clang alone may merge them.
// RUN: %cc -fsanitize-coverage=inline-8bit-counters,pc-table -O2 -S -emit-llvm -o %t.merged %s && grep -o '\[[0-9]* x i8\] zeroinitializer, section "__sancov_cntrs"' %t.merged > %t.merged.n && not diff %t.2.ll.n %t.merged.n

int compare(const char *s);
int counts(const unsigned char *p, unsigned long n);
int looked_up(int n, int m);
int minsize(const char *s);

static volatile int sink;

// CHECK: define {{.*}}@compare({{.*}}) {{.*}}#[[FIRST:[0-9]+]]
int compare(const char *s)
{
    if (s[0] == 'G' && s[1] == 'E' && s[2] == 'T' && s[3] == ' ')
        return 1;
    return s[0] == 'P' && s[1] == 'U' && s[2] == 'T';
}

// CHECK: define {{.*}}@counts({{.*}}) {{.*}}#[[SECOND:[0-9]+]]
int counts(const unsigned char *p, unsigned long n)
{
    int sum = 0;

    for (unsigned long i = 0; i < n; i++)
        if (p[i] < ' ' || p[i] > '~')
            sum++;
    return sum;
}

// CHECK: define {{.*}}@looked_up({{.*}}) {{.*}}#[[THIRD:[0-9]+]]
int looked_up(int n, int m)
{
    int r = 0;

    switch (n) {
    case 1:
        r = 7;
        break;
    case 2:
        r = 5;
        break;
    case 3:
        r = 9;
        break;
    case 4:
        r = 2;
        break;
    default:
        break;
    }
    if (m & 1)
        r += 3;
    sink = m > 2 ? r : -r;
    return r;
}

// CHECK: define {{.*}}@minsize({{.*}}) {{.*}}#[[LAST:[0-9]+]]
__attribute__((minsize, cold)) int minsize(const char *s)
{
    return s[0] == 'a' && s[1] == 'b' && s[2] == 'c';
}

// CHECK-DAG: attributes #[[FIRST]] = { {{.*}}optforfuzzing
// CHECK-DAG: attributes #[[SECOND]] = { {{.*}}optforfuzzing
// CHECK-DAG: attributes #[[THIRD]] = { {{.*}}optforfuzzing
// CHECK-DAG: attributes #[[LAST]] = { {{.*}}optforfuzzing
