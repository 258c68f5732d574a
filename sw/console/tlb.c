/* tlb: what the TLBs hold, read through the MMU's read-out registers. */
#include "console/args.h"
#include "console/commands.h"
#include "console/describe.h"
#include "console/input.h"
#include "console/process.h"
#include "console/regions.h"
#include "console/tables.h"
#include "drivers/tlb_view.h"
#include "lib/printf.h"

#define MOST 64u /* entries of one TLB that are kept for printing */

struct held {
    u32 number;
    struct tlb_entry entry;
};

/* All at once, before printing changes what is there. */
static u32 read_tlb(enum tlb_kind kind, struct held *held)
{
    u32 count = 0;

    for (u32 n = 0; n < TLB_VIEW_MAX && count < MOST; n++) {
        held[count].number = n;
        count += tlb_view_read(kind, n, &held[count].entry);
    }
    return count;
}

static void print_entry(const struct held *h)
{
    const struct tlb_entry *e = &h->entry;
    vaddr_t va = (vaddr_t)e->va;

    kprintf("  %3u  %08x-%08x %8s %09llx  L%u  %-10s ", h->number, va,
            va + (u32)(BIT64(e->size_log2) - 1), bytes_text(BIT64(e->size_log2)), e->pa, e->level,
            memory_type_words(e->memory));
    if (e->global)
        kprintf("all      ");
    else
        kprintf("ASID %-4u", e->asid);
    kprintf("%s\n", in_kernel_half(va) ? kernel_region(va) : physical_region(e->pa));
}

static bool print_tlb(const char *name, const struct held *held, u32 count)
{
    kprintf("%s TLB: %u entries in use\n", name, count);
    kprintf("       addresses             size  physical       memory     whose    what\n");
    for (u32 i = 0; i < count; i++) {
        if (input_stop()) {
            kprintf("^C\n");
            return false;
        }
        print_entry(held + i);
    }
    return true;
}

void cmd_tlb(char *args)
{
    static struct held fetch[MOST], data[MOST];

    if (!no_more_arguments(args, "`tlb`"))
        return;
    process_mm();
    if (!tlb_view_present()) {
        kprintf("the TLBs of this MMU cannot be read; those of `teaching` and `ulx3s` can\n");
        return;
    }
    u32 fetches = read_tlb(TLB_FETCH, fetch), datas = read_tlb(TLB_DATA, data);

    if (print_tlb("fetch", fetch, fetches))
        print_tlb("data", data, datas);
}
