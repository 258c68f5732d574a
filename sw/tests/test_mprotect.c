/* Sources: mm/ fs/ tests/machine/ tests/files/
 *
 * mprotect on the host machine, at each granule: what is taken is gone at once, and what is given
 * is there, without a page being written that others have too. */
#include "errno.h"
#include "files/two_mappings.h"
#include "mm/huge_memory.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"

#define RX (VM_READ | VM_EXEC)

static vaddr_t anon; /* PAGES pages, with a border of PTE pages in the middle where there is one */

static void setup(void)
{
    map_twice();
    anon = TASK_SIZE / 2 - PAGES / 2 * PAGE_SIZE;
    for (u32 i = 0; i < 2; i++)
        CHECK(mm_map(mms[i], anon, PAGES * PAGE_SIZE, VM_DATA) == 0);
    mm_switch(mms[0]);
}

static int protect(vaddr_t area, u32 first, u32 count, u32 flags)
{
    int error = mm_protect(mms[0], page(area, first), count * PAGE_SIZE, flags);

    settled();
    return error;
}

static bool refused(u32 i, vaddr_t area, enum access kind)
{
    return access_error(mms[i], area, kind) == -EFAULT;
}

/* The lower, upper and middle part of an area, and all of it. */
static void parts_of_an_area(void)
{
    static const struct {
        u32 first, count, more;
    } part[] = {{0, 2, 1}, {6, 2, 1}, {3, 2, 2}, {0, PAGES, 0}};

    for (u32 n = 0; n < ARRAY_SIZE(part); n++) {
        u32 areas = areas_of(mms[0]), first = part[n].first, count = part[n].count;

        for (u32 i = 0; i < PAGES; i++)
            store(mms[0], page(anon, i), i + 1);
        CHECK(protect(anon, first, count, VM_READ) == 0);
        CHECK(areas_of(mms[0]) == areas + part[n].more);
        for (u32 i = 0; i < PAGES; i++) {
            CHECK(load(mms[0], page(anon, i)) == i + 1);
            CHECK(refused(0, page(anon, i), STORE) == (i - first < count));
            CHECK(refused(0, page(anon, i), FETCH));
        }
        CHECK(mm_unmap(mms[0], anon, PAGES * PAGE_SIZE) == 0);
        CHECK(mm_map(mms[0], anon, PAGES * PAGE_SIZE, VM_DATA) == 0);
    }
}

/* Accessed and dirty stay; the first write takes the page over again, without a copy. */
static void write_goes_and_comes(void)
{
    store(mms[0], anon, 5);
    pte_t before = walk_tables(mms[0], anon);
    u32 copies = fault_stats.cow_copy;

    CHECK(pte_writable(before) && pte_dirty(before) && pte_young(before));
    CHECK(protect(anon, 0, PAGES, VM_READ) == 0);
    CHECK(walk_tables(mms[0], anon) == pte_wrprotect(before));
    CHECK(refused(0, anon, STORE) && load(mms[0], anon) == 5);
    CHECK(protect(anon, 0, PAGES, VM_DATA) == 0);
    CHECK(!pte_writable(walk_tables(mms[0], anon)));
    CHECK(faults_of_store(mms[0], anon, 6) == 1 && faults_of_store(mms[0], anon, 7) == 0);
    CHECK(load(mms[0], anon) == 7 && fault_stats.cow_copy == copies);
}

/* Code is written as data first. The entry stays where it is. */
static void execute_comes_and_goes(void)
{
    u32 value;

    store(mms[0], anon, 0x13);
    load(mms[0], page(anon, 1)); /* a zero page can be run, too */
    CHECK(refused(0, anon, FETCH));
    CHECK(protect(anon, 0, 2, RX) == 0);
    for (u32 i = 0; i < 2; i++) {
        CHECK(cpu_access(page(anon, i), FETCH, &value) == 0 && value == (i ? 0 : 0x13));
        CHECK(refused(0, page(anon, i), STORE));
    }
    CHECK(protect(anon, 0, 2, VM_READ) == 0);
    CHECK(refused(0, anon, FETCH) && refused(0, page(anon, 1), FETCH));
    CHECK(protect(anon, 0, 2, RX) == 0 && protect(anon, 0, 2, VM_DATA) == 0);
    CHECK(refused(0, anon, FETCH) && faults_of_store(mms[0], anon, 1) == 1);
    CHECK(!(~walk_tables(mms[0], anon) & PTE_UXN));
}

/* Nothing becomes writable that somebody else sees, whatever the area permits. */
static void shared_pages_stay_read_only(void)
{
    load(mms[0], page(anon, 1)); /* the zero page */
    store(mms[0], anon, 1);
    mms[2] = mm_alloc();
    CHECK(mm_fork(mms[2], mms[0]) == 0);
    CHECK(protect(anon, 0, PAGES, VM_READ) == 0 && protect(anon, 0, PAGES, VM_DATA) == 0);
    for (u32 i = 0; i < 2; i++) {
        CHECK(!pte_writable(walk_tables(mms[0], page(anon, i))));
        store(mms[0], page(anon, i), 20 + i);
    }
    CHECK(load(mms[2], anon) == 1 && load(mms[2], page(anon, 1)) == 0 && zero_pages_clean());
    CHECK(load(mms[0], anon) == 20 && load(mms[0], page(anon, 1)) == 21);
    /* The child's permissions are its own. */
    CHECK(mm_protect(mms[2], anon, PAGES * PAGE_SIZE, VM_READ) == 0);
    CHECK(refused(2, anon, STORE) && access_error(mms[0], anon, STORE) == 0);
}

/* One, after the last change; none where nothing changes. */
static void one_flush(void)
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

/* Two neighbours and a hole: all or nothing. */
static void ranges_of_several_areas(void)
{
    CHECK(mm_map(mms[0], page(anon, PAGES), PAGE_SIZE, RX) == 0);
    CHECK(mm_map(mms[0], page(anon, PAGES + 2), PAGE_SIZE, VM_DATA) == 0);
    store(mms[0], page(anon, PAGES - 1), 8);
    u32 areas = areas_of(mms[0]);

    CHECK(protect(anon, PAGES - 1, 4, VM_READ) == -ENOMEM);
    CHECK(protect(anon, PAGES + 1, 2, VM_READ) == -ENOMEM);
    CHECK(protect(anon, PAGES + 2, 2, VM_READ) == -ENOMEM);
    CHECK(areas_of(mms[0]) == areas && access_error(mms[0], page(anon, PAGES - 1), STORE) == 0);
    CHECK(access_error(mms[0], page(anon, PAGES), FETCH) == 0);
    CHECK(protect(anon, PAGES - 1, 2, VM_READ) == 0 && areas_of(mms[0]) == areas + 1);
    CHECK(refused(0, page(anon, PAGES - 1), STORE) && refused(0, page(anon, PAGES), FETCH));
    CHECK(access_error(mms[0], page(anon, PAGES - 2), STORE) == 0);
}

/* Each part needs a slot, but not of an area that has these permissions already. */
static void no_slot(void)
{
    vaddr_t other = page(anon, 2 * PAGES);

    for (u32 i = 0; areas_of(mms[0]) < NR_VMAS - 1; i++)
        CHECK(mm_map(mms[0], page(other, 2 * i), PAGE_SIZE, VM_READ) == 0);
    store(mms[0], page(anon, 3), 3);
    CHECK(protect(anon, 3, 2, VM_READ) == -ENOMEM); /* two more */
    CHECK(access_error(mms[0], page(anon, 3), STORE) == 0);
    CHECK(protect(anon, 3, 2, VM_DATA) == 0);
    CHECK(protect(anon, 4, PAGES - 4, VM_READ) == 0 && areas_of(mms[0]) == NR_VMAS);
    CHECK(protect(anon, 0, 2, VM_READ) == -ENOMEM && protect(anon, 0, 4, VM_READ) == 0);
}

static void bad_arguments(void)
{
    CHECK(mm_protect(mms[0], anon, PAGE_SIZE, 0) == -EINVAL); /* no area is without permission */
    CHECK(mm_protect(mms[0], anon, PAGE_SIZE, VM_WRITE | VM_EXEC) == -EINVAL);
    CHECK(mm_protect(mms[0], anon, PAGE_SIZE, VM_READ | VM_SHARED) == -EINVAL);
    CHECK(mm_protect(mms[0], anon + 4, PAGE_SIZE, VM_READ) == -EINVAL);
    CHECK(mm_protect(mms[0], anon, PAGE_SIZE / 2, VM_READ) == -EINVAL);
    CHECK(mm_protect(mms[0], anon, 0, VM_READ) == -EINVAL);
    CHECK(mm_protect(mms[0], anon, TASK_SIZE, VM_READ) == -EINVAL);
    CHECK(access_error(mms[0], anon, STORE) == 0);
}

/* The parts know their pages of the file, and a store to a shared one reaches it. */
static void areas_of_a_file(void)
{
    for (u32 i = 0; i < PAGES; i++)
        store(mms[1], page(shared, i), 10 + i);
    store(mms[0], page(shared, 3), 30);
    store(mms[0], page(private, 3), 40);
    CHECK(protect(shared, 3, 2, VM_READ) == 0 && protect(private, 3, 2, VM_READ) == 0);
    CHECK(file->i_count == 1 + 4 + 4);
    CHECK(refused(0, page(shared, 3), STORE) && refused(0, page(private, 4), STORE));
    CHECK(load(mms[0], page(shared, 3)) == 30 && load(mms[0], page(private, 3)) == 40);
    for (u32 i = 4; i < PAGES; i++)
        CHECK(load(mms[0], page(shared, i)) == 10 + i && load(mms[0], page(private, i)) == 10 + i);
    CHECK(protect(shared, 3, 2, VM_DATA) == 0 && protect(private, 3, 2, VM_DATA) == 0);
    store(mms[0], page(shared, 3), 31);
    store(mms[0], page(shared, 4), 32);
    store(mms[0], page(private, 4), 41);
    CHECK(load(mms[1], page(shared, 3)) == 31 && load(mms[1], page(shared, 4)) == 32);
    CHECK(load(mms[0], page(private, 3)) == 40 && load(mms[1], page(private, 4)) == 32);
}

/* What a hole reads as is written by nobody: a store still asks the file. */
static void hole_of_a_file(void)
{
    CHECK(load(mms[0], shared) == 0);
    CHECK(protect(shared, 0, PAGES, VM_READ) == 0 && refused(0, shared, STORE));
    CHECK(protect(shared, 0, PAGES, VM_DATA) == 0);
    CHECK(!pte_writable(walk_tables(mms[0], shared)));
    store(mms[0], shared, 50);
    CHECK(load(mms[1], shared) == 50 && zero_pages_clean());
}

/* The same with a page of zeros in the page cache. */
static void hole_in_the_page_cache(void)
{
    dax_hole_method = DAX_HOLE_PAGECACHE;
    hole_of_a_file();
}

/* A part of a block, which only small pages have: it goes, and the next fault brings it back. */
static void blocks(void)
{
    vaddr_t base = 4 * HPAGE_PMD_SIZE;
    u32 value;

    if (PAGE_SIZE > 4096)
        return;
    dax_huge = true;
    inode_truncate(file, HPAGE_PMD_SIZE);
    CHECK(mm_map_file(mms[0], base, HPAGE_PMD_SIZE, VM_DATA | VM_SHARED, file, 0) == 0);
    CHECK(load(mms[0], page(base, 3)) == 0 && pmd_leaf(ptep_get(pmd_offset(mms[0], base))));
    CHECK(protect(base, 2, 2, RX) == 0 && !walk_tables(mms[0], base));
    CHECK(cpu_access(page(base, 3), FETCH, &value) == 0 && refused(0, page(base, 3), STORE));
    store(mms[0], page(base, 4), 60);
    CHECK(refused(0, page(base, 4), FETCH) && load(mms[0], page(base, 3)) == 0);
    dax_huge = false;
}

static const struct named_test tests[] = {
    {"parts_of_an_area", parts_of_an_area},
    {"write_goes_and_comes", write_goes_and_comes},
    {"execute_comes_and_goes", execute_comes_and_goes},
    {"shared_pages_stay_read_only", shared_pages_stay_read_only},
    {"one_flush", one_flush},
    {"ranges_of_several_areas", ranges_of_several_areas},
    {"no_slot", no_slot},
    {"bad_arguments", bad_arguments},
    {"areas_of_a_file", areas_of_a_file},
    {"hole_of_a_file", hole_of_a_file},
    {"hole_in_the_page_cache", hole_in_the_page_cache},
    {"blocks", blocks},
};

int main(void)
{
    static const struct machine machines[] = {
        {12, 31, 512, 1536, 4, ENTRY_64},  {12, 25, 512, 1536, 1, ENTRY_64},
        {14, 31, 512, 512, 1, ENTRY_64},   {14, 25, 512, 512, 1, ENTRY_64},
        {16, 31, 256, 256, 1, ENTRY_64},   {16, 25, 256, 256, 1, ENTRY_64},
        {12, 31, 512, 1536, 4, ENTRY_128}, {14, 31, 512, 512, 1, ENTRY_128},
        {16, 31, 256, 256, 1, ENTRY_128},
    };

    for (const struct machine *m = machines; m < machines + ARRAY_SIZE(machines); m++)
        CHECK(run_on(m, tests, ARRAY_SIZE(tests), setup));
    return finish();
}
