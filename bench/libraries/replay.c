/*
 * replay.c - runs each file of a directory once, for the build that counts branches.
 *
 *     replay DIR    prints how many there were, and how many crashed or took over 5 seconds
 *
 * What was covered before a crash counts.
 */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "target.h"

enum { LIMIT_SECONDS = 5, SIZE_MOST = 1 << 21 };

static sigjmp_buf back;

static void caught(int signal)
{
    siglongjmp(back, signal);
}

/* The target gets a copy of the input's own size. */
static int run(const char *path)
{
    static uint8_t room[SIZE_MOST];
    FILE *f = fopen(path, "rb");
    uint8_t *data;
    volatile int crashed = 0;
    size_t n;

    if (!f)
        return 0;
    n = fread(room, 1, sizeof room, f);
    fclose(f);
    data = malloc(n ? n : 1);
    for (size_t i = 0; data && i < n; i++)
        data[i] = room[i];
    alarm(LIMIT_SECONDS);
    if (data && sigsetjmp(back, 1) == 0)
        bench_target(data, n);
    else
        crashed = 1; /* what it held is lost */
    alarm(0);
    if (!crashed)
        free(data);
    return crashed;
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    struct sigaction action = {.sa_handler = caught, .sa_flags = SA_NODEFER};
    DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
    struct dirent *e;
    long files = 0, crashed = 0;

    if (!dir) {
        fprintf(stderr, "usage: replay DIR\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    while ((e = readdir(dir))) {
        char path[4096];

        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
        files++;
        crashed += run(path);
    }
    closedir(dir);
    printf("%ld %ld\n", files, crashed);
    return 0;
}
