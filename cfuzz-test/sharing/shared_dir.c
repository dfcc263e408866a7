/*
 * shared_dir.c - see shared_dir.h.
 *
 *     look: the directory --list_all--> new names --> files, waiting --settle--> whole ones first
 *     take: the first of these
 *     put:  a file of ours, which appears whole
 */
#define _GNU_SOURCE
#include "sharing/shared_dir.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sha1.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/io.h"

#define SECOND UINT64_C(1000000000)

enum {
    WHOLE_S = 1,        /* a file that is as it was so many seconds ago is whole; guessed */
    OLD_S = 5,          /* ... and so is one that was written so long ago; guessed */
    EMPTY_S = 15,       /* one without bytes for so long is what a full disk left; guessed */
    SETTLED_S = 2,      /* what changed in a directory later than this may not show in its mtime */
    WAITING_MAX = 4096, /* files that are seen and not taken */
    LISTED_PER_S = 10000, /* names of one directory */
    OWN_MAX = 1000,       /* drivers of one machine in a directory */
    HOST_LEN = 24,        /* of its name, in that of our part */
};

#define LOCK_NAME ".cfuzz-lock"
#define SHA_TAG ",sha:"

static int64_t nanoseconds(const struct timespec *ts)
{
    return (int64_t)ts->tv_sec * (int64_t)SECOND + ts->tv_nsec;
}

/* Joins two parts of a path; the caller frees it. NULL without memory. */
static char *join(const char *a, const char *b)
{
    char *path;

    return asprintf(&path, "%s/%s", a, b) < 0 ? NULL : path;
}

/* ---- contents -------------------------------------------------------------------------- */

uint64_t shared_content(const void *bytes, size_t len)
{
    uint8_t sum[SHA1_DIGEST_LENGTH];
    SHA1_CTX ctx;
    uint64_t h = 0;

    SHA1Init(&ctx);
    SHA1Update(&ctx, bytes, len);
    SHA1Final(sum, &ctx);
    for (size_t i = 0; i < sizeof h; i++)
        h = h << 8 | sum[i];
    return h;
}

/* Whether the name says what content the file has: it is a SHA-1, or has the tag of ours. */
static bool content_of_name(const char *name, uint64_t *content)
{
    const char *tag = strstr(name, SHA_TAG), *digits = tag != NULL ? tag + strlen(SHA_TAG) : name;
    size_t n = strspn(digits, "0123456789abcdef");
    char text[17];

    if (digits[n] != '\0' || n != (tag != NULL ? 16 : 2 * SHA1_DIGEST_LENGTH))
        return false;
    memcpy(text, digits, 16);
    text[16] = '\0';
    *content = strtoull(text, NULL, 16);
    return true;
}

bool shared_dir_knows(const struct shared_dir *d, uint64_t content)
{
    return hash_set_has(&d->content, content);
}

/* ---- names ----------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);

    return n >= m && strcmp(name + n - m, end) == 0;
}

/* What is no input, or will have another name when it is whole. */
static bool is_passed_over(const struct shared_dir *d, const struct shared_list *l,
                           const char *name)
{
    static const char *const ends[] = {"~", ".md", ".dict", ".tmp", ".part", ".partial", ".gstmp"};

    if (name[0] == '.' || strncmp(name, "README", 6) == 0)
        return true;
    if (d->kind == SHARED_AFL && strcmp(l->path, ".") != 0)
        return strncmp(name, "id:", 3) != 0 && strncmp(name, "id_", 3) != 0;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_with(name, ends[i]))
            return true;
    return false;
}

static uint64_t hash_of(const struct shared_list *l, const char *name)
{
    return hash_set_text(hash_set_text(0, l->path), name);
}

int shared_dir_name_known(struct shared_dir *d, const char *name, struct cfz_error *err)
{
    const struct shared_list self = {.path = (char *)"."};

    return hash_set_add(&d->names, hash_of(&self, name), NULL, err);
}

/* ---- looking --------------------------------------------------------------------------- */

static void drop_files(struct shared_dir *d)
{
    for (size_t i = d->first; i < d->nfiles; i++)
        free(d->files[i].path);
    free(d->files);
    d->files = NULL;
    d->first = d->nfiles = d->cap = 0;
}

/* Forgets all that is known of what is there. */
static void forget(struct shared_dir *d)
{
    drop_files(d);
    for (size_t i = 0; i < d->nlists; i++)
        free(d->lists[i].path);
    free(d->lists);
    d->lists = NULL;
    d->nlists = 0;
    hash_set_release(&d->names);
    hash_set_release(&d->content);
    if (d->lock >= 0)
        close(d->lock);
    d->lock = -1;
    free(d->own);
    d->own = NULL;
}

static int lose(struct shared_dir *d, struct cfz_error *err)
{
    int ret = cfz_fail_errno(err, "%s", d->path);

    if (err != NULL)
        err->code = CFZ_EIO;
    d->gone = true;
    return ret;
}

/* Finds the list of that path, or adds it. NULL without memory. */
static struct shared_list *list_of(struct shared_dir *d, const char *path)
{
    struct shared_list *lists;

    for (size_t i = 0; i < d->nlists; i++)
        if (strcmp(d->lists[i].path, path) == 0)
            return &d->lists[i];
    lists = realloc(d->lists, (d->nlists + 1) * sizeof *lists);
    if (lists == NULL)
        return NULL;
    d->lists = lists;
    lists[d->nlists] = (struct shared_list){.path = strdup(path), .mtime_ns = INT64_MIN};
    return lists[d->nlists].path != NULL ? &lists[d->nlists++] : NULL;
}

/* Whether a file was last written so many seconds ago. */
static bool is_older(int64_t mtime_ns, unsigned seconds)
{
    struct timespec clock;

    clock_gettime(CLOCK_REALTIME, &clock);
    return mtime_ns < nanoseconds(&clock) - seconds * (int64_t)SECOND;
}

/* Appends a file that waits, unless it is none, or will stay empty. */
static int add_file(struct shared_dir *d, const struct shared_list *l, int fd, const char *name,
                    uint64_t now, struct cfz_error *err)
{
    struct shared_file f = {.since = now, .whole = d->kind == SHARED_CACHE};
    uint64_t content;
    struct stat st;

    if (fstatat(fd, name, &st, 0) < 0 || !S_ISREG(st.st_mode))
        return 0; /* gone by now, or a directory */
    f.size = st.st_size;
    f.mtime_ns = nanoseconds(&st.st_mtim);
    if (f.size == 0 && is_older(f.mtime_ns, EMPTY_S))
        return hash_set_add(&d->names, hash_of(l, name), NULL, err);
    if (content_of_name(name, &content) && hash_set_add(&d->content, content, NULL, err) < 0)
        return -1;
    if (d->nfiles == d->cap) {
        size_t cap = d->cap == 0 ? 64 : 2 * d->cap;
        struct shared_file *files = realloc(d->files, cap * sizeof *files);

        if (files == NULL)
            return cfz_fail_nomem(err);
        d->files = files;
        d->cap = cap;
    }
    f.whole |= f.size > 0 && is_older(f.mtime_ns, OLD_S);
    f.path = join(l->path, name);
    if (f.path == NULL || hash_set_add(&d->names, hash_of(l, name), NULL, err) < 0) {
        free(f.path);
        return cfz_fail_nomem(err);
    }
    d->files[d->nfiles++] = f;
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends name to names, at most WAITING_MAX of them. */
static int note_name(char ***names, size_t *n, const char *name, struct cfz_error *err)
{
    char **v = *names;

    if ((*n & (*n - 1)) == 0) { /* a power of two */
        v = realloc(v, (*n == 0 ? 1 : 2 * *n) * sizeof *v);
        if (v == NULL)
            return cfz_fail_nomem(err);
        *names = v;
    }
    v[*n] = strdup(name);
    if (v[*n] == NULL)
        return cfz_fail_nomem(err);
    ++*n;
    return 0;
}

/* Notes that the directory name, in that of l, has files of a peer. */
static int note_peer(struct shared_dir *d, int fd, const char *name, struct cfz_error *err)
{
    char *queue = join(name, "queue");
    struct shared_list *l = NULL;
    struct stat st;
    int ret = 0;

    if (queue == NULL)
        return cfz_fail_nomem(err);
    if (fstatat(fd, queue, &st, 0) == 0 && S_ISDIR(st.st_mode)) {
        l = list_of(d, queue);
        if (l == NULL)
            ret = cfz_fail_nomem(err);
        else
            l->met = true;
    }
    free(queue);
    return ret;
}

/* Reads the names of list number i. New ones go to files, and directories are peers. */
static int list_names(struct shared_dir *d, size_t i, DIR *dir, uint64_t now, struct cfz_error *err)
{
    bool top = d->kind == SHARED_AFL && strcmp(d->lists[i].path, ".") == 0, full = false;
    const struct dirent *e;
    char **names = NULL;
    size_t n = 0, all = 0;
    int ret = 0;

    while (ret == 0 && (e = readdir(dir)) != NULL) {
        all++;
        if (is_passed_over(d, &d->lists[i], e->d_name))
            continue;
        if (top && (e->d_type == DT_DIR || e->d_type == DT_UNKNOWN || e->d_type == DT_LNK))
            ret = note_peer(d, dirfd(dir), e->d_name, err);
        if (ret < 0 || e->d_type == DT_DIR ||
            hash_set_has(&d->names, hash_of(&d->lists[i], e->d_name)))
            continue;
        if (n + d->nfiles - d->first >= WAITING_MAX) {
            full = true;
            continue;
        }
        ret = note_name(&names, &n, e->d_name, err);
    }
    if (n > 0)
        qsort(names, n, sizeof *names, by_text);
    for (size_t k = 0; k < n; k++) {
        if (ret == 0)
            ret = add_file(d, &d->lists[i], dirfd(dir), names[k], now, err);
        free(names[k]);
    }
    free(names);
    d->lists[i].again = full;
    d->lists[i].next = now + SECOND + all * SECOND / LISTED_PER_S;
    return ret;
}

/* Lists what may have changed since the last time. A peer that is gone is forgotten. */
static int list_one(struct shared_dir *d, size_t i, uint64_t now, struct cfz_error *err)
{
    struct shared_list *l = &d->lists[i];
    bool peers = d->kind == SHARED_AFL && strcmp(l->path, ".") == 0;
    struct timespec clock;
    struct stat st;
    char *path;
    DIR *dir;
    int ret;

    if (now < l->next)
        return 0;
    path = join(d->path, l->path);
    dir = path != NULL ? opendir(path) : NULL;
    free(path);
    if (path == NULL)
        return cfz_fail_nomem(err);
    if (dir == NULL || fstat(dirfd(dir), &st) < 0) {
        if (dir != NULL)
            closedir(dir);
        return 0;
    }
    /* Peers make their queues without a change in the directory of all. */
    if (!peers && !l->again && nanoseconds(&st.st_mtim) == l->mtime_ns) {
        closedir(dir);
        return 0;
    }
    clock_gettime(CLOCK_REALTIME, &clock);
    ret = list_names(d, i, dir, now, err);
    l = &d->lists[i]; /* it may have moved */
    l->mtime_ns = nanoseconds(&st.st_mtim);
    if (l->mtime_ns > nanoseconds(&clock) - SETTLED_S * (int64_t)SECOND)
        l->again = true;
    closedir(dir);
    return ret;
}

static int by_path(const void *a, const void *b)
{
    const struct shared_list *x = a, *y = b;

    return strcmp(x->path, y->path);
}

static int list_all(struct shared_dir *d, uint64_t now, struct cfz_error *err)
{
    size_t kept = 1;
    bool listed;

    if (d->nlists == 0 && list_of(d, ".") == NULL)
        return cfz_fail_nomem(err);
    listed = now >= d->lists[0].next;
    for (size_t i = 0; listed && i < d->nlists; i++)
        d->lists[i].met = false;
    for (size_t i = 0; i < d->nlists; i++) {
        if (list_one(d, i, now, err) < 0)
            return -1;
        if (i == 0)
            qsort(d->lists + 1, d->nlists - 1, sizeof *d->lists, by_path);
    }
    for (size_t i = 1; listed && i < d->nlists; i++) {
        if (d->lists[i].met)
            d->lists[kept++] = d->lists[i];
        else
            free(d->lists[i].path);
    }
    if (listed)
        d->nlists = kept;
    return 0;
}

/* Sees whether f is whole by now. Returns false if it is no longer there, or stays empty. */
static bool see(struct shared_file *f, int fd, uint64_t now)
{
    struct stat st;

    if (f->whole || now - f->since < WHOLE_S * SECOND)
        return true;
    if (fstatat(fd, f->path, &st, 0) < 0)
        return false;
    f->whole = st.st_size > 0 && st.st_size == f->size && nanoseconds(&st.st_mtim) == f->mtime_ns;
    f->size = st.st_size;
    f->mtime_ns = nanoseconds(&st.st_mtim);
    f->since = now;
    return st.st_size > 0 || !is_older(f->mtime_ns, EMPTY_S);
}

/* Sees which files are whole by now, and puts them first; otherwise their order stays. */
static void settle(struct shared_dir *d, int fd, uint64_t now)
{
    size_t whole = d->first, end = d->first;

    for (size_t i = d->first; i < d->nfiles; i++) {
        struct shared_file f = d->files[i];

        if (!see(&f, fd, now)) {
            free(f.path);
            continue;
        }
        d->files[end++] = f;
        if (!f.whole)
            continue;
        memmove(&d->files[whole + 1], &d->files[whole], (end - 1 - whole) * sizeof f);
        d->files[whole++] = f;
    }
    d->nfiles = end;
}

int shared_dir_look(struct shared_dir *d, uint64_t now, struct cfz_error *err)
{
    int fd = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;
    struct stat st;

    if (fd < 0 && d->kind == SHARED_CACHE && errno == ENOENT)
        return 0; /* nobody has found anything yet */
    if (fd < 0 || fstat(fd, &st) < 0) {
        ret = lose(d, err);
        if (fd >= 0)
            close(fd);
        return ret;
    }
    if (d->ino != 0 && (d->dev != st.st_dev || d->ino != st.st_ino))
        forget(d);
    d->dev = st.st_dev;
    d->ino = st.st_ino;
    d->gone = false;
    ret = list_all(d, now, err);
    settle(d, fd, now);
    close(fd);
    return ret;
}

bool shared_dir_ready(const struct shared_dir *d)
{
    return d->first < d->nfiles && d->files[d->first].whole;
}

bool shared_dir_take(struct shared_dir *d, size_t max, struct cfz_buf *bytes, const char **name)
{
    int fd = shared_dir_ready(d) ? open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool got = false;

    while (fd >= 0 && !got && shared_dir_ready(d)) {
        const char *path = d->files[d->first].path;
        size_t before = bytes->len;

        if (cfz_io_read_file(fd, path, max, bytes, NULL) == 0)
            got = hash_set_add(&d->content,
                               shared_content(cfz_buf_str(bytes) + before, bytes->len - before),
                               NULL, NULL) == 0;
        if (!got)
            cfz_buf_truncate(bytes, before);
        free(d->taken);
        d->taken = d->files[d->first++].path;
        *name = strrchr(d->taken, '/') + 1;
    }
    if (fd >= 0)
        close(fd);
    if (d->first == d->nfiles)
        d->first = d->nfiles = 0;
    return got;
}

/* ---- leaving inputs -------------------------------------------------------------------- */

/* Writes "cfuzz-<host>-<n>". */
static char *own_name(unsigned n)
{
    char host[HOST_LEN + 1] = "", *name;

    if (gethostname(host, sizeof host) < 0 || host[0] == '\0')
        strcpy(host, "host");
    host[HOST_LEN] = '\0';
    for (char *p = host; *p != '\0'; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    return asprintf(&name, "cfuzz-%s-%u", host, n) < 0 ? NULL : name;
}

/* Tries to make name ours in the directory fd. Returns whether it is; errno says why not. */
static bool try_own(struct shared_dir *d, int fd, const char *name)
{
    char *lock = join(name, LOCK_NAME), *queue = join(name, "queue");
    int held = -1;

    if (lock != NULL && queue != NULL && (mkdirat(fd, name, 0777) == 0 || errno == EEXIST) &&
        (mkdirat(fd, queue, 0777) == 0 || errno == EEXIST))
        held = openat(fd, lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    free(lock);
    free(queue);
    if (held < 0)
        return false;
    if (flock(held, LOCK_EX | LOCK_NB) < 0) {
        int why = errno;

        close(held);
        errno = why;
        return false;
    }
    d->lock = held;
    return true;
}

/* Sets the number of our next file, and learns what ours are, from their names. */
static int read_own(struct shared_dir *d, const char *queue, struct cfz_error *err)
{
    DIR *dir = opendir(queue);
    const struct dirent *e;
    int ret = 0;

    d->id = 0;
    if (dir == NULL)
        return cfz_fail_errno(err, "%s", queue);
    while (ret == 0 && (e = readdir(dir)) != NULL) {
        unsigned long long id;
        uint64_t content;

        if (strncmp(e->d_name, "id:", 3) != 0 && strncmp(e->d_name, "id_", 3) != 0)
            continue;
        id = strtoull(e->d_name + 3, NULL, 10);
        if (id >= d->id)
            d->id = id + 1;
        if (content_of_name(e->d_name, &content))
            ret = hash_set_add(&d->content, content, NULL, err);
    }
    closedir(dir);
    return ret;
}

/* Takes a part of the directory that no living driver has. */
static int take_own(struct shared_dir *d, struct cfz_error *err)
{
    int fd = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = -1;
    char *queue = NULL;

    if (fd < 0)
        return cfz_fail_errno(err, "%s", d->path);
    for (unsigned n = 1; n <= OWN_MAX && d->own == NULL; n++) {
        char *name = own_name(n);

        if (name == NULL) {
            cfz_fail_nomem(err);
            goto out;
        }
        if (try_own(d, fd, name)) {
            d->own = name;
            break;
        }
        free(name);
        /* Another driver has it, or another user has made it. */
        if ((errno != EWOULDBLOCK && errno != EACCES && errno != EPERM) || n == OWN_MAX) {
            cfz_fail_errno(err, "%s", d->path);
            goto out;
        }
    }
    if (asprintf(&queue, "%s/%s/queue", d->path, d->own) < 0) {
        queue = NULL;
        cfz_fail_nomem(err);
        goto out;
    }
    ret = read_own(d, queue, err);
out:
    free(queue);
    close(fd);
    return ret;
}

/* Opens the directory that our files go to. -1: errno says why. */
static int open_ours(const struct shared_dir *d)
{
    char *path = NULL;
    int fd;

    if (asprintf(&path, "%s/%s%s", d->path, d->kind == SHARED_AFL ? d->own : ".",
                 d->kind == SHARED_AFL ? "/queue" : "") < 0)
        return -1;
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(path);
    return fd;
}

/* Writes the file, whose list and name are noted, so that it is not taken. */
static int put_file(struct shared_dir *d, int fd, const void *bytes, size_t len, uint64_t content,
                    struct cfz_error *err)
{
    char name[96], sha[SHA1_DIGEST_STRING_LENGTH], *queue = NULL;
    struct shared_list l = {.path = (char *)"."};
    struct cfz_error why = CFZ_ERROR_INIT;
    int ret;

    do {
        if (d->kind == SHARED_AFL)
            snprintf(name, sizeof name, "id:%06llu,op:cfuzz" SHA_TAG "%016llx",
                     (unsigned long long)d->id++, (unsigned long long)content);
        else
            snprintf(name, sizeof name, "%s", SHA1Data(bytes, len, sha));
        ret = cfz_io_write_file(fd, name, bytes, len, 0, &why);
    } while (ret < 0 && why.code == CFZ_EEXIST && d->kind == SHARED_AFL);
    if (ret < 0 && why.code != CFZ_EEXIST) {
        *err = why;
        return -1;
    }
    if (d->kind == SHARED_AFL) {
        queue = join(d->own, "queue");
        l.path = queue;
    }
    if (l.path == NULL || hash_set_add(&d->names, hash_of(&l, name), NULL, err) < 0) {
        free(queue);
        return cfz_fail_nomem(err);
    }
    free(queue);
    return hash_set_add(&d->content, content, NULL, err);
}

int shared_dir_put(struct shared_dir *d, const void *bytes, size_t len, bool *added,
                   struct cfz_error *err)
{
    uint64_t content = shared_content(bytes, len);
    struct cfz_error why = CFZ_ERROR_INIT;
    int fd, ret;

    *added = false;
    CFZ_ASSERT(d->kind != SHARED_CACHE);
    if (shared_dir_knows(d, content))
        return 0;
    if (d->kind == SHARED_AFL && d->own == NULL && take_own(d, &why) < 0)
        goto lost;
    fd = open_ours(d);
    if (fd < 0 && errno == ENOENT && d->kind == SHARED_AFL && access(d->path, F_OK) == 0) {
        /* Somebody removed our part. */
        forget(d);
        if (take_own(d, &why) < 0)
            goto lost;
        fd = open_ours(d);
    }
    if (fd < 0) {
        cfz_fail_errno(&why, "%s", d->path);
        goto lost;
    }
    ret = put_file(d, fd, bytes, len, content, &why);
    close(fd);
    if (ret == 0) {
        *added = true;
        return 0;
    }
    cfz_error_wrap(&why, "%s", d->path);
lost:
    if (err != NULL)
        *err = why;
    if (why.code == CFZ_ENOMEM)
        return -1;
    d->gone = true;
    return -1;
}

/* ---- beginning and end ------------------------------------------------------------------ */

int shared_dir_open(struct shared_dir *d, enum shared_kind kind, const char *path,
                    struct cfz_error *err)
{
    *d = (struct shared_dir){.kind = kind, .path = strdup(path), .lock = -1};
    if (d->path == NULL)
        return cfz_fail_nomem(err);
    if (kind == SHARED_CACHE)
        return 0;
    if (cfz_io_mkdirs(path, err) < 0)
        goto failed;
    if (kind == SHARED_AFL ? take_own(d, err) < 0 : access(path, R_OK | W_OK | X_OK) < 0) {
        if (kind == SHARED_FLAT)
            cfz_fail_errno(err, "%s", path);
        goto failed;
    }
    return 0;
failed:
    if (err != NULL && err->code != CFZ_ENOMEM)
        err->code = CFZ_EUSAGE;
    shared_dir_close(d);
    return -1;
}

void shared_dir_close(struct shared_dir *d)
{
    forget(d);
    free(d->taken);
    free(d->path);
    *d = (struct shared_dir){.lock = -1};
}
