/* Invariants of linux-mm F.2 on the running machine, with two address spaces that map one file. */
#include "errno.h"
#include "experiments/e004.h"
#include "experiments/experiment.h"
#include "fs/block_store.h"
#include "kernel/uaccess.h"
#include "mm/audit.h"
#include "mm/pgtable.h"
#include "mm/zero_page.h"
#include "panic.h"

#define PAGES   8u
#define PRIVATE (2 * HOLE_BASE)

static u32 failures;

static void check(bool good, const char *what)
{
    if (!good) {
        failures++;
        kprintf("CHECK FAILED: %s\n", what);
    }
}

static void section(const char *id, const char *what)
{
    invariant(id, what, failures);
    failures = 0;
}

static vaddr_t page_at(u32 i)
{
    return HOLE_BASE + pages_to_bytes(i);
}

static u32 peek(struct mm *mm, vaddr_t va)
{
    u32 word = ~0u;

    mm_switch(mm);
    check(get_user(&word, va) == 0, "a word of the file can be read");
    return word;
}

static pte_t pte_at(struct mm *mm, vaddr_t va)
{
    struct pte_slot *slot = pte_offset_map(mm, va);
    pte_t pte = slot ? ptep_get(slot) : 0;

    if (slot)
        pte_unmap(slot);
    return pte;
}

static void *entry_at(struct inode *file, u32 index)
{
    return xa_load(&file->i_mapping.i_pages, index);
}

static bool is_dirty(struct inode *file, u32 index)
{
    XA_STATE(xas, &file->i_mapping.i_pages, index);

    return xas_load(&xas) && xas_get_mark(&xas);
}

static struct mm *mapper(struct inode *file)
{
    struct mm *mm = mm_alloc();

    BUG_ON(!mm || mm_map_file(mm, HOLE_BASE, PAGES << PAGE_SHIFT, VM_DATA | VM_SHARED, file, 0) ||
           mm_map_file(mm, PRIVATE, PAGES << PAGE_SHIFT, VM_DATA, file, 0));
    for (u32 i = 0; i < PAGES; i++)
        check(peek(mm, page_at(i)) == 0, "a hole reads as zeros");
    return mm;
}

/* F.2.3, F.2.4: page 3 is written by one, and seen by the other. */
static void shared_write(struct inode *file, struct mm *a, struct mm *b)
{
    u32 blocks = blocks_in_use(), faults;

    mm_switch(a);
    faults = fault_stats.faults;
    check(put_user(0x5703, page_at(3)) == 0, "write");
    check(fault_stats.faults == faults + 1, "one fault makes storage of a hole");
    check(blocks_in_use() == blocks + 1, "one block");
    void *entry = entry_at(file, 3);
    pte_t pte = pte_at(a, page_at(3));

    check(dax_entry_flags(entry) == 0 && is_block(dax_to_pfn(entry)), "the entry names storage");
    check(is_dirty(file, 3), "the entry is dirty");
    check(pte_writable(pte) && pte_dirty(pte) && pte_young(pte) && pte_special(pte) &&
              pte_pfn(pte) == dax_to_pfn(entry),
          "the PTE is writable, dirty and young");
    check(!pte_present(pte_at(b, page_at(3))), "the other one lost its zero page");
    check(is_zero_pfn(pte_pfn(pte_at(b, page_at(2)))), "the neighbour stays");
    faults = fault_stats.faults;
    check(peek(b, page_at(3)) == 0x5703 && fault_stats.faults == faults + 1, "and sees the data");
    check(peek(a, page_at(2)) == 0 && peek(a, page_at(4)) == 0, "neighbours are zero");
    check(a->file_rss == 0 && b->file_rss == 0, "storage is not counted");
    section("F.2.3", "a shared write: one block, one fault, seen by all, neighbours untouched");
}

/* F.2.5: on a hole and on storage. */
static void private_write(struct inode *file, struct mm *a, struct mm *b)
{
    u32 anon = a->anon_rss, blocks = blocks_in_use();
    vaddr_t hole = PRIVATE + (5 << PAGE_SHIFT), storage = PRIVATE + (3 << PAGE_SHIFT);

    check(peek(a, hole) == 0 && peek(a, storage) == 0x5703, "private reads");
    mm_switch(a);
    check(put_user(0x9005, hole) == 0 && put_user(0x9003, storage + 4) == 0, "private writes");
    check(a->anon_rss == anon + 2 && blocks_in_use() == blocks, "two pages of its own");
    check(dax_entry_flags(entry_at(file, 5)) == DAX_ZERO_PAGE, "the entry stays a zero page");
    check(peek(a, storage) == 0x5703 && peek(a, storage + 4) == 0x9003, "a copy of storage");
    check(peek(b, page_at(5)) == 0 && peek(b, page_at(3) + 4) == 0, "nobody else sees them");
    section("F.2.5", "private writes copy, the index stays");
}

/* F.2.10: what write(2) puts into a hole is read through mappings that showed zeros. */
static void write_call(struct inode *file, struct mm *a, struct mm *b)
{
    u32 word = 0x3412, back = 0;
    u64 pos = (u64)pages_to_bytes(6) + 8;

    check(dax_iomap_rw(file, pos, &word, sizeof word, true) == sizeof word, "write");
    check(peek(a, page_at(6) + 8) == word && peek(b, page_at(6) + 8) == word, "seen by both");
    check(peek(a, page_at(6)) == 0, "the rest of its page is zero");
    check(dax_iomap_rw(file, pos, &back, sizeof back, false) == sizeof back && back == word,
          "read");
    section("F.2.10", "write(2) into a hole is seen by those who map it");
}

/* F.2.6: whoever puts something into the index that is no value of ours is found out. */
static void foreign_object(struct inode *file, struct mm *a)
{
    static u64 foreign;
    void *entry = entry_at(file, 7);
    unsigned warnings = warn_count;
    u32 word;

    mm_switch(a);
    BUG_ON(mm_unmap(a, page_at(7), PAGE_SIZE) ||
           mm_map_file(a, page_at(7), PAGE_SIZE, VM_DATA | VM_SHARED, file, 7));
    BUG_ON(xa_store(&file->i_mapping.i_pages, 7, &foreign));
    kprintf("  a foreign object in the index; the warning is wanted:\n");
    check(handle_mm_fault(a, page_at(7), 0) == -EIO, "a bus error");
    check(get_user(&word, page_at(7)) == -EFAULT, "again");
    check(warn_count == warnings + 1, "and one warning");
    warn_count = warnings;
    BUG_ON(xa_store(&file->i_mapping.i_pages, 7, entry));
    check(peek(a, page_at(7)) == 0, "readable again");
    section("F.2.6", "a foreign object in the index fails loudly");
}

/* F.2.9 and the end: munmap leaves the index alone, truncate empties it and every mapping. */
static void unmap_and_truncate(struct inode *file, struct mm *a, struct mm *b)
{
    u32 entries = file->i_mapping.nrexceptional, free = nr_free_pages(), tables = a->nr_tables,
        word;

    for (u32 i = 0; i < PAGES; i++)
        check(!(dax_entry_flags(entry_at(file, i)) & DAX_LOCKED), "nothing is locked");
    section("F.2.7", "no entry is locked when nobody faults");
    check(mm_unmap(a, HOLE_BASE, PAGES << PAGE_SHIFT) == 0, "munmap");
    check(file->i_mapping.nrexceptional == entries && entries == PAGES, "entries stay");
    check(nr_free_pages() == free + tables - a->nr_tables, "only tables were freed");
    section("F.2.9", "munmap frees no data and leaves the index alone");

    mm_switch(b);
    inode_truncate(file, 2 << PAGE_SHIFT);
    check(file->i_mapping.nrexceptional == 2 && blocks_in_use() == 0,
          "entries and blocks are gone");
    check(get_user(&word, page_at(1)) == 0 && handle_mm_fault(b, page_at(2), 0) == -EIO,
          "beyond the end is a bus error");
    check(!pte_present(pte_at(b, page_at(3))) &&
              !pte_present(pte_at(a, PRIVATE + (3 << PAGE_SHIFT))),
          "nobody maps what was cut off, copies included");
    section("F.2.truncate", "truncate: mappings, then entries, then blocks");
}

void e004_invariants(void)
{
    struct inode *file = new_inode("/dax/shared", PAGES << PAGE_SHIFT);
    struct mm *a, *b;

    BUG_ON(!file);
    a = mapper(file);
    b = mapper(file);
    smaps_dump_vma(vma_lookup(a, HOLE_BASE));
    shared_write(file, a, b);
    private_write(file, a, b);
    write_call(file, a, b);
    foreign_object(file, a);
    u32 violations = mm_audit(a).violations + mm_audit(b).violations + !zero_pages_clean();

    unmap_and_truncate(file, a, b);
    violations += mm_audit(a).violations + mm_audit(b).violations;
    invariant("F.2.4", "audit: writable zero pages, wrong colours, wrong counts", violations);
    mmput(a);
    mmput(b);
    iput(file);
}
