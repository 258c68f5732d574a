#include "lib/printf.h"
#include "lib/string.h"

struct sink {
    char *at;
    char *end;
    int length;
};

static void put(struct sink *s, char c)
{
    if (s->at < s->end)
        *s->at++ = c;
    s->length++;
}

static void put_padded(struct sink *s, const char *text, int n, int width, bool left, char pad)
{
    for (int i = n; !left && i < width; i++)
        put(s, pad);
    for (int i = 0; i < n; i++)
        put(s, text[i]);
    for (int i = n; left && i < width; i++)
        put(s, ' ');
}

static void put_number(struct sink *s, u64 value, bool negative, unsigned base, int width,
                       bool left, char pad)
{
    char digits[24];
    int at = sizeof digits;

    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    if (negative && pad == '0') {
        put(s, '-');
        width--;
    } else if (negative) {
        digits[--at] = '-';
    }
    put_padded(s, digits + at, (int)sizeof digits - at, width, left, pad);
}

int kvsnprintf(char *out, size_t size, const char *fmt, va_list args)
{
    struct sink s = {out, size ? out + size - 1 : out, 0};

    for (; *fmt; fmt++) {
        if (*fmt != '%') {
            put(&s, *fmt);
            continue;
        }
        bool left = false;
        char pad = ' ';
        int width = 0, longs = 0;

        for (fmt++; *fmt == '-' || *fmt == '0'; fmt++) {
            left |= *fmt == '-';
            if (*fmt == '0')
                pad = '0';
        }
        if (*fmt == '*') {
            width = va_arg(args, int);
            fmt++;
        }
        for (; *fmt >= '0' && *fmt <= '9'; fmt++)
            width = width * 10 + (*fmt - '0');
        for (; *fmt == 'l'; fmt++)
            longs++;
        if (left)
            pad = ' ';

        s64 d;
        u64 u;
        const char *text;

        switch (*fmt) {
        case 'c':
            put(&s, (char)va_arg(args, int));
            break;
        case 's':
            text = va_arg(args, const char *);
            text = text ? text : "(null)";
            put_padded(&s, text, (int)strlen(text), width, left, ' ');
            break;
        case 'd':
            d = longs > 1 ? va_arg(args, long long)
                : longs   ? va_arg(args, long)
                          : va_arg(args, int);
            put_number(&s, d < 0 ? -(u64)d : (u64)d, d < 0, 10, width, left, pad);
            break;
        case 'u':
        case 'x':
            u = longs > 1 ? va_arg(args, unsigned long long)
                : longs   ? va_arg(args, unsigned long)
                          : va_arg(args, unsigned);
            put_number(&s, u, false, *fmt == 'u' ? 10 : 16, width, left, pad);
            break;
        case 'p':
            put(&s, '0');
            put(&s, 'x');
            put_number(&s, (uintptr_t)va_arg(args, void *), false, 16, 8, false, '0');
            break;
        default:
            put(&s, '%');
            if (*fmt != '%')
                put(&s, *fmt);
        }
        if (!*fmt)
            break;
    }
    if (size)
        *s.at = 0;
    return s.length;
}

int ksnprintf(char *out, size_t size, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = kvsnprintf(out, size, fmt, args);
    va_end(args);
    return n;
}

static char *rotating_buffer(void)
{
    static char buffers[8][32];
    static unsigned next;

    return buffers[next++ % 8];
}

/* Of numbers whose product with a million has no room the lowest bits go: that changes less than
 * what is rounded away. */
s64 ratio_e6(s64 a, s64 b)
{
    const s64 most = (s64)(~0ull >> 2) / E6;
    s64 half;

    while ((a > most || a < -most) && b / 2 != 0) {
        a /= 2;
        b /= 2;
    }
    half = (b < 0 ? -b : b) / 2;
    return (a * E6 + ((a < 0) == (b < 0) ? half : -half)) / b;
}

const char *fixed(s64 value_e6, unsigned decimals)
{
    char *text = rotating_buffer();
    u64 magnitude = value_e6 < 0 ? -(u64)value_e6 : (u64)value_e6;
    u64 unit = 1;

    for (unsigned i = decimals; i < 6; i++)
        unit *= 10;
    magnitude = (magnitude + unit / 2) / unit;
    const char *sign = value_e6 < 0 && magnitude ? "-" : "";
    u64 scale = (u64)E6 / unit;

    if (decimals)
        ksnprintf(text, 32, "%s%llu.%0*llu", sign, (unsigned long long)(magnitude / scale),
                  (int)decimals, (unsigned long long)(magnitude % scale));
    else
        ksnprintf(text, 32, "%s%llu", sign, (unsigned long long)magnitude);
    return text;
}

const char *bytes_text(u64 bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    char *text = rotating_buffer();
    unsigned unit = 0;

    for (; unit < 3 && bytes && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    ksnprintf(text, 32, "%llu %s", (unsigned long long)bytes, units[unit]);
    return text;
}
