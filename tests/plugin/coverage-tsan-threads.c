// Threads that run the same functions at once are no data race.
// REQUIRES: tsan
// RUN: %cc -O1 -c -fPIE -o %t.rt.o %S/Inputs/fake_runtime.c
// RUN: %clang -O1 -g -fsanitize=thread -o %t.1 %s %t.rt.o -lpthread && %t.1 2>&1 | FileCheck %s
// CHECK-NOT: Sanitizer
// CHECK: log: 2000
// CHECK-NOT: Sanitizer
#include <cfuzz.h>
#include <pthread.h>

__attribute__((noinline)) static int step(int n)
{
    return n % 2 == 0 ? n + 1 : n - 1;
}

static void *run(void *arg)
{
    int *sum = arg;

    for (int i = 0; i < 1000; i++)
        *sum += step(i) < 0 ? 0 : 1;
    return arg;
}

FUZZ_TEST(FuzzThreads, int)(cfuzz_t *t, int n)
{
    pthread_t one, other;
    int a = 0, b = 0;

    (void)n;
    pthread_create(&one, NULL, run, &a);
    pthread_create(&other, NULL, run, &b);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    cfuzz_log(t, "%d", a + b);
}
