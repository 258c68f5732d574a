/* Sources: mm/ fs/ tests/machine/ tests/files/
 *
 * Holes mapped by blocks: the way back to pages, what a write does, and every FALLBACK. */
#include "errno.h"
#include "files/files.h"
#include "mm/audit.h"
#include "mm/huge_memory.h"
#include "mm/pgtable.h"
#include "mm/zero_page.h"

#define BLOCKS 3u /* the file has so many, and half of one */

static u32 span, pages; /* bytes and pages of a block */
static vaddr_t base;

#define AREA ((BLOCKS + 1) * span) /* the file ends within its last block */

static struct mm *new_mm(u32 i)
{
    mms[i] = mm_alloc();
    CHECK(mms[i]);
    return mms[i];
}

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
    files_start(BLOCKS * (u64)span + span / 2);
    for (u32 i = 0; i < 2; i++)
        map(new_mm(i), base, AREA, VM_DATA | VM_SHARED, 0);
}

static vaddr_t page(u32 i)
{
    return base + i * PAGE_SIZE;
}

static bool has_block(struct mm *mm, vaddr_t va)
{
    struct pte_slot *pmd = pmd_offset(mm, va);

    return pmd && pmd_leaf(ptep_get(pmd));
}

/* ---- with blocks ---- */
static void one_fault_a_block(void)
{
    u32 before = fault_stats.faults;

    for (u32 i = 0; i < BLOCKS * pages; i += 7)
        CHECK(load(mms[0], page(i) + 4 * (i % 9)) == 0);
    CHECK(fault_stats.faults - before == BLOCKS);
    CHECK(file->i_mapping.nrexceptional == BLOCKS * pages && file->i_mapping.nrpmd == BLOCKS);
    CHECK(flags_at(pages) == (DAX_PMD | DAX_ZERO_PAGE) && huge_zero_stats.refcount == 2);
    CHECK(mm_audit(mms[0]).blocks == BLOCKS && mms[0]->file_rss + mms[0]->anon_rss == 0);
    CHECK(load(mms[0], page(BLOCKS * pages)) == 0); /* the file ends within this one */
    CHECK(!has_block(mms[0], page(BLOCKS * pages)) && flags_at(BLOCKS * pages) == DAX_ZERO_PAGE);
    CHECK(load(mms[1], page(1)) == 0 && has_block(mms[1], page(1)));
    CHECK(huge_zero_stats.refcount == 3 && shrink_huge_zero_page() == 0);
}

/* The entry of the block goes, with all its mappings; pages take over where they are touched. */
static void write_into_a_block(void)
{
    load(mms[0], page(0));
    load(mms[0], page(pages));
    load(mms[1], page(5));
    CHECK(faults_of_store(mms[0], page(5), 55) == 1 && blocks_in_use() == 1);
    CHECK(file->i_mapping.nrexceptional == pages + 1 && file->i_mapping.nrpmd == 1);
    CHECK(!has_block(mms[1], page(5)) && !walk_tables(mms[1], page(6)));
    CHECK(has_block(mms[0], page(pages)));
    settled();
    CHECK(load(mms[1], page(5)) == 55 && load(mms[1], page(6)) == 0 && load(mms[0], page(6)) == 0);
    CHECK(!has_block(mms[1], page(6)) && flags_at(6) == DAX_ZERO_PAGE);
}

static void private_copies(void)
{
    vaddr_t at = base + 8 * span;
    u32 i;

    map(mms[0], at, span, VM_DATA, 0);
    CHECK(load(mms[0], at) == 0 && has_block(mms[0], at));
    CHECK(faults_of_store(mms[0], at + 3 * PAGE_SIZE, 33) == 1 && mms[0]->anon_rss == 1);
    CHECK(flags_at(0) == (DAX_PMD | DAX_ZERO_PAGE)); /* the index does not change */
    for (i = 0; i < pages; i++) { /* split into zero pages of the right colours */
        pte_t pte = walk_tables(mms[0], at + i * PAGE_SIZE);

        CHECK(i == 3 ? pte_writable(pte) : pte_pfn(pte) == my_zero_pfn(at + i * PAGE_SIZE));
    }
    CHECK(load(mms[0], at + 3 * PAGE_SIZE) == 33 && load(mms[1], page(3)) == 0);
}

static void cut_move_fork(void)
{
    vaddr_t to = base + 16 * span;

    load(mms[0], page(0));
    CHECK(mm_fork(new_mm(2), mms[0]) == 0);
    CHECK(load(mms[2], page(1)) == 0 && load(mms[0], page(1)) == 0);
    settled();
    CHECK(mm_unmap(mms[0], page(2), PAGE_SIZE) == 0);
    settled();
    CHECK(load(mms[0], page(1)) == 0 && load(mms[0], page(3)) == 0);
    mm_switch(mms[0]);
    u32 value;

    CHECK(cpu_access(page(2), LOAD, &value) == -EFAULT);
    CHECK(mm_move(mms[1], base, AREA, to) == 0);
    CHECK(load(mms[1], to + PAGE_SIZE) == 0);
    CHECK(faults_of_store(mms[2], page(1), 11) == 1 && load(mms[1], to + PAGE_SIZE) == 11);
    CHECK(load(mms[0], page(1)) == 11);
}

static void truncate_and_write_call(void)
{
    char text[] = "x";

    for (u32 b = 0; b < BLOCKS; b++) {
        load(mms[0], page(b * pages));
        load(mms[1], page(b * pages));
    }
    CHECK(dax_iomap_rw(file, 7 * PAGE_SIZE, text, 1, true) == 1);
    CHECK(load(mms[0], page(7)) == 'x' && load(mms[1], page(7)) == 'x' &&
          load(mms[1], page(8)) == 0);
    inode_truncate(file, span + 3 * PAGE_SIZE); /* the middle of a block */
    settled();
    CHECK(file->i_mapping.nrpmd == 0);
    CHECK(load(mms[1], page(pages + 2)) == 0);
    CHECK(faults_of_store(mms[0], page(pages + 2), 22) == 1 && load(mms[1], page(pages + 2)) == 22);
    mm_switch(mms[1]);
    u32 value;

    CHECK(cpu_access(page(pages + 3), LOAD, &value) == -EIO);
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

static void fallbacks(void)
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
    CHECK(faults_of_store(mms[1], page(9), 9) == 1);
    CHECK(ask(mm, base, 0) == VM_FAULT_FALLBACK); /* storage within */
    inode_truncate(file, 0);
    inode_truncate(file, (BLOCKS + 1) * (u64)span);
    dax_huge = false;
    CHECK(load(mms[1], page(1)) == 0); /* an entry of a page */
    dax_huge = true;
    CHECK(ask(mm, base, 0) == VM_FAULT_FALLBACK && flags_at(1) == DAX_ZERO_PAGE);
    /* A PTE page is there, although nothing is mapped by it. */
    struct pte_slot *slot = pte_alloc_map(mm, page(pages));

    pte_unmap(slot);
    CHECK(ask(mm, page(pages), 0) == VM_FAULT_FALLBACK);
    CHECK(load(mm, page(pages)) == 0 && flags_at(pages) == DAX_ZERO_PAGE);
    u32 failures = huge_zero_stats.failures;

    mm_put_huge_zero_folio(mm);
    shrink_huge_zero_page();
    alloc_calls = 0;
    alloc_fails_at = 1; /* no large zero page */
    CHECK(load(mm, page(2 * pages)) == 0 && huge_zero_stats.failures == failures + 1);
    alloc_fails_at = 0;
    CHECK(!has_block(mm, page(2 * pages)) && flags_at(2 * pages) == DAX_ZERO_PAGE);
}

static void split_without_memory(void)
{
    u32 value = 1;

    load(mms[0], page(0));
    mm_switch(mms[0]);
    pgtable_ctor_fails = true;
    CHECK(cpu_access(page(1), STORE, &value) == -ENOMEM);
    pgtable_ctor_fails = false;
    CHECK(has_block(mms[0], page(0)) && blocks_in_use() == 0);
    settled();
    CHECK(faults_of_store(mms[0], page(1), 1) == 1);
}

/* Every allocation of the first read fails in turn. */
static void no_memory(void)
{
    for (u32 fails_at = 1;; fails_at++) {
        u32 value;

        CHECK(mm_unmap(mms[0], base, AREA) == 0);
        map(mms[0], base, AREA, VM_DATA | VM_SHARED, 0);
        mm_put_huge_zero_folio(mms[0]);
        shrink_huge_zero_page();
        inode_truncate(file, 0);
        inode_truncate(file, BLOCKS * (u64)span);
        alloc_calls = 0;
        alloc_fails_at = fails_at;
        mm_switch(mms[0]);
        int error = cpu_access(page(0), LOAD, &value);

        alloc_fails_at = 0;
        CHECK(error == 0 || error == -ENOMEM);
        settled();
        if (has_block(mms[0], page(0)) && !alloc_failed)
            break;
        alloc_failed = false;
        CHECK(load(mms[0], page(0)) == 0);
        if (fails_at > 20)
            break;
    }
    CHECK(has_block(mms[0], page(0)));
}

/* ---- granules whose blocks are larger than the allocator's ---- */
static void no_block_of_that_size(void)
{
    CHECK(load(mms[0], page(1)) == 0 && !has_block(mms[0], page(1)));
    CHECK(flags_at(1) == DAX_ZERO_PAGE && huge_zero_stats.refcount == 0);
    CHECK(faults_of_store(mms[0], page(1), 5) == 1);
}

static const struct named_test tests[] = {
    {"one_fault_a_block", one_fault_a_block},
    {"write_into_a_block", write_into_a_block},
    {"private_copies", private_copies},
    {"cut_move_fork", cut_move_fork},
    {"truncate_and_write_call", truncate_and_write_call},
    {"fallbacks", fallbacks},
    {"split_without_memory", split_without_memory},
    {"no_memory", no_memory},
};

static const struct named_test without_blocks[] = {
    {"no_block_of_that_size", no_block_of_that_size},
};

int main(void)
{
    const struct machine small = {12, 31, 512, 2048, 4, ENTRY_64},
                         wide = {12, 31, 512, 2048, 4, ENTRY_128},
                         large = {14, 31, 512, 512, 1, ENTRY_64};

    CHECK(run_on(&small, tests, ARRAY_SIZE(tests), setup));
    CHECK(run_on(&wide, tests, ARRAY_SIZE(tests), setup));
    CHECK(run_on(&large, without_blocks, ARRAY_SIZE(without_blocks), setup));
    return finish();
}
