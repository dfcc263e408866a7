// Calls that do not return are not merged, so that each keeps its line and the function that it was inlined
// into: three of one accessor, and three in its traced copy.
// RUN: %clang -O2 -g -S -o - %s | grep -c 'call.*fail_at' | FileCheck %s
// CHECK: {{^}}6{{$}}

_Noreturn void fail_at(const char *file, int line);

struct vec {
    int *v;
    unsigned long len;
};

static inline int at(const struct vec *v, unsigned long i)
{
    if (i >= v->len)
        fail_at(__FILE__, __LINE__);
    return v->v[i];
}

static int median(const struct vec *v)
{
    return at(v, v->len / 2);
}

static int last_step(const struct vec *v)
{
    return at(v, v->len - 1) - at(v, v->len - 2);
}

int run(const struct vec *v, const char *what);
int run(const struct vec *v, const char *what)
{
    return *what == 'm' ? median(v) : last_step(v);
}
