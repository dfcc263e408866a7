/*
 * image.h - the values of an input as one row of bytes, for a search that asks what each byte does.
 *
 * A number is the bytes of its C parameter, the lowest first; a []byte or string is its data. So a
 * test of (int, []byte) with an int and "ab" is six bytes. Value i begins at at[i]; a position is a
 * place in the row. No function here allocates. Context: target.
 */
#ifndef CFZ_IMAGE_H
#define CFZ_IMAGE_H

#include "core/deflate/stored.h"
#include "core/rand.h"
#include "core/value.h"

/* In bytes, all guessed. */
enum {
    CFZ_IMAGE_MAX = 1 << 15, /* longer inputs have no image */
    CFZ_IMAGE_SHORT = 8192,  /* cfz_image_splice makes no image that is at most so long longer than this */
    CFZ_IMAGE_GROWS = 1024,  /* others do by so many at a time */
};

struct cfz_image {
    uint32_t n;
    const struct cfz_value *like;    /* n values of the same kinds, borrowed */
    uint32_t at[CFZ_VALUES_MAX + 1]; /* where each begins, and the end of the last */
    uint8_t bytes[CFZ_IMAGE_MAX];
};

/* Draws an image of the kinds that a test has, borrowed until the next draw; NULL: there is none. */
typedef const struct cfz_image *cfz_other_fn(struct cfz_rand *r);

/* cfz_image_read makes im the image of vs, which is borrowed for its kinds. False if it is too
 * long. */
bool cfz_image_read(struct cfz_image *im, const struct cfz_values *vs);

/*
 * cfz_image_write sets vs, of the same kinds, to what im shows. A string is cut at its first NUL, a
 * bool is the lowest bit. The buffers of vs have a slot's size.
 */
void cfz_image_write(const struct cfz_image *im, struct cfz_values *vs);

/* cfz_image_same returns how many bytes the image of vs begins with that are those of the image of
 * packed values of the same kinds. */
uint32_t cfz_image_same(const struct cfz_values *vs, const uint8_t *packed);

/* cfz_image_copy copies what is in use of from. */
void cfz_image_copy(struct cfz_image *to, const struct cfz_image *from);

static inline uint32_t cfz_image_size(const struct cfz_image *im)
{
    return im->at[im->n];
}

/* cfz_image_value returns the value that position p lies in; the end of the row is in the last. */
uint32_t cfz_image_value(const struct cfz_image *im, uint32_t p);

/* cfz_image_grows reports whether value i is a []byte or string. */
static inline bool cfz_image_grows(const struct cfz_image *im, uint32_t i)
{
    return cfz_kind_is_slot(im->like[i].kind);
}

/*
 * cfz_image_splice replaces del bytes at position p of value i by ins[0..n). False, and im is as it
 * was, if value i is a number, the bytes are not all its own, or the row gets too long.
 */
bool cfz_image_splice(struct cfz_image *im, uint32_t i, uint32_t p, uint32_t del,
                      const uint8_t *ins, uint32_t n);

/* cfz_image_fits reports whether the n bytes at p lie in one value. */
bool cfz_image_fits(const struct cfz_image *im, uint32_t p, uint32_t n);

/* cfz_image_get and cfz_image_put read and write n <= 8 bytes at p as a number. */
uint64_t cfz_image_get(const struct cfz_image *im, uint32_t p, uint32_t n, bool big_endian);
void cfz_image_put(struct cfz_image *im, uint32_t p, uint32_t n, bool big_endian, uint64_t v);

/* cfz_image_find returns the first place at or after p of the bytes text[0..n), n > 0; UINT32_MAX
 * if they are not there. cfz_image_only returns it if there is no other in the whole image. */
uint32_t cfz_image_find(const struct cfz_image *im, uint32_t p, const uint8_t *text, uint32_t n);
uint32_t cfz_image_only(const struct cfz_image *im, const uint8_t *text, uint32_t n);

/* As cfz_stored_find and cfz_stored_keep. */
void cfz_image_find_streams(const struct cfz_image *im, struct cfz_stored *s);
void cfz_image_keep_streams(struct cfz_image *im, const struct cfz_stored *s);

#endif
