/* Sources: lib/printf.c lib/string.c kernel/esr.c
 *
 * Text: printf, fixed-point numbers, decimal parsing, and the fault record in words. */
#include "check.h"
#include "errno.h"
#include "kernel/esr.h"
#include "lib/printf.h"
#include "lib/string.h"

static bool is(const char *text, const char *wanted)
{
    return strcmp(text, wanted) == 0;
}

#define PRINTS(wanted, ...)                          \
    do {                                             \
        char text_[64];                              \
        ksnprintf(text_, sizeof text_, __VA_ARGS__); \
        CHECK(is(text_, wanted));                    \
    } while (0)

static void formats(void)
{
    char small[4];

    PRINTS("7|-7|  7|007|7  |", "%d|%d|%3d|%03d|%-3d|", 7, -7, 7, 7, 7);
    PRINTS("-07", "%03d", -7);
    PRINTS("ff 0000ffff 4294967295", "%x %08x %u", 255, 65535, 4294967295u);
    PRINTS("18446744073709551615", "%llu", ~0ull);
    PRINTS("-9223372036854775808", "%lld", (long long)(1ull << 63));
    PRINTS("ab|  ab|ab  |x%", "%s|%4s|%-4s|%c%%", "ab", "ab", "ab", 'x');
    PRINTS("   5", "%*d", 4, 5);
    CHECK(ksnprintf(small, sizeof small, "%s", "abcdef") == 6 && is(small, "abc"));
}

static void numbers(void)
{
    s32 value = -1;

    CHECK(is(fixed(1068600, 4), "1.0686") && is(fixed(-64, 6), "-0.000064"));
    CHECK(is(fixed(999999, 3), "1.000") && is(fixed(-400, 3), "0.000"));
    CHECK(is(fixed(12500000, 0), "13") && is(fixed(0, 2), "0.00"));
    CHECK(ratio_e6(59737, 55900) == 1068640 && ratio_e6(-1, 2) == -500000);
    CHECK(ratio_e6(1ll << 44, 1ll << 44) == E6 && ratio_e6(-(1ll << 60), 1ll << 61) == -E6 / 2);
    CHECK(is(bytes_text(32768), "32 KiB") && is(bytes_text(1536), "1536 B"));
    CHECK(is(bytes_text(384ull << 30), "384 GiB") && is(bytes_text(0), "0 B"));
    CHECK(parse_decimal("31", &value) == 0 && value == 31);
    CHECK(parse_decimal("2147483647", &value) == 0 && value == 2147483647);
    CHECK(parse_decimal("2147483648", &value) == -EINVAL && parse_decimal("", &value) == -EINVAL);
    CHECK(parse_decimal("3x", &value) == -EINVAL && parse_decimal(NULL, &value) == -EINVAL);
}

static void memory(void)
{
    u8 a[100], b[100];

    for (u32 offset = 0; offset < 8; offset++) {
        for (u32 n = 0; n < 80; n++) {
            memset(a, 0xaa, sizeof a);
            memset(a + offset, 0, n);
            for (u32 i = 0; i < sizeof a; i++)
                CHECK(a[i] == (i >= offset && i < offset + n ? 0 : 0xaa));
            for (u32 i = 0; i < sizeof a; i++)
                a[i] = (u8)i;
            memset(b, 0x55, sizeof b);
            memcpy(b + offset, a, n);
            for (u32 i = 0; i < sizeof b; i++)
                CHECK(b[i] == (i >= offset && i < offset + n ? (u8)(i - offset) : 0x55));
        }
    }
    CHECK(memcmp("abc", "abd", 3) < 0 && memcmp("abc", "abd", 2) == 0);
    CHECK(strncmp("abc", "abd", 2) == 0 && strcmp("a", "ab") < 0);
}

static void fault_record(void)
{
    char text[96];

    esr_describe(0x96000047, text, sizeof text);
    CHECK(is(text, "data abort from EL1, write, translation fault, level 3"));
    esr_describe(0x9200000e, text, sizeof text);
    CHECK(is(text, "data abort from EL0, read, permission fault, level 2"));
    esr_describe(0x86000004, text, sizeof text);
    CHECK(is(text, "instruction abort from EL1, translation fault, level 0"));
    esr_describe(0x96000015, text, sizeof text);
    CHECK(is(text, "data abort from EL1, read, external abort on walk, level 1"));
    esr_describe(0x96000010, text, sizeof text);
    CHECK(is(text, "data abort from EL1, read, external abort"));
    esr_describe(0x96000012, text, sizeof text);
    CHECK(is(text, "data abort from EL1, read, external abort on walk, level -2"));
    esr_describe(0x8600002b, text, sizeof text);
    CHECK(is(text, "instruction abort from EL1, translation fault, level -1"));
    esr_describe(0x92000071, text, sizeof text);
    CHECK(is(text, "data abort from EL0, write, unsupported update of a descriptor"));
    esr_describe(0x9600003f, text, sizeof text);
    CHECK(is(text, "data abort from EL1, read, status 0x3f"));
    esr_describe(0, text, sizeof text);
    CHECK(is(text, "no fault recorded"));
}

int main(void)
{
    formats();
    numbers();
    memory();
    fault_record();
    return finish();
}
