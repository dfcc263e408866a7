/*
 * link_hints.c - see link_hints.h.
 */
#define _GNU_SOURCE
#include "build/link_hints.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/project.h"
#include "build/source_text.h"
#include "cli/report.h"
#include "core/io.h"

/* Longest source that is searched for a definition. */
enum { FILE_MAX = 4 << 20 };

/* The first match counts, so the longer of two prefixes stands first. */
static const struct library {
    const char *prefix;
    const char *directive;
} libraries[] = {
    {"g_object_", "pkg-config gobject-2.0"},
    {"g_type_", "pkg-config gobject-2.0"},
    {"g_signal_", "pkg-config gobject-2.0"},
    {"g_file_get_contents", "pkg-config glib-2.0"},
    {"g_file_set_contents", "pkg-config glib-2.0"},
    {"g_file_test", "pkg-config glib-2.0"},
    {"g_file_", "pkg-config gio-2.0"},
    {"g_input_stream_", "pkg-config gio-2.0"},
    {"g_output_stream_", "pkg-config gio-2.0"},
    {"g_socket_", "pkg-config gio-2.0"},
    {"g_dbus_", "pkg-config gio-2.0"},
    {"g_", "pkg-config glib-2.0"},
    {"xmlSec", "pkg-config xmlsec1"},
    {"xslt", "pkg-config libxslt"},
    {"xml", "pkg-config libxml-2.0"},
    {"html", "pkg-config libxml-2.0"},
    {"SSL_", "pkg-config libssl"},
    {"TLS_", "pkg-config libssl"},
    {"EVP_", "pkg-config libcrypto"},
    {"BIO_", "pkg-config libcrypto"},
    {"X509_", "pkg-config libcrypto"},
    {"CRYPTO_", "pkg-config libcrypto"},
    {"OPENSSL_", "pkg-config libcrypto"},
    {"SHA1_", "pkg-config libcrypto"},
    {"SHA256_", "pkg-config libcrypto"},
    {"gnutls_", "pkg-config gnutls"},
    {"gcry_", "pkg-config libgcrypt"},
    {"curl_", "pkg-config libcurl"},
    {"sqlite3_", "pkg-config sqlite3"},
    {"json_object_", "pkg-config json-c"},
    {"json_", "pkg-config jansson"},
    {"yaml_", "pkg-config yaml-0.1"},
    {"XML_", "pkg-config expat"},
    {"uv_", "pkg-config libuv"},
    {"event_", "pkg-config libevent"},
    {"evbuffer_", "pkg-config libevent"},
    {"png_", "pkg-config libpng"},
    {"jpeg_", "pkg-config libjpeg"},
    {"TIFF", "pkg-config libtiff-4"},
    {"FT_", "pkg-config freetype2"},
    {"cairo_", "pkg-config cairo"},
    {"lzma_", "pkg-config liblzma"},
    {"ZSTD_", "pkg-config libzstd"},
    {"LZ4", "pkg-config liblz4"},
    {"BZ2_", "ldflags -lbz2"},
    {"archive_", "pkg-config libarchive"},
    {"pcre2_", "pkg-config libpcre2-8"},
    {"pcre_", "pkg-config libpcre"},
    {"ffi_", "pkg-config libffi"},
    {"dbus_", "pkg-config dbus-1"},
    {"sd_", "pkg-config libsystemd"},
    {"udev_", "pkg-config libudev"},
    {"uuid_", "pkg-config uuid"},
    {"cap_", "pkg-config libcap"},
    {"acl_", "pkg-config libacl"},
    {"pcap_", "pkg-config libpcap"},
    {"snappy_", "ldflags -lsnappy"},
    {"mnl_", "pkg-config libmnl"},
    {"usb_", "pkg-config libusb-1.0"},
    {"libusb_", "pkg-config libusb-1.0"},
    {"lua_", "pkg-config lua5.4"},
    {"luaL_", "pkg-config lua5.4"},
    {"__gmp", "ldflags -lgmp"},
    {"mpfr_", "ldflags -lmpfr"},
    {"pam_", "ldflags -lpam"},
    {"magic_", "ldflags -lmagic"},
    {"gz", "ldflags -lz"},
    {"__atomic_", "ldflags -latomic"},
    {"omp_", "cflags -fopenmp"},
    {"GOMP_", "cflags -fopenmp"},
    {"__kmpc_", "cflags -fopenmp"},
};

/* Functions by their whole names, separated by blanks. */
static const struct named {
    const char *names;
    const char *directive;
} named[] = {
    {" acos asin atan atan2 ceil copysign cos cosh erf erfc exp exp2 expm1 exp10 fabs fdim floor "
     "fma "
     "fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint "
     "lround modf nan nearbyint nextafter pow remainder remquo rint round scalbln scalbn sin "
     "sincos "
     "sinh sqrt tan tanh tgamma trunc acosh asinh atanh cbrt ",
     "ldflags -lm"},
    {" deflate deflateInit_ deflateInit2_ deflateEnd deflateReset deflateBound inflate "
     "inflateInit_ "
     "inflateInit2_ inflateEnd inflateReset inflateReset2 inflateSetDictionary compress compress2 "
     "compressBound uncompress uncompress2 crc32 crc32_z crc32_combine adler32 zlibVersion zError ",
     "ldflags -lz"},
    {" dlopen dlsym dlclose dlerror ", "ldflags -ldl"},
    {" clock_gettime timer_create timer_settime mq_open mq_send shm_open shm_unlink aio_read ",
     "ldflags -lrt"},
    {" crypt crypt_r ", "ldflags -lcrypt"},
    {" readline add_history using_history rl_bind_key ", "pkg-config readline"},
    {" initscr endwin wrefresh newwin mvprintw stdscr tgetent tputs setupterm ",
     "pkg-config ncurses"},
    {" res_query __res_query __res_search dn_expand __dn_expand ", "ldflags -lresolv"},
    {" getxattr setxattr attr_get ", "ldflags -lattr"},
};

/* A function of the mathematical library may end in the letter of its type: powf, powl. */
static bool is_named(const char *names, const char *name)
{
    size_t len = strlen(name);
    char *word = NULL;
    bool yes = asprintf(&word, " %s ", name) >= 0 && strstr(names, word) != NULL;

    if (!yes && word != NULL && names[1] == 'a' && len > 1 &&
        (name[len - 1] == 'f' || name[len - 1] == 'l')) {
        strcpy(word + len, " ");
        yes = strstr(names, word) != NULL;
    }
    free(word);
    return yes;
}

const char *link_hints_library(const char *name)
{
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (is_named(named[i].names, name))
            return named[i].directive;
    for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
        if (strncmp(libraries[i].prefix, name, strlen(libraries[i].prefix)) == 0)
            return libraries[i].directive;
    return NULL;
}

int link_hints_undefined(const char *said, struct strlist *out, struct cfz_error *err)
{
    static const char *const marks[] = {"undefined reference to `", "undefined reference to '",
                                        "undefined symbol: "};

    for (; *said != '\0'; said += strcspn(said, "\n"), said += *said == '\n') {
        size_t len = strcspn(said, "\n");

        for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
            const char *at = memmem(said, len, marks[i], strlen(marks[i]));
            char *name;
            int ret = 0;

            if (at == NULL)
                continue;
            at += strlen(marks[i]);
            name = strndup(at, strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_$"));
            if (name == NULL)
                return cfz_fail_nomem(err);
            if (name[0] != '\0' && !strlist_has(out, name))
                ret = strlist_add(out, name, err);
            free(name);
            if (ret < 0)
                return -1;
            break;
        }
    }
    return 0;
}

/* ---- definitions elsewhere in the project ------------------------------------------- */

struct search {
    const struct package *pkg;
    const struct strlist *names;
    struct strlist sources; /* the file that defines names->v[i], or "" */
};

static bool is_part(const struct package *pkg, const char *path)
{
    for (size_t i = 0; i < pkg->nsources; i++)
        if (strcmp(pkg->sources[i].path, path) == 0)
            return true;
    return false;
}

static void search_file(void *ctx, const char *path)
{
    struct cfz_buf text = CFZ_BUF_INIT;
    struct search *s = ctx;
    size_t len = strlen(path);

    if (len > 2 && strcmp(path + len - 2, ".c") == 0 && !is_part(s->pkg, path) &&
        cfz_io_read_file(AT_FDCWD, path, FILE_MAX, &text, NULL) == 0)
        for (size_t i = 0; i < s->names->n; i++) {
            char **place = &s->sources.v[i], *copy;

            if ((*place)[0] != '\0' ||
                memmem(text.data, text.len, s->names->v[i], strlen(s->names->v[i])) == NULL ||
                !source_defines(cfz_buf_str(&text), text.len, s->names->v[i]) ||
                (copy = strdup(path)) == NULL)
                continue;
            free(*place);
            *place = copy;
        }
    cfz_buf_release(&text);
}

/* ---- what is said -------------------------------------------------------------------- */

/* Whether an earlier entry is the same. */
static bool was_before(const struct strlist *l, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(l->v[k], l->v[i]) == 0)
            return true;
    return false;
}

/* Says which line brings the functions names->v[i] for which by->v[i] is by->v[first]. */
static void tell_line(const struct strlist *names, const struct strlist *by, size_t first,
                      const char *line)
{
    char others[40] = "";
    size_t n = 0;

    for (size_t i = 0; i < by->n; i++)
        n += strcmp(by->v[i], by->v[first]) == 0;
    if (n > 1)
        snprintf(others, sizeof(others), " and %zu more", n - 1);
    report_message("cfuzz-test: %s%s: this line in a source of the package brings %s: //cfuzz:%s",
                   names->v[first], others, n > 1 ? "them" : "it", line);
}

/* Fills by with the directory of the source that defines each name, as the package writes it. */
static int name_directories(const struct package *pkg, const struct strlist *sources,
                            struct strlist *by)
{
    for (size_t i = 0; i < sources->n; i++) {
        char *relative =
            sources->v[i][0] != '\0' ? project_relative(pkg->dir, sources->v[i]) : NULL;
        char *slash = relative != NULL ? strrchr(relative, '/') : NULL;
        int ret = strlist_addf(by, NULL, "%.*s", slash != NULL ? (int)(slash - relative) : 0,
                               slash != NULL ? relative : "");

        free(relative);
        if (ret < 0)
            return -1;
    }
    return 0;
}

/* One line for all that the project has itself. Whole directories, since what lies beside such a
 * source is what it calls next. Clears the names in *by that it told of. */
static void tell_sources(const struct strlist *names, struct strlist *by)
{
    struct cfz_buf line = CFZ_BUF_INIT;
    size_t first = by->n, n = 0;

    for (size_t i = 0; i < by->n; i++) {
        if (by->v[i][0] == '\0')
            continue;
        first = first == by->n ? i : first;
        n++;
        if (!was_before(by, i) && cfz_buf_printf(&line, NULL, " %s/*.c", by->v[i]) < 0)
            break;
    }
    if (n > 0)
        report_message("cfuzz-test: %s%s the project defines elsewhere; this line in a source of "
                       "the package brings that: //cfuzz:sources%s",
                       names->v[first], n > 1 ? " and more" : "", cfz_buf_str(&line));
    cfz_buf_release(&line);
}

void link_hints_tell(const struct package *pkg, const char *said)
{
    struct search s = {.pkg = pkg, .sources = STRLIST_INIT};
    struct strlist names = STRLIST_INIT, directories = STRLIST_INIT, libraries_of = STRLIST_INIT;
    char *root = NULL;

    s.names = &names;
    if (link_hints_undefined(said, &names, NULL) < 0 || names.n == 0)
        goto out;
    for (size_t i = 0; i < names.n; i++)
        if (strlist_add(&s.sources, "", NULL) < 0)
            goto out;
    root = project_root(pkg->dir);
    if (root != NULL)
        project_walk(root, search_file, &s);
    if (name_directories(pkg, &s.sources, &directories) < 0)
        goto out;
    tell_sources(&names, &directories);
    for (size_t i = 0; i < names.n; i++) {
        const char *library = directories.v[i][0] == '\0' ? link_hints_library(names.v[i]) : NULL;

        if (strlist_add(&libraries_of, library != NULL ? library : "", NULL) < 0)
            goto out;
    }
    for (size_t i = 0; i < libraries_of.n; i++)
        if (libraries_of.v[i][0] != '\0' && !was_before(&libraries_of, i))
            tell_line(&names, &libraries_of, i, libraries_of.v[i]);
out:
    free(root);
    strlist_release(&names);
    strlist_release(&directories);
    strlist_release(&libraries_of);
    strlist_release(&s.sources);
}
