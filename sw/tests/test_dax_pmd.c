/* Sources: mm/ fs/ tests/machine/
 *
 * Holes mapped by blocks: the way back to pages, and every FALLBACK. What a shared write and
 * missing memory do, fuzz_mm sees. */
#include "errno.h"
#include "machine/spaces.h"
#include "mm/audit.h"
#include "mm/huge_memory.h"
#include "mm/zero_page.h"

#define BLOCKS 3u /* the file has so many, and half of one */

static u32 span, pages; /* bytes and pages of a block */
static vaddr_t base;

#define AREA ((BLOCKS + 1) * span) /* the file ends within its last block */

static void map(struct mm *mm, vaddr_t at, u32 length, u32 flags, u32 pgoff)
{
    CHECK(mm_map_file(mm, at, length, flags, file, pgoff) == 0);
}

static void setup(void)
{
    span = HPAGE_PMD_SIZE;
    pages = HPAGE_PMD_NR;
    base = 2 * span;
    dax_huge = true;
    file_start(BLOCKS * (u64)span + span / 2);
    for (u32 i = 0; i < 2; i++)
        map(new_mm(i), base, AREA, VM_DATA | VM_SHARED, 0);
}

static vaddr_t nth(u32 i)
{
    return page(base, i);
}

TEST(one_fault_a_block)
{
    u32 before = fault_stats.faults;

    for (u32 i = 0; i < BLOCKS * pages; i += 7)
        CHECK(load(mms[0], nth(i) + 4 * (i % 9)) == 0);
    CHECK(fault_stats.faults - before == BLOCKS);
    CHECK(file->i_mapping.nrexceptional == BLOCKS * pages && file->i_mapping.nrpmd == BLOCKS);
    CHECK(flags_at(pages) == (DAX_PMD | DAX_ZERO_PAGE) && huge_zero_stats.refcount == 2);
    CHECK(mm_audit(mms[0]).blocks == BLOCKS && mms[0]->file_rss + mms[0]->anon_rss == 0);
    CHECK(load(mms[0], nth(BLOCKS * pages)) == 0); /* the file ends within this one */
    CHECK(!has_block(mms[0], nth(BLOCKS * pages)) && flags_at(BLOCKS * pages) == DAX_ZERO_PAGE);
    CHECK(load(mms[1], nth(1)) == 0 && has_block(mms[1], nth(1)));
    CHECK(huge_zero_stats.refcount == 3 && shrink_huge_zero_page() == 0);
}

TEST(private_copies)
{
    vaddr_t at = base + 8 * span;

    map(mms[0], at, span, VM_DATA, 0);
    CHECK(load(mms[0], at) == 0 && has_block(mms[0], at));
    CHECK(faults_of_store(mms[0], at + 3 * PAGE_SIZE, 33) == 1 && mms[0]->anon_rss == 1);
    CHECK(flags_at(0) == (DAX_PMD | DAX_ZERO_PAGE)); /* the index does not change */
    for (u32 i = 0; i < pages; i++) { /* split into zero pages of the right colours */
        pte_t pte = walk_tables(mms[0], at + i * PAGE_SIZE);

        CHECK(i == 3 ? pte_writable(pte) : pte_pfn(pte) == my_zero_pfn(at + i * PAGE_SIZE));
    }
    CHECK(load(mms[0], at + 3 * PAGE_SIZE) == 33 && load(mms[1], nth(3)) == 0);
}

TEST(cut_move_fork)
{
    vaddr_t to = base + 16 * span;

    load(mms[0], nth(0));
    CHECK(mm_fork(new_mm(2), mms[0]) == 0);
    CHECK(load(mms[2], nth(1)) == 0 && load(mms[0], nth(1)) == 0);
    settled();
    CHECK(mm_unmap(mms[0], nth(2), PAGE_SIZE) == 0);
    settled();
    CHECK(load(mms[0], nth(1)) == 0 && load(mms[0], nth(3)) == 0);
    CHECK(refused(mms[0], nth(2), LOAD));
    CHECK(mm_move(mms[1], base, AREA, to) == 0);
    CHECK(load(mms[1], to + PAGE_SIZE) == 0);
    CHECK(faults_of_store(mms[2], nth(1), 11) == 1 && load(mms[1], to + PAGE_SIZE) == 11);
    CHECK(load(mms[0], nth(1)) == 11);
}

TEST(truncate_and_write_call)
{
    char text[] = "x";

    for (u32 b = 0; b < BLOCKS; b++) {
        load(mms[0], nth(b * pages));
        load(mms[1], nth(b * pages));
    }
    CHECK(dax_iomap_rw(file, 7 * PAGE_SIZE, text, 1, true) == 1);
    CHECK(load(mms[0], nth(7)) == 'x' && load(mms[1], nth(7)) == 'x' && load(mms[1], nth(8)) == 0);
    inode_truncate(file, span + 3 * PAGE_SIZE); /* the middle of a block */
    settled();
    CHECK(file->i_mapping.nrpmd == 0);
    CHECK(load(mms[1], nth(pages + 2)) == 0);
    CHECK(faults_of_store(mms[0], nth(pages + 2), 22) == 1 && load(mms[1], nth(pages + 2)) == 22);
    CHECK(access_error(mms[1], nth(pages + 3), LOAD) == -EIO);
}

/* ---- FALLBACK, row by row ---- */
static vm_fault_t ask(struct mm *mm, vaddr_t va, u32 flags)
{
    struct vma *v = vma_lookup(mm, va);
    struct vm_fault vmf = {.vma = v,
                           .address = va & PAGE_MASK,
                           .pgoff = v->vm_pgoff + ((va - v->start) >> PAGE_SHIFT),
                           .flags = flags};

    return dax_iomap_pmd_fault(&vmf);
}

TEST(fallbacks)
{
    struct mm *mm = mms[0];
    vaddr_t at = base + 8 * span;

    CHECK(ask(mm, base, FAULT_WRITE) == VM_FAULT_FALLBACK);
    CHECK(ask(mm, base + BLOCKS * span, 0) == VM_FAULT_FALLBACK); /* the file ends */
    map(mm, at, 2 * span, VM_DATA | VM_SHARED, 1);                /* not congruent */
    CHECK(ask(mm, at, 0) == VM_FAULT_FALLBACK && ask(mm, at + span, 0) == VM_FAULT_FALLBACK);
    map(mm, at + 4 * span + PAGE_SIZE, span, VM_DATA | VM_SHARED, 1);
    CHECK(ask(mm, at + 4 * span + PAGE_SIZE, 0) == VM_FAULT_FALLBACK); /* begins within a block */
    map(mm, at + 6 * span, span - PAGE_SIZE, VM_DATA | VM_SHARED, 0);
    CHECK(ask(mm, at + 6 * span, 0) == VM_FAULT_FALLBACK); /* ends within */
    CHECK(file->i_mapping.nrexceptional == 0);
    CHECK(faults_of_store(mms[1], nth(9), 9) == 1);
    CHECK(ask(mm, base, 0) == VM_FAULT_FALLBACK); /* storage within */
    inode_truncate(file, 0);
    inode_truncate(file, (BLOCKS + 1) * (u64)span);
    dax_huge = false;
    CHECK(load(mms[1], nth(1)) == 0); /* an entry of a page */
    dax_huge = true;
    CHECK(ask(mm, base, 0) == VM_FAULT_FALLBACK && flags_at(1) == DAX_ZERO_PAGE);
    /* A PTE page is there, although nothing is mapped by it. */
    struct pte_slot *slot = pte_alloc_map(mm, nth(pages));

    pte_unmap(slot);
    CHECK(ask(mm, nth(pages), 0) == VM_FAULT_FALLBACK);
    CHECK(load(mm, nth(pages)) == 0 && flags_at(pages) == DAX_ZERO_PAGE);
    u32 failures = huge_zero_stats.failures;

    mm_put_huge_zero_folio(mm);
    shrink_huge_zero_page();
    fail_allocation(1); /* no large zero page */
    CHECK(load(mm, nth(2 * pages)) == 0 && huge_zero_stats.failures == failures + 1);
    alloc_fails_at = 0;
    CHECK(!has_block(mm, nth(2 * pages)) && flags_at(2 * pages) == DAX_ZERO_PAGE);
}

int main(void)
{
    static const struct machine machines[] = {{12, 31, 512, 2048, 4, ENTRY_64},
                                              {12, 31, 512, 2048, 4, ENTRY_128}};

    return run_on(machines, ARRAY_SIZE(machines), setup);
}
