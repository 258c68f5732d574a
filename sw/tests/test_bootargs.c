/* Sources: lib/bootargs.c boot/granule_choice.c boot/entry_choice.c
 *          mm/pgalloc.c mm/page_alloc.c mm/geometry.c mm/page_size.c
 *
 * Boot arguments: splitting, and what good and malformed values of each argument do. */
#include "boot/boot.h"
#include "check.h"
#include "drivers/mmu.h"
#include "errno.h"
#include "lib/bootargs.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include <stdio.h>
#include <string.h>

static u32 missing_granules; /* page shifts that the hardware does not have, one bit each */
static bool wide_entries;

bool mmu_has_granule(unsigned page_shift)
{
    return !(missing_granules & BIT(page_shift));
}

bool mmu_has_wide_entries(void)
{
    return wide_entries;
}

u64 mmu_mmfr3(void)
{
    return wide_entries ? 0x100000101 : 0;
}

static void split(const char *text, const char *name, const char *value, const char *rest)
{
    char line[64], *n, *v;

    strcpy(line, text);
    char *r = next_arg(line, &n, &v);

    CHECK(r && same(n, name));
    CHECK(value ? v && same(v, value) : !v);
    CHECK(same(r, rest));
}

TEST(splitting)
{
    char empty[] = "  \t ", *name, *value;

    CHECK(!next_arg(empty, &name, &value));
    split("a=b c", "a", "b", "c");
    split("  quiet", "quiet", NULL, "");
    split("a= b", "a", "", "b");
    split("a=b=c d=e", "a", "b=c", "d=e");
    split("a=\"b c\" d", "a", "b c", "d");
    split("\"a=b c\" d", "a", "b c", "d");
    split("a=\"b", "a", "b", "");
}

static u32 refused; /* options of the last boot() */

/* Runs one command line; what was printed. */
static const char *boot(const char *text)
{
    char line[128];

    strcpy(line, text);
    __userpte_alloc_gfp = __GFP_ZERO | __GFP_HIGHMEM;
    console_text();
    refused = parse_early_params(line);
    return console_text();
}

static bool high_tables(void)
{
    return __userpte_alloc_gfp & __GFP_HIGHMEM;
}

/* Each is named and refused, and what it would choose stays at its default. */
TEST(malformed_values)
{
    static const struct {
        const char *option, *says, *values[8];
    } cases[] = {
        {"userpte", "is not 'nohigh'\n", {"", "=", "=high", "=nohighx", "=NOHIGH"}},
        {"userpte_auto", "", {"=yes"}},
        {"pagesize",
         "is none of 4k, 16k, 64k\n",
         {"=8k", "=4", "=", "", "=65536", "=\"64K \"", "=64k0"}},
        {"va_bits",
         "is no number from 25 to 31\n",
         {"=", "", "=24", "=32", "=0x1f", "=-28", "=4294967324"}},
    };

    for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
        for (const char *const *value = cases[i].values; *value; value++) {
            char line[32], named[64];

            snprintf(line, sizeof line, "%s%s", cases[i].option, *value);
            snprintf(named, sizeof named, "Malformed early option '%s'\n", cases[i].option);
            const char *text = boot(line);

            CHECK(strstr(text, cases[i].says) && strstr(text, named) && refused == 1);
            geometry_choose();
            CHECK(kernel_geometry.page_shift == 12 && user_geometry.va_bits == 31);
            userpte_settle(0, 1);
            CHECK(high_tables());
        }
    }
    CHECK(setup_userpte(NULL) == -EINVAL);
}

/* 4K pages, tables of 512 entries: lowmem maps 512 times its size, and a tenth of that counts. */
TEST(userpte_by_size)
{
    const u64 lowmem = 10ull << 20, limit = 512ull << 20;

    CHECK(same(boot("userpte_auto"), "") && high_tables());
    userpte_settle(limit + 1, lowmem);
    CHECK(high_tables());
    boot("userpte_auto");
    userpte_settle(limit, lowmem);
    CHECK(!high_tables());
    boot("");
    userpte_settle(limit, lowmem);
    CHECK(high_tables()); /* nobody asked for it */
}

TEST(pagesize)
{
    static const struct {
        const char *line;
        u32 shift;
    } cases[] = {{"pagesize=16k", 14}, {"pagesize=64k", 16}, {"pagesize=64K", 16},
                 {"pagesize=16K", 14}, {"pagesize=4K", 12},  {"pagesize=4k", 12}};

    for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
        CHECK(same(boot(cases[i].line), ""));
        geometry_choose();
        CHECK(kernel_geometry.page_shift == cases[i].shift);
        CHECK(user_geometry.page_shift == cases[i].shift);
    }
}

/* What the MMU does not have is answered by the smallest size that it has. */
TEST(missing_page_sizes)
{
    static const struct {
        const char *line;
        u32 missing, shift;
        const char *text;
    } cases[] = {
        {"pagesize=16k", BIT(14), 12, "page size 16K not supported, using 4K\n"},
        {"pagesize=4k", BIT(12), 14, "page size 4K not supported, using 16K\n"},
        {"", BIT(12) | BIT(14), 16, "page size 4K not supported, using 64K\n"},
        {"pagesize=64k", BIT(12) | BIT(16), 14, "page size 64K not supported, using 16K\n"},
    };

    for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
        boot("pagesize=4k");
        boot(cases[i].line);
        missing_granules = cases[i].missing;
        console_text();
        geometry_choose();
        CHECK(kernel_geometry.page_shift == cases[i].shift);
        CHECK(same(console_text(), cases[i].text));
    }
    missing_granules = BIT(12) | BIT(14) | BIT(16);
    CHECK(panics(geometry_choose));
    CHECK(strstr(panic_message, "none of the page sizes of this image, 4K to 64K"));
    missing_granules = 0;
    boot("pagesize=4k");
}

/* Nothing else is chosen for a size that is not there. */
TEST(entry)
{
    static const char *const malformed[] = {"entry=",    "entry",      "entry=12",  "entry=1280",
                                            "entry=64k", "entry=0x40", "entry=wide"};

    boot("pagesize=4k");
    CHECK(!panics(geometry_choose) && kernel_geometry.entry_shift == ENTRY_64);
    boot("entry=128");
    CHECK(panics(geometry_choose));
    CHECK(strstr(panic_message, "entry=128: this MMU has entries of 64 bits only"));
    CHECK(strstr(panic_message, "ID_AA64MMFR3_EL1 is 0x0") && strstr(panic_message, "entry=64"));
    boot("entry=64");
    CHECK(!panics(geometry_choose));
    wide_entries = true;
    CHECK(!panics(geometry_choose) && kernel_geometry.entry_shift == ENTRY_64);
    boot("entry=128");
    CHECK(!panics(geometry_choose) && user_geometry.entry_shift == ENTRY_128);
    CHECK(kernel_geometry.entry_shift == ENTRY_128 && kernel_geometry.level_bits == 8);
    for (u32 i = 0; i < ARRAY_SIZE(malformed); i++) {
        boot(malformed[i]);
        CHECK(panics(geometry_choose));
        CHECK(strstr(panic_message, "64 or 128 bits; give entry=64 or entry=128"));
    }
    boot("entry=64");
    wide_entries = false;
}
