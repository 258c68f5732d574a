#include "mm/flush_policy.h"
#include "errno.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/tlb.h"

bool tlb_flush_ceiling_chosen;

u32 flush_break_even(const struct flush_costs *costs)
{
    return (costs->all + costs->refill) / MAX(costs->page, 1u);
}

int set_tlb_single_page_flush_ceiling(const char *text)
{
    s32 pages;

    if (parse_decimal(text, &pages)) {
        kprintf("tlb_single_page_flush_ceiling='%s' is no number of pages\n", text ? text : "");
        return -EINVAL;
    }
    tlb_single_page_flush_ceiling = (u32)pages;
    tlb_flush_ceiling_chosen = true;
    return 0;
}

static int setup_ceiling(char *arg)
{
    return set_tlb_single_page_flush_ceiling(arg);
}
early_param("tlb_single_page_flush_ceiling", setup_ceiling);
