/* Document 004: reads of a hole, with a page of the page cache each, and with the zero page.
 *
 * A task reads one word of each page in order, as the document's fio does. Only load_hole is timed
 * for H4.1. The hole has 8 MiB, of which the old method, which takes as much memory as it reads,
 * gets a sixteenth; or it has what hole=SIZE says, and the old method reads all of it if memory
 * holds that. The document's figures are of 1 GiB: counts are scaled. */
#include "errno.h"
#include "experiments/e004.h"
#include "experiments/experiment.h"
#include "fs/block_store.h"
#include "lib/bootargs.h"
#include "lib/string.h"
#include "mm/pgtable.h"
#include "panic.h"

#define MIB         (1u << 20)
#define GIB         (1u << 30)
#define DEMO_HOLE   (8 * MIB)
#define OLD_SHARE   16u /* of the hole is read with the old method */
#define PARTS_SHARE 64u /* is read again for the parts of load_hole */
#define STORE_ORDER 4u

static u32 hole_bytes = DEMO_HOLE;

/* hole=8M ... hole=1G: a power of two. */
static int setup_hole(char *arg)
{
    u32 number = 0;

    for (; arg && *arg >= '0' && *arg <= '9' && number <= 1024; arg++)
        number = number * 10 + (u32)(*arg - '0');
    u32 unit = !arg ? 0 : strcmp(arg, "M") == 0 ? MIB : strcmp(arg, "G") == 0 ? GIB : 0;
    u64 bytes = (u64)number * unit;

    if (bytes < DEMO_HOLE || bytes > GIB || !is_pow2((u32)bytes)) {
        kprintf("hole= takes a power of two from 8M to 1G\n");
        return -EINVAL;
    }
    hole_bytes = (u32)bytes;
    return 0;
}
early_param("hole", setup_hole);

/* Rows of a hole of another size are rows of their own. */
static const char *id(const char *name)
{
    static char text[24];

    if (hole_bytes == DEMO_HOLE)
        return name;
    ksnprintf(text, sizeof text, "%s-%u%c", name, hole_bytes / (hole_bytes < GIB ? MIB : GIB),
              hole_bytes < GIB ? 'M' : 'G');
    return text;
}

static void print_read(const char *name, const struct hole_read *r)
{
    kprintf("  %-12s %7u %10s %8llu %10s %8u %8u %8u\n", name, r->faults, fixed(e004_mean_e6(r), 1),
            r->trace.most, fixed(ratio_e6((s64)r->kernel_cycles, r->faults), 1),
            (u32)(r->smaps.resident >> 10), r->nrpages, r->nrexceptional);
}

static s64 part_e6(const struct hole_read *r, enum dax_part part)
{
    return ratio_e6((s64)r->trace.part[part], r->trace.calls);
}

static void parts_of_load_hole(const struct hole_read *old, const struct hole_read *zero)
{
    kprintf(
        "  of it, in cycles:   allocate %s, clear %s, index %s, map %s; zero page: index %s, map "
        "%s\n",
        fixed(part_e6(old, DAX_PART_ALLOC), 1), fixed(part_e6(old, DAX_PART_ZERO), 1),
        fixed(part_e6(old, DAX_PART_INDEX), 1), fixed(part_e6(old, DAX_PART_MAP), 1),
        fixed(part_e6(zero, DAX_PART_INDEX), 1), fixed(part_e6(zero, DAX_PART_MAP), 1));
    figure(id("H4.alloc"), "load_hole old: allocating the page", part_e6(old, DAX_PART_ALLOC),
           "cycles");
    figure(id("H4.clear"), "load_hole old: clearing the page", part_e6(old, DAX_PART_ZERO),
           "cycles");
    figure(id("H4.index-old"), "load_hole old: storing it in the index",
           part_e6(old, DAX_PART_INDEX), "cycles");
    figure(id("H4.map-old"), "load_hole old: mapping it", part_e6(old, DAX_PART_MAP), "cycles");
    figure(id("H4.index-new"), "load_hole new: storing the entry in the index",
           part_e6(zero, DAX_PART_INDEX), "cycles");
    figure(id("H4.map-new"), "load_hole new: mapping the zero page", part_e6(zero, DAX_PART_MAP),
           "cycles");
}

/* The document's comparison. */
static void published(const struct hole_read *old, const struct hole_read *zero)
{
    const struct mem_size_stats *m = &zero->smaps;
    u32 scale = GIB / hole_bytes;

    figure(id("H4.1"), "load_hole, a page for each hole over the zero page",
           ratio_e6(e004_mean_e6(old), e004_mean_e6(zero)), "ratio");
    figure(id("H4.2"), scale > 1 ? "faults, scaled to 1 GiB" : "faults of 1 GiB",
           (s64)zero->faults * scale * E6, "faults");
    figure(id("H4.3"), "Rss after reading the hole", (s64)(m->resident >> 10) * E6, "kB");
    figure(id("H4.4"), "Pss, Private_Clean and Referenced",
           (s64)((m->pss + m->private_clean + m->referenced) >> 10) * E6, "kB");
    figure(id("H4.5"), "Size for each page that was mapped, new over old",
           ratio_e6((s64)m->size * old->pages, (s64)old->smaps.size * zero->pages), "ratio");
    figure(id("H4.6"), "pages of the page cache, new method", (s64)zero->nrpages * E6, "pages");
    figure(id("H4.7"), "KernelPageSize and MMUPageSize", (s64)(PAGE_SIZE >> 10) * E6, "kB");
}

/* What the old method takes, and what stays with the new one. */
static void memory_rows(const struct hole_read *old, const struct hole_read *zero, u32 nodes)
{
    u32 leaves = (zero->pages + XA_CHUNK_MASK) / XA_CHUNK_SIZE, want = leaves;

    while (leaves > 1)
        want += leaves = (leaves + XA_CHUNK_MASK) / XA_CHUNK_SIZE;
    arithmetic(id("H4.3-old"), "Rss of the old method is what was read",
               (s64)old->smaps.resident >> 10, "kB", (s64)old->pages << PAGE_SHIFT >> 10);
    arithmetic(id("H4.4-old"), "Private_Clean and Referenced of the old method",
               (s64)(old->smaps.private_clean + old->smaps.referenced) >> 10, "kB",
               (s64)old->pages << PAGE_SHIFT >> 9);
    arithmetic(id("H4.6-old"), "pages of the page cache, old method", old->nrpages, "pages",
               old->pages);
    arithmetic(id("H4.6-nodes"), "index nodes that stay, new method", nodes, "nodes", want);
    figure(id("H4.6-index"), "bytes that stay for a page of the hole",
           ratio_e6((s64)nodes * (s64)sizeof(struct xa_node), zero->pages), "bytes/page");
}

static void totals(const struct hole_read *old, const struct hole_read *zero)
{
    figure(id("H4.trap-old"), "a fault from trap to return, old",
           ratio_e6((s64)old->kernel_cycles, old->faults), "cycles");
    figure(id("H4.trap-new"), "a fault from trap to return, new",
           ratio_e6((s64)zero->kernel_cycles, zero->faults), "cycles");
    figure(id("H4.trap"), "a fault from trap to return, old over new",
           ratio_e6(ratio_e6((s64)old->kernel_cycles, old->faults),
                    ratio_e6((s64)zero->kernel_cycles, zero->faults)),
           "ratio");
}

static void check_reads(const struct hole_read *old, const struct hole_read *zero)
{
    invariant(id("F.2.1"), "zero page: entries, PTEs, faults or words that are not as they must be",
              zero->wrong_entries + zero->wrong_ptes + (zero->faults != zero->pages) +
                  (zero->nrexceptional != zero->pages) + (zero->exit_code != 0) +
                  (zero->trace.calls != zero->pages));
    invariant(id("F.2.1-old"),
              "page cache: entries, PTEs, faults or words that are not as they must be",
              old->wrong_entries + old->wrong_ptes + (old->faults != old->pages) +
                  (old->nrexceptional != 0) + (old->exit_code != 0));
}

static u32 pages_of_old_method(u32 pages)
{
    bool fits = nr_free_pages() > pages + pages / PARTS_SHARE;

    return hole_bytes != DEMO_HOLE && fits ? pages : pages / OLD_SHARE;
}

static struct inode *make_hole(u32 bytes)
{
    struct inode *file = new_inode("/dax/data", bytes);

    BUG_ON(!file);
    return file;
}

/* Reads the hole with both methods, and again a part of it with a look at the parts. */
static void compare(void)
{
    static struct hole_read zero, old, zero_parts, old_parts;
    u32 pages = hole_bytes >> PAGE_SHIFT, nodes = xa_total_nodes();

    zero = (struct hole_read){.method = DAX_HOLE_ZERO_PAGE, .pages = pages};
    old = (struct hole_read){.method = DAX_HOLE_PAGECACHE, .pages = pages_of_old_method(pages)};
    old.show = zero.show = hole_bytes != DEMO_HOLE; /* as the document does */
    zero_parts = (struct hole_read){.pages = pages / PARTS_SHARE, .parts = true};
    old_parts = (struct hole_read){.method = DAX_HOLE_PAGECACHE,
                                   .pages = pages / PARTS_SHARE,
                                   .parts = true};

    zero.file = make_hole(hole_bytes);
    e004_read(&zero);
    nodes = xa_total_nodes() - nodes;
    struct hole_read second = zero; /* another task reads the same hole: its entries exist */

    second.pages = pages / PARTS_SHARE;
    e004_read(&second);
    iput(zero.file);
    old.file = make_hole(hole_bytes);
    e004_read(&old);
    iput(old.file);
    zero_parts.file = make_hole(hole_bytes);
    e004_read(&zero_parts);
    iput(zero_parts.file);
    old_parts.file = make_hole(hole_bytes);
    e004_read(&old_parts);
    iput(old_parts.file);

    kprintf("  a hole of %s in pages of %s; the old method reads %s of it\n",
            bytes_text(hole_bytes), bytes_text(PAGE_SIZE), bytes_text(old.pages << PAGE_SHIFT));
    kprintf("  method        faults  load_hole     most  fault, all   Rss kB  pg cache  entries\n");
    print_read("page cache", &old);
    print_read("zero page", &zero);
    print_read("second task", &second);
    published(&old, &zero);
    memory_rows(&old, &zero, nodes);
    totals(&old, &zero);
    parts_of_load_hole(&old_parts, &zero_parts);
    figure(id("H4.second"), "load_hole for a second task that reads the hole",
           e004_mean_e6(&second), "cycles");
    check_reads(&old, &zero);
}

static void e004_run(void)
{
    u32 pages = nr_free_pages(), tables = nr_pagetable, nodes = xa_total_nodes();

    compare();
    if (hole_bytes == DEMO_HOLE) { /* the rest does not depend on it */
        if (!block_store_open(STORE_ORDER))
            panic("e004: no memory for a store of %u blocks", BIT(STORE_ORDER));
        e004_invariants();
        e004_first_write();
        e004_colours();
        e004_memory();
        block_store_close();
        e004_pressure();
    }
    invariant("F.2.leak", "pages, page tables and index nodes that did not come back",
              (pages != nr_free_pages()) + (tables != nr_pagetable) + (nodes != xa_total_nodes()));
}
EXPERIMENT(e004, "e004", "document 004: holes and the zero page", e004_run, 5);
