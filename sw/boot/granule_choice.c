/* Boot arguments pagesize= and va_bits=: which geometry this boot has. */
#include "boot/boot.h"
#include "drivers/mmu.h"
#include "errno.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/page.h"
#include "panic.h"

#define DEFAULT_PAGE_SHIFT 12
#define DEFAULT_VA_BITS    31 /* all of the lower half */
#define MIN_VA_BITS        25 /* TnSZ 39, the limit without small tables */

static unsigned wanted_page_shift = DEFAULT_PAGE_SHIFT;
static unsigned wanted_va_bits = DEFAULT_VA_BITS;

static int setup_pagesize(char *arg)
{
    static const char *const alias[] = {"4k", "16k", "64k"};

    for (unsigned i = 0; arg && i < ARRAY_SIZE(alias); i++) {
        if (strcmp(arg, alias[i]) == 0) {
            wanted_page_shift = PAGE_SHIFT_MIN + 2 * i;
            return 0;
        }
    }
    kprintf("pagesize='%s' is none of 4k, 16k, 64k; keeping %s\n", arg ? arg : "",
            alias[(wanted_page_shift - PAGE_SHIFT_MIN) / 2]);
    return -EINVAL;
}
early_param("pagesize", setup_pagesize);

static int setup_va_bits(char *arg)
{
    s32 bits;

    if (parse_decimal(arg, &bits) || bits < MIN_VA_BITS || bits > DEFAULT_VA_BITS) {
        kprintf("va_bits='%s' is no number from %u to %u; keeping %u\n", arg ? arg : "",
                MIN_VA_BITS, DEFAULT_VA_BITS, wanted_va_bits);
        return -EINVAL;
    }
    wanted_va_bits = (unsigned)bits;
    return 0;
}
early_param("va_bits", setup_va_bits);

void geometry_choose(unsigned kernel_va_bits)
{
    if (!mmu_has_granule(wanted_page_shift)) {
        kprintf("page size %uK not supported, using %uK\n", 1u << (wanted_page_shift - 10),
                1u << (DEFAULT_PAGE_SHIFT - 10));
        wanted_page_shift = DEFAULT_PAGE_SHIFT;
    }
    if (geometry_init(&kernel_geometry, wanted_page_shift, kernel_va_bits) ||
        geometry_init(&user_geometry, wanted_page_shift, wanted_va_bits))
        panic("no page-table geometry for page shift %u with %u VA bits", wanted_page_shift,
              wanted_va_bits);
}
