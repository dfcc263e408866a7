/* A target that ends in many ways; see run.py. The first bytes of an input choose. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile uint64_t sink;

static int after(const uint8_t *data, size_t size, const char *word)
{
    size_t n = strlen(word);

    return size >= n && memcmp(data, word, n) == 0;
}

/* Functions, which no compiler makes one branch of. */
static void __attribute__((noinline)) reached_a(void)
{
    sink += 1;
}

static void __attribute__((noinline)) reached_b(void)
{
    sink *= 2;
}

static void __attribute__((noinline)) reached_c(void)
{
    sink ^= 3;
}

static void __attribute__((noinline)) overflow(size_t at)
{
    char *p = malloc(8);

    p[at] = 1;
    sink += (uint64_t)p[0];
    free(p);
}

/* With TARGET_RESTS=FILE the hundredth execution makes the file and waits for a signal; not for ever, since
 * it may come before the wait begins. */
static void rest(void)
{
    static int executions;
    const char *name = getenv("TARGET_RESTS");

    if (name == NULL || ++executions != 100)
        return;
    close(open(name, O_CREAT | O_WRONLY, 0600));
    sleep(5);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == 'F')
        if (size > 1 && data[1] == 'U')
            if (size > 2 && data[2] == 'Z')
                if (size > 3 && data[3] == 'Z')
                    overflow(8);
    for (size_t i = 0; i < size && i < 16; i++) {
        if (data[i] == 'a')
            reached_a();
        if (data[i] == 'b')
            reached_b();
        if (data[i] == 'c')
            reached_c();
    }
    rest();
    if (getenv("TARGET_KINDS") == NULL)
        return 0; /* or fuzzing would find them */
    if (after(data, size, "kind:abort"))
        abort();
    if (after(data, size, "kind:exit"))
        exit(3);
    if (after(data, size, "kind:null"))
        *(volatile int *)(uintptr_t)(sink & 0) = 1;
    if (after(data, size, "kind:const"))
        *(volatile uint8_t *)(uintptr_t)data = 'K';
    if (after(data, size, "kind:leak")) {
        char *volatile p = malloc(77);

        p = NULL;
        sink += p != NULL;
    }
    if (after(data, size, "kind:time"))
        for (;;)
            sink++;
    if (after(data, size, "kind:memory")) {
        char *p = malloc(300u << 20);

        memset(p, 1, 300u << 20);
        sink += (uint64_t)p[size];
        for (;;)
            usleep(10000); /* until somebody sees it */
    }
    if (after(data, size, "kind:malloc"))
        free(memset(malloc(2000u << 20), 1, 1));
    if (after(data, size, "kind:slow"))
        usleep(1200000);
    return 0;
}
