/* Boot arguments pagesize= and va_bits=: which geometry this boot has. */
#include "boot/boot.h"
#include "drivers/mmu.h"
#include "errno.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/page_size.h"
#include "panic.h"

static const char *const names[NR_GRANULES][2] = {{"4k", "4K"}, {"16k", "16K"}, {"64k", "64K"}};

static unsigned wanted_page_shift = PAGE_SHIFT_MIN; /* document 003 prefers the largest */
static unsigned wanted_va_bits = USER_VA_BITS;

static u32 kilobytes(unsigned page_shift)
{
    return 1u << (page_shift - 10);
}

static int setup_pagesize(char *arg)
{
    for (unsigned i = 0; arg && i < NR_GRANULES; i++) {
        if (strcmp(arg, names[i][0]) == 0 || strcmp(arg, names[i][1]) == 0) {
            wanted_page_shift = GRANULE_SHIFT(i);
            return 0;
        }
    }
    kprintf("pagesize='%s' is none of 4k, 16k, 64k\n", arg ? arg : "");
    return -EINVAL;
}
early_param("pagesize", setup_pagesize);

static int setup_va_bits(char *arg)
{
    s32 bits;

    if (parse_decimal(arg, &bits) || bits < USER_VA_BITS_MIN || bits > USER_VA_BITS) {
        kprintf("va_bits='%s' is no number from %u to %u\n", arg ? arg : "", USER_VA_BITS_MIN,
                USER_VA_BITS);
        return -EINVAL;
    }
    wanted_va_bits = (unsigned)bits;
    return 0;
}
early_param("va_bits", setup_va_bits);

static bool usable(unsigned page_shift)
{
    return page_shift >= PAGE_SHIFT_MIN && page_shift <= PAGE_SHIFT_MAX &&
           mmu_has_granule(page_shift);
}

/* What was asked for, or else the smallest that both this image and this MMU have. */
static unsigned choose_page_shift(void)
{
    if (usable(wanted_page_shift))
        return wanted_page_shift;
    for (unsigned i = 0; i < NR_GRANULES; i++) {
        if (!usable(GRANULE_SHIFT(i)))
            continue;
        kprintf("page size %uK not supported, using %uK\n", kilobytes(wanted_page_shift),
                kilobytes(GRANULE_SHIFT(i)));
        return GRANULE_SHIFT(i);
    }
    panic("this MMU has none of the page sizes of this image, %uK to %uK",
          kilobytes(PAGE_SHIFT_MIN), kilobytes(PAGE_SHIFT_MAX));
}

void geometry_choose(void)
{
    unsigned page_shift = choose_page_shift(), entry_shift = entry_choose();

    if (page_size_init(page_shift, entry_shift, wanted_va_bits))
        panic("no page-table geometry for page shift %u with %u VA bits", page_shift,
              wanted_va_bits);
}
