/* A hole mapped by blocks: one fault for all pages of a PTE page, as long as nobody writes. Not
 * part of `all`: to clear the large zero page takes as long as much of the rest. */
#include "drivers/pmu.h"
#include "experiments/e004.h"
#include "experiments/experiment.h"
#include "fs/block_store.h"
#include "kernel/uaccess.h"
#include "mm/audit.h"
#include "mm/huge_memory.h"
#include "mm/pgtable.h"
#include "panic.h"

#define BLOCKS 4u

static u32 failures;

static void check(bool good, const char *what)
{
    if (!good) {
        failures++;
        kprintf("CHECK FAILED: %s\n", what);
    }
}

static u64 cycles_of_read(vaddr_t va)
{
    u32 word = ~0u;
    u64 start = pmu_cycles();
    int error = get_user(&word, va);
    u64 cycles = pmu_cycles() - start;

    check(error == 0 && word == 0, "a word of the hole is read as 0");
    return cycles;
}

static struct mm *mapper(struct inode *file)
{
    struct mm *mm = mm_alloc();

    BUG_ON(!mm ||
           mm_map_file(mm, HOLE_BASE, BLOCKS * HPAGE_PMD_SIZE, VM_DATA | VM_SHARED, file, 0));
    mm_switch(mm);
    return mm;
}

static void read_by_blocks(struct inode *file)
{
    u32 faults = fault_stats.faults;
    u64 first = cycles_of_read(HOLE_BASE), others = 0;

    for (u32 i = 1; i < BLOCKS; i++)
        others += cycles_of_read(HOLE_BASE + i * HPAGE_PMD_SIZE);
    for (u32 i = 0; i < BLOCKS * HPAGE_PMD_NR; i++)
        cycles_of_read(HOLE_BASE + (i << PAGE_SHIFT));
    faults = fault_stats.faults - faults;
    s64 mean = ratio_e6((s64)others, BLOCKS - 1);

    kprintf("  %s by blocks of %s: %u faults, %s cycles each; the first clears it, %llu cycles\n",
            bytes_text(BLOCKS * HPAGE_PMD_SIZE), bytes_text(HPAGE_PMD_SIZE), faults, fixed(mean, 0),
            first);
    arithmetic("H4.pmd-faults", "faults of 4 blocks, each page read", faults, "faults", BLOCKS);
    figure("H4.pmd-fault", "a read that maps a block of zeros", mean, "cycles");
    figure("H4.pmd-page", "the same for each page of the block", mean / HPAGE_PMD_NR, "cycles");
    figure("H4.pmd-first", "the first one, which clears the large zero page", (s64)first * E6,
           "cycles");
    check(file->i_mapping.nrexceptional == BLOCKS * HPAGE_PMD_NR, "entries count their pages");
    check(mm_audit(current_mm).violations == 0 && mm_audit(current_mm).blocks == BLOCKS, "audit");
}

/* The entry of a written block goes; what is touched of it comes back as pages. */
static void write_into_one(struct inode *file, struct mm *mm)
{
    struct mm *other = mapper(file);
    u32 faults, word;

    cycles_of_read(HOLE_BASE);
    mm_switch(mm);
    faults = fault_stats.faults;
    check(put_user(5, HOLE_BASE + PAGE_SIZE) == 0, "write");
    check(fault_stats.faults == faults + 1, "one fault");
    check(file->i_mapping.nrexceptional == (BLOCKS - 1) * HPAGE_PMD_NR + 1, "one entry of a page");
    mm_switch(other);
    check(get_user(&word, HOLE_BASE + PAGE_SIZE) == 0 && word == 5, "seen by the other");
    cycles_of_read(HOLE_BASE);
    check(mm_audit(mm).violations + mm_audit(other).violations == 0, "audit");
    mmput(other);
}

static void e004_pmd_run(void)
{
    struct inode *file = new_inode("/dax/blocks", (u64)BLOCKS * HPAGE_PMD_SIZE);
    u32 free = nr_free_pages();
    bool before = dax_huge;

    if (HPAGE_PMD_NR > BIT(MAX_ORDER) || USER_START_LEVEL == LEAF_LEVEL) {
        kprintf("  a block has %u pages, the allocator's largest %u: holes are mapped by pages\n",
                HPAGE_PMD_NR, BIT(MAX_ORDER));
        iput(file);
        return;
    }
    BUG_ON(!file || !block_store_open(0));
    dax_huge = true;
    struct mm *mm = mapper(file);

    read_by_blocks(file);
    write_into_one(file, mm);
    mmput(mm);
    iput(file);
    block_store_close();
    check(huge_zero_stats.refcount == 1 && shrink_huge_zero_page() == HPAGE_PMD_NR, "shrinker");
    check(nr_free_pages() == free, "all memory is back");
    dax_huge = before;
    invariant("F.2.8", "blocks: entries, downgrade, references of the large zero page", failures);
    failures = 0;
}
EXPERIMENT(e004pmd, "e004pmd", "document 004: holes by blocks", e004_pmd_run, 9);
