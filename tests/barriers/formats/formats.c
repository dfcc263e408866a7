/* formats.c - small formats whose checksums are bytes, sums of words, and digits. */
#include <cfuzz.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(name) FUZZ_TEST(name, [] byte)(cfuzz_t * t, const uint8_t *d, size_t n)

static unsigned be16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static int hex(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A position as receivers send it: the exclusive or of its bytes stands behind it in two digits. */
BYTES(FuzzSentence)
{
    uint8_t sum = 0;
    size_t star = 1;
    char text[96], *rest = text, *fields[6] = {NULL};

    (void)t;
    if (n < 12 || d[0] != '$')
        return;
    for (; star < n && d[star] != '*'; star++)
        sum ^= d[star];
    if (n - star < 3 || star >= sizeof text || hex(d[star + 1]) != sum >> 4 ||
        hex(d[star + 2]) != (sum & 15))
        return;
    memcpy(text, d + 1, star - 1);
    text[star - 1] = '\0';
    for (int k = 0; k < 6 && rest != NULL; k++)
        fields[k] = strsep(&rest, ",");
    if (fields[5] == NULL || strcmp(fields[0], "GPRMC") != 0)
        return;
    if (fields[2][0] == 'A' && fields[4][0] == 'S' && atof(fields[3]) > 8000)
        abort();
}

/* An archive's member: the sum of its header stands there in octal digits. */
BYTES(FuzzUstar)
{
    unsigned sum = 0, said = 0;

    (void)t;
    if (n < 512)
        return;
    for (int i = 0; i < 512; i++)
        sum += i >= 148 && i < 156 ? ' ' : d[i];
    for (int i = 148; i < 154; i++) {
        if (d[i] < '0' || d[i] > '7')
            return;
        said = said << 3 | (unsigned)(d[i] - '0');
    }
    if (sum != said || memcmp(d + 257, "ustar", 5) != 0)
        return;
    if (d[156] == '2' && strncmp((const char *)d, "etc/passwd", 11) == 0)
        abort();
}

/* A packet whose header's 16-bit words add up to ones, with lengths that agree, and a question. */
BYTES(FuzzPacket)
{
    const uint8_t *ip = d + 14, *udp = d + 34, *p = d + 54;
    uint32_t sum = 0;
    char name[64];
    size_t m = 0;

    (void)t;
    if (n < 54 || be16(d + 12) != 0x0800 || ip[0] != 0x45)
        return;
    for (int i = 0; i < 20; i += 2)
        sum += be16(ip + i);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    if ((uint16_t)~sum != 0 || be16(ip + 2) != n - 14 || ip[9] != 17)
        return;
    if (be16(udp + 2) != 53 || be16(udp + 4) != n - 34 || be16(udp + 12) != 1)
        return;
    while (p < d + n && *p != 0) {
        size_t len = *p++;

        if (len > 63 || len >= (size_t)(d + n - p) || m + len + 1 >= sizeof name)
            return;
        memcpy(name + m, p, len);
        m += len;
        name[m++] = '.';
        p += len;
    }
    name[m] = '\0';
    if (strcmp(name, "evil.example.") == 0)
        abort();
}

static uint8_t sum_of(const uint8_t *d, size_t n)
{
    uint8_t sum = 0;

    while (n-- > 0)
        sum = (uint8_t)(sum * 3 + *d++);
    return sum;
}

/* Frames of a line protocol, each with a sum of one byte behind it: what one opens the next one
 * uses. */
BYTES(FuzzFrames)
{
    bool open = false, writable = false;
    size_t at = 0;

    (void)t;
    while (n - at >= 4 && d[at] == 0x7e) {
        const uint8_t *frame = d + at + 1;
        size_t len = frame[0];

        if (len < 2 || len + 3 > n - at || sum_of(frame, len + 1) != frame[len + 1])
            return;
        switch (frame[1]) {
        case 0x51:
            open = len == 6 && memcmp(frame + 2, "flash", 5) == 0;
            break;
        case 0x62:
            writable = open && len == 3 && be16(frame + 2) == 0xa55a;
            break;
        case 0x73:
            if (writable && len > 8)
                abort();
            break;
        default:
            return;
        }
        at += len + 3;
    }
}
