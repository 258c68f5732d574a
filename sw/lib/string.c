#include "lib/string.h"
#include "errno.h"

/* Word loops, unrolled: clearing and copying pages is most of what a fault costs. */
void *memset(void *to, int byte, size_t n)
{
    u8 *p = to;

    while (n && ((uintptr_t)p & 3)) {
        *p++ = (u8)byte;
        n--;
    }
    u32 word = (u8)byte * 0x01010101u;
    u32 *w = (u32 *)(void *)p;

    for (; n >= 64; n -= 64, w += 16) {
        w[0] = word, w[1] = word, w[2] = word, w[3] = word;
        w[4] = word, w[5] = word, w[6] = word, w[7] = word;
        w[8] = word, w[9] = word, w[10] = word, w[11] = word;
        w[12] = word, w[13] = word, w[14] = word, w[15] = word;
    }
    for (p = (u8 *)w; n; n--)
        *p++ = (u8)byte;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    u8 *d = to;
    const u8 *s = from;

    if ((((uintptr_t)d | (uintptr_t)s) & 3) == 0) {
        u32 *dw = (u32 *)(void *)d;
        const u32 *sw = (const u32 *)(const void *)s;

        for (; n >= 32; n -= 32, dw += 8, sw += 8) {
            u32 a = sw[0], b = sw[1], c = sw[2], e = sw[3];

            dw[0] = a, dw[1] = b, dw[2] = c, dw[3] = e;
            a = sw[4], b = sw[5], c = sw[6], e = sw[7];
            dw[4] = a, dw[5] = b, dw[6] = c, dw[7] = e;
        }
        d = (u8 *)dw;
        s = (const u8 *)sw;
    }
    while (n--)
        *d++ = *s++;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const u8 *p = a, *q = b;

    for (; n; n--, p++, q++)
        if (*p != *q)
            return *p - *q;
    return 0;
}

size_t strlen(const char *s)
{
    size_t n = 0;

    while (s[n])
        n++;
    return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
    for (; n; n--, a++, b++)
        if (*a != *b || !*a)
            return (u8)*a - (u8)*b;
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, (size_t)-1);
}

int parse_decimal(const char *s, s32 *value)
{
    u32 sum = 0;

    if (!s || !*s)
        return -EINVAL;
    for (; *s; s++) {
        if (*s < '0' || *s > '9' || sum > (0x7fffffffu - (u32)(*s - '0')) / 10)
            return -EINVAL;
        sum = sum * 10 + (u32)(*s - '0');
    }
    *value = (s32)sum;
    return 0;
}
