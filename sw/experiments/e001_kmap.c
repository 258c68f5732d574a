/* Document 001: kmap_high, and the price of a flush.
 *
 * The order is fixed: arithmetic of the document, rules (they leave the pool as it was), costs of
 * the operations, what they make others walk again, the pool at work. Each part warms up by itself.
 *
 * Two regimes. On the document's PowerPC the TLB has a table in memory behind it: each page is
 * searched there and its invalidation broadcast, and flushing everything means a scan of the
 * kernel's page tables. On x86 everything is one operation, each page another one, and what counts
 * is the refill. Ours is the second, with one difference: a range is one operation as well.
 */
#include "errno.h"
#include "experiments/e001.h"
#include "experiments/experiment.h"
#include "lib/bootargs.h"
#include "lib/string.h"
#include "mm/htab.h"

bool e001_full;

static int setup_e001(char *arg)
{
    if (!arg || strcmp(arg, "full") != 0) {
        kprintf("e001='%s' is not 'full'\n", arg ? arg : "");
        return -EINVAL;
    }
    e001_full = true;
    return 0;
}
early_param("e001", setup_e001);

/* H1.11 and H1.12 follow from the document's own numbers: a page inside takes 998.5 ns, the loop
 * around it 56.2 ns; and a table has one entry of 16 bytes for each 4 KiB page of 1 GiB. */
void e001_arithmetic(void)
{
    u32 tenths_of_ns = E001_PAGES * (9985 + 562);

    arithmetic("H1.11", "1024 pages and loops of the document", (tenths_of_ns + 5000) / 10000, "us",
               1080);
    arithmetic("H1.12", "entries of the hash table of 1 GiB", htab_entries(BIT64(30), 12),
               "entries", 262144);
    arithmetic("H1.12-bytes", "the same, size", htab_entries(BIT64(30), 12) / 65536, "MiB", 4);
}

static void e001_run(void)
{
    if (!zones[ZONE_HIGH].free) {
        kprintf("  no highmem: kmap uses no slot, there is nothing to flush\n");
        return;
    }
    kmap_flush_unused();
    e001_arithmetic();
    e001_rules();
    struct e001_costs costs = e001_measure_costs();

    e001_hashed();
    e001_collateral(&costs);
    e001_pools();
    kprintf("  document (400 MHz POWER3): page 44 cycles, or 399 if hashed; 1024 pages 432000; all "
            "1312000\n");
    kprintf("  regime: %s\n", costs.all < costs.page ? "everything costs less than one page (x86)"
                              : costs.all < E001_PAGES * costs.page
                                  ? "everything costs less than the pool page by page (x86)"
                                  : "everything costs more than the pool (PowerPC)");
    kprintf("  other harts: not measured, there is one\n");
}
EXPERIMENT(e001, "e001", "kmap and the price of a flush (document 001)", e001_run, 3);
