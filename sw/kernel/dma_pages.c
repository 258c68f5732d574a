#include "kernel/dma_pages.h"
#include "drivers/dma.h"
#include "drivers/pmu.h"
#include "drivers/sysinfo.h"
#include "errno.h"
#include "kernel/dma.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/highmem.h"

struct dma_pages_stats dma_pages_stats;

static bool wanted;
static u32 wanted_parts, parts;

static u32 part_of(const char *name)
{
    return strcmp(name, "zero") == 0 ? DMA_ZERO : strcmp(name, "cow") == 0 ? DMA_COW : 0;
}

/* Ends the first name of a list at its comma: the others, or NULL. */
static char *cut_name(char *names)
{
    for (; *names; names++)
        if (*names == ',') {
            *names = 0;
            return names + 1;
        }
    return NULL;
}

static int malformed(const char *name)
{
    kprintf("dma='%s' is none of zero, cow, zero,cow and none\n", name);
    return -EINVAL;
}

static int setup_dma(char *arg)
{
    u32 found = 0;

    if (!arg)
        return malformed("");
    for (char *name = strcmp(arg, "none") == 0 ? NULL : arg, *rest; name; name = rest) {
        rest = cut_name(name);
        if (!part_of(name))
            return malformed(name);
        found |= part_of(name);
    }
    wanted = true;
    wanted_parts = found;
    return 0;
}
early_param("dma", setup_dma);

static void clear_counted(struct page *page)
{
    struct dma_pages_part *part = &dma_pages_stats.zero;
    u64 start = pmu_cycles();

    if ((parts & DMA_ZERO) && dma_clear_page(page))
        part->by_engine++;
    else
        clear_highpage(page);
    part->cycles += pmu_cycles() - start;
    part->pages++;
}

static void copy_counted(struct page *to, struct page *from)
{
    struct dma_pages_part *part = &dma_pages_stats.cow;
    u64 start = pmu_cycles();

    if ((parts & DMA_COW) && dma_copy_page(to, from))
        part->by_engine++;
    else
        copy_highpage(to, from);
    part->cycles += pmu_cycles() - start;
    part->pages++;
}

void dma_pages_use(u32 which)
{
    parts = which;
    clear_user_highpage = clear_counted;
    copy_user_highpage = copy_counted;
}

void dma_pages_init(void)
{
    if (!wanted)
        return;
    if (wanted_parts && !dma_present()) {
        kprintf("dma=: machine '%s' has no DMA engine; the CPU clears and copies pages\n",
                sysinfo_name());
        wanted_parts = 0;
    }
    if (wanted_parts)
        dma_init();
    dma_pages_use(wanted_parts);
    dma_pages_stats = (struct dma_pages_stats){.since = pmu_cycles()};
}
