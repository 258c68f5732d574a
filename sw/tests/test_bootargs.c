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
#include <string.h>

static u32 missing_granules; /* page shifts that the hardware does not have, one bit each */

bool mmu_has_granule(unsigned page_shift)
{
    return !(missing_granules & BIT(page_shift));
}

static bool wide_entries;

bool mmu_has_wide_entries(void)
{
    return wide_entries;
}

u64 mmu_mmfr3(void)
{
    return wide_entries ? 0x100000101 : 0;
}

void clear_highpage(struct page *page)
{
    (void)page;
}

static void split(const char *text, const char *name, const char *value, const char *rest)
{
    char line[64], *n, *v;

    strcpy(line, text);
    char *r = next_arg(line, &n, &v);

    CHECK(r && strcmp(n, name) == 0);
    CHECK(value ? v && strcmp(v, value) == 0 : !v);
    CHECK(strcmp(r, rest) == 0);
}

static void splitting(void)
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

static void userpte(void)
{
    static const char *const malformed[] = {"userpte", "userpte=", "userpte=high",
                                            "userpte=nohighx", "userpte=NOHIGH"};

    CHECK(strcmp(boot("userpte=nohigh"), "") == 0 && !high_tables());
    CHECK(__userpte_alloc_gfp & __GFP_ZERO);
    for (u32 i = 0; i < ARRAY_SIZE(malformed); i++) {
        const char *text = boot(malformed[i]);

        CHECK(strstr(text, "is not 'nohigh'\nMalformed early option 'userpte'\n"));
        CHECK(refused == 1);
        CHECK(high_tables());
    }
    CHECK(setup_userpte(NULL) == -EINVAL);
}

/* 4K pages, tables of 512 entries: lowmem maps 512 times its size, and a tenth of that counts. */
static void userpte_by_size(void)
{
    const u64 lowmem = 10ull << 20, limit = 512ull << 20;
    const struct geometry poison = user_geometry;

    CHECK(strcmp(boot("userpte_auto"), "") == 0 && high_tables());
    CHECK(geometry_init(&user_geometry, 12, ENTRY_64, 31) == 0);
    userpte_settle(limit + 1, lowmem);
    CHECK(high_tables());
    boot("userpte_auto");
    userpte_settle(limit, lowmem);
    CHECK(!high_tables());
    boot("");
    userpte_settle(limit, lowmem);
    CHECK(high_tables()); /* nobody asked for it */
    CHECK(strstr(boot("userpte_auto=yes"), "Malformed early option 'userpte_auto'\n"));
    userpte_settle(limit, lowmem);
    CHECK(high_tables());
    user_geometry = poison;
}

static unsigned chosen_shift(void)
{
    geometry_choose();
    return kernel_geometry.page_shift;
}

static void pagesize(void)
{
    static const char *const malformed[] = {
        "pagesize=8k",    "pagesize=4",        "pagesize=",     "pagesize",
        "pagesize=65536", "pagesize=\"64K \"", "pagesize=64k0",
    };

    CHECK(strcmp(boot(""), "") == 0 && chosen_shift() == 12);
    CHECK(strcmp(boot("pagesize=16k"), "") == 0 && chosen_shift() == 14);
    CHECK(strcmp(boot("pagesize=64k"), "") == 0 && chosen_shift() == 16);
    CHECK(user_geometry.page_shift == 16);
    CHECK(strcmp(boot("pagesize=64K"), "") == 0 && chosen_shift() == 16);
    CHECK(strcmp(boot("pagesize=16K"), "") == 0 && chosen_shift() == 14);
    CHECK(strcmp(boot("pagesize=4K"), "") == 0 && chosen_shift() == 12);
    CHECK(strcmp(boot("pagesize=4k"), "") == 0 && chosen_shift() == 12);
    for (u32 i = 0; i < ARRAY_SIZE(malformed); i++) {
        const char *text = boot(malformed[i]);

        CHECK(strstr(text, "is none of 4k, 16k, 64k\n"));
        CHECK(strstr(text, "Malformed early option 'pagesize'\n") && refused == 1);
        CHECK(chosen_shift() == 12);
    }
}

/* What the MMU does not have is answered by the smallest size that it has. */
static void missing_page_sizes(void)
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
        CHECK(chosen_shift() == cases[i].shift);
        CHECK(strcmp(console_text(), cases[i].text) == 0);
    }
    missing_granules = BIT(12) | BIT(14) | BIT(16);
    CHECK(panics(geometry_choose));
    CHECK(strstr(panic_message, "none of the page sizes of this image, 4K to 64K"));
    missing_granules = 0;
    boot("pagesize=4k");
}

/* PAGE_SIZE may not be used before it is chosen: on the host the sanitizer says so, as the shift
 * is no shift then; in the firmware the instruction traps. */
static void poisoned_before_the_choice(void)
{
    CHECK(kernel_geometry.page_shift >= 32 && user_geometry.va_bits >= 32);
    CHECK(kernel_geometry.start_level > LEAF_LEVEL && kernel_geometry.shift[LEAF_LEVEL] >= 64);
}

static unsigned chosen_va_bits(void)
{
    geometry_choose();
    return user_geometry.va_bits;
}

static void choose(void)
{
    geometry_choose();
}

/* Nothing else is chosen for a size that is not there. */
static void entry(void)
{
    static const char *const malformed[] = {"entry=",    "entry",      "entry=12",  "entry=1280",
                                            "entry=64k", "entry=0x40", "entry=wide"};

    boot("pagesize=4k");
    CHECK(!panics(choose) && kernel_geometry.entry_shift == ENTRY_64);
    boot("entry=128");
    CHECK(panics(choose));
    CHECK(strstr(panic_message, "entry=128: this MMU has entries of 64 bits only"));
    CHECK(strstr(panic_message, "ID_AA64MMFR3_EL1 is 0x0") && strstr(panic_message, "entry=64"));
    boot("entry=64");
    CHECK(!panics(choose));
    wide_entries = true;
    CHECK(!panics(choose) && kernel_geometry.entry_shift == ENTRY_64);
    boot("entry=128");
    CHECK(!panics(choose) && user_geometry.entry_shift == ENTRY_128);
    CHECK(kernel_geometry.entry_shift == ENTRY_128 && kernel_geometry.level_bits == 8);
    for (u32 i = 0; i < ARRAY_SIZE(malformed); i++) {
        boot(malformed[i]);
        CHECK(panics(choose));
        CHECK(strstr(panic_message, "64 or 128 bits; give entry=64 or entry=128"));
    }
    boot("entry=64");
    wide_entries = false;
}

static void va_bits(void)
{
    static const char *const malformed[] = {"va_bits=",          "va_bits",      "va_bits=24",
                                            "va_bits=32",        "va_bits=0x1f", "va_bits=-28",
                                            "va_bits=4294967324"};

    boot("pagesize=4k");
    CHECK(chosen_va_bits() == 31);
    for (u32 i = 0; i < ARRAY_SIZE(malformed); i++) {
        const char *text = boot(malformed[i]);

        CHECK(strstr(text, "is no number from 25 to 31\n"));
        CHECK(strstr(text, "Malformed early option 'va_bits'\n") && refused == 1);
        CHECK(chosen_va_bits() == 31);
    }
    CHECK(strcmp(boot("va_bits=25"), "") == 0 && chosen_va_bits() == 25);
    CHECK(kernel_geometry.va_bits == 31);
}

static void unknown(void)
{
    const char *text = boot("pagsize=64k userpte=nohigh");

    CHECK(strstr(text, "Unknown kernel command line parameter 'pagsize'; there are:"));
    CHECK(strstr(text, " pagesize") && strstr(text, " va_bits") && strstr(text, " userpte"));
    CHECK(refused == 1 && !high_tables());
}

/* All that is wrong is named in one boot. */
static void several(void)
{
    const char *text = boot("pagesize=8k va_bits=40 userpte=high userpte_auto colour=blue");

    CHECK(strstr(text, "'8k'") && strstr(text, "'40'") && strstr(text, "option 'userpte'"));
    CHECK(strstr(text, "parameter 'colour'") && refused == 4);
    boot("pagesize=4k va_bits=31");
    CHECK(!refused);
}

int main(void)
{
    splitting();
    userpte();
    userpte_by_size();
    poisoned_before_the_choice();
    pagesize();
    missing_page_sizes();
    va_bits();
    entry();
    unknown();
    several();
    return finish();
}
