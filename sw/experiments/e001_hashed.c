/* Flushing everything on the machine of document 001, which has a table of translations in memory:
 * by a look at every PTE of the kernel, and by a wipe of the table, which the document says nobody
 * does. */
#include "experiments/e001.h"

#ifdef GRANULE_HASHED_TABLE
#include "experiments/experiment.h"
#include "mm/hashed_table.h"
#include "panic.h"

/* Cycles of a scan while n accessed slots are in the table. */
static u32 scan(struct page *page, u32 n, u32 *looked)
{
    e001_map_slots(page, n, 100);
    u32 start = e001_now();

    *looked = hashed_table_scan();
    u32 cycles = e001_now() - start;

    for (u32 slot = 0; slot < n; slot++)
        pkmap_clear_pte(slot);
    pkmap_flush_slots(0, n);
    return cycles;
}

void e001_hashed(void)
{
    struct page *page = alloc_page(GFP_HIGHUSER);
    u32 looked;

    BUG_ON(!page);
    if (!hashed_table_bytes) {
        kprintf("  no hashed table; htab=on turns it on\n");
        put_page(page);
        return;
    }
    scan(page, E001_PAGES, &looked); /* the second pass counts */
    u32 cycles = scan(page, E001_PAGES, &looked), empty = scan(page, 0, &looked);

    kprintf("  a scan of %u PTEs of the kernel, 1024 slots accessed: %u cycles; none: %u\n", looked,
            cycles, empty);
    figure("H1.scan", "flush of everything by a scan of the kernel's PTEs", cycles * E6, "cycles");
    figure("H1.scanned", "PTEs that it looks at", looked * E6, "entries");
    figure("H1.table", "bytes of the hashed table", hashed_table_bytes * E6, "bytes");
    put_page(page);
}
#endif
