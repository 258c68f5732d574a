/* Sources: mm/ fs/ tests/machine/
 *
 * Address spaces on the host machine, at each granule: what random operations (fuzz_mm) do not see.
 * How often is invalidated, and what mprotect leaves in an entry. */
#include "machine/spaces.h"
#include "mm/highmem.h"
#include "mm/huge_memory.h"
#include "mm/smaps.h"
#include "mm/tlb.h"
#include <stdio.h>
#include <string.h>

#define RX (VM_READ | VM_EXEC)

static vaddr_t anon; /* PAGES pages, with a border of PTE pages in the middle where there is one */

static void setup(void)
{
    anon = TASK_SIZE / 2 - PAGES / 2 * PAGE_SIZE;
    map_twice();
    for (u32 i = 0; i < 2; i++)
        CHECK(mm_map(mms[i], anon, PAGES * PAGE_SIZE, VM_DATA) == 0);
    mm_switch(mms[0]);
}

/* Pages and the table that becomes empty go with one invalidation; an exit takes one as well. */
TEST(one_flush_for_an_unmap)
{
    struct mm *mm = new_mm(2);
    vaddr_t at = TASK_SIZE / 2;

    CHECK(mm_map(mm, at, 2 * PAGE_SIZE, VM_DATA) == 0);
    store(mm, at, 1);
    store(mm, at + PAGE_SIZE, 2);
    u32 before = flushes();

    CHECK(mm_unmap(mm, at, 2 * PAGE_SIZE) == 0 && flushes() == before + 1);
    settled();
    CHECK(mm_map(mm, at, PAGE_SIZE, VM_DATA) == 0);
    store(mm, at, 3);
    before = flushes();
    drop_mm(2);
    CHECK(flushes() == before + 1);
}

/* Offsets from 4 GiB on have all their digits. */
TEST(smaps_of_a_large_file)
{
    struct mm *mm = new_mm(2);
    char offset[20];

    CHECK(mm_map(mm, PAGE_SIZE, PAGE_SIZE, VM_READ) == 0);
    struct vma *v = vma_lookup(mm, PAGE_SIZE);

    v->vm_pgoff = (u32)(0x123456ull * 65536 >> PAGE_SHIFT);
    console_text();
    smaps_dump(mm);
    snprintf(offset, sizeof offset, " %llx ", (unsigned long long)v->vm_pgoff << PAGE_SHIFT);
    CHECK(strstr(console_text(), offset) && strlen(offset) > 10);
    v->vm_pgoff = 0;
}

/* What stands in the place of the CPU, as the DMA engine may. */
static u32 cleared, copied;

static void clear_elsewhere(struct page *page)
{
    cleared++;
    clear_highpage(page);
}

static void copy_elsewhere(struct page *to, struct page *from)
{
    copied++;
    copy_highpage(to, from);
}

/* Each page that a fault takes is cleared or copied by whoever has that task, and is whole; tables
 * are not its business. */
TEST(pages_by_another)
{
    struct mm *parent = new_mm(2), *child = new_mm(3);
    vaddr_t at = TASK_SIZE / 2, last = PAGE_SIZE - 4;

    clear_user_highpage = clear_elsewhere;
    copy_user_highpage = copy_elsewhere;
    cleared = copied = 0;
    CHECK(mm_map(parent, at, 2 * PAGE_SIZE, VM_DATA) == 0);
    CHECK(load(parent, at) == 0 && cleared == 0); /* the zero page */
    store(parent, at, 1);
    store(parent, at + PAGE_SIZE, 2);
    CHECK(cleared == 2 && copied == 0);
    CHECK(load(parent, at) == 1 && load(parent, at + 4) == 0 && load(parent, at + last) == 0);
    CHECK(load(parent, at + PAGE_SIZE + last) == 0);
    store(parent, at + last, 3);
    CHECK(mm_fork(child, parent) == 0 && cleared == 2 && copied == 0);
    store(child, at, 4);
    CHECK(cleared == 2 && copied == 1);
    CHECK(load(child, at) == 4 && load(child, at + 4) == 0 && load(child, at + last) == 3);
    settled();
    CHECK(load(parent, at) == 1 && load(parent, at + last) == 3);
    clear_user_highpage = clear_highpage;
    copy_user_highpage = copy_highpage;
}

/* ---- mprotect ---- */
static int protect(vaddr_t area, u32 first, u32 count, u32 flags)
{
    int error = mm_protect(mms[0], page(area, first), count * PAGE_SIZE, flags);

    settled();
    return error;
}

/* Accessed and dirty stay; the first write takes the page over again, without a copy. */
TEST(write_goes_and_comes)
{
    store(mms[0], anon, 5);
    pte_t before = walk_tables(mms[0], anon);
    u32 copies = fault_stats.cow_copy;

    CHECK(pte_writable(before) && pte_dirty(before) && pte_young(before));
    CHECK(protect(anon, 0, PAGES, VM_READ) == 0);
    CHECK(walk_tables(mms[0], anon) == pte_wrprotect(before));
    CHECK(refused(mms[0], anon, STORE) && load(mms[0], anon) == 5);
    CHECK(protect(anon, 0, PAGES, VM_DATA) == 0);
    CHECK(!pte_writable(walk_tables(mms[0], anon)));
    CHECK(faults_of_store(mms[0], anon, 6) == 1 && faults_of_store(mms[0], anon, 7) == 0);
    CHECK(load(mms[0], anon) == 7 && fault_stats.cow_copy == copies);
}

/* One, after the last change; none where nothing changes. */
TEST(one_flush_for_a_protect)
{
    u32 before = flushes() + tlb_stats.page;

    CHECK(protect(anon, 0, PAGES, VM_READ) == 0 && flushes() + tlb_stats.page == before);
    CHECK(protect(anon, 0, PAGES, VM_DATA) == 0);
    for (u32 i = 1; i < PAGES - 1; i++)
        store(mms[0], page(anon, i), i);
    before = flushes();
    CHECK(protect(anon, 0, PAGES, VM_READ) == 0 && flushes() == before + 1);
    CHECK(protect(anon, 0, PAGES, VM_READ) == 0 && flushes() == before + 1);
    CHECK(protect(anon, 0, PAGES, VM_DATA) == 0 && flushes() == before + 1); /* the faults will */
    CHECK(protect(anon, 0, PAGES, RX) == 0 && flushes() == before + 2);
}

/* A part of a block, which only small pages have: it goes, and the next fault brings it back. */
TEST(blocks)
{
    vaddr_t base = 4 * HPAGE_PMD_SIZE;
    u32 value;

    if (PAGE_SIZE > 4096 || base >= TASK_SIZE / 2)
        return;
    dax_huge = true;
    inode_truncate(file, HPAGE_PMD_SIZE);
    CHECK(mm_map_file(mms[0], base, HPAGE_PMD_SIZE, VM_DATA | VM_SHARED, file, 0) == 0);
    CHECK(load(mms[0], page(base, 3)) == 0 && has_block(mms[0], base));
    CHECK(protect(base, 2, 2, RX) == 0 && !walk_tables(mms[0], base));
    CHECK(cpu_access(page(base, 3), FETCH, &value) == 0 && refused(mms[0], page(base, 3), STORE));
    store(mms[0], page(base, 4), 60);
    CHECK(refused(mms[0], page(base, 4), FETCH) && load(mms[0], page(base, 3)) == 0);
}

int main(void)
{
    return run_on_every_machine(setup);
}
