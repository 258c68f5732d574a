#include "machine/spaces.h"
#include "errno.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/huge_memory.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct mm *mms[LIVE];
struct inode *file;
vaddr_t shared, private;

struct mm *new_mm(u32 slot)
{
    mms[slot] = mm_alloc();
    CHECK(mms[slot]);
    mm_switch(mms[slot]);
    return mms[slot];
}

void drop_mm(u32 slot)
{
    if (mms[slot])
        mmput(mms[slot]);
    mms[slot] = NULL;
}

void file_start(u64 bytes)
{
    CHECK(block_store_open(STORE_ORDER));
    file = new_inode("data", bytes);
    CHECK(file);
}

void settled(void)
{
    u32 index;
    void *entry;

    shadow_check(mms, LIVE);
    CHECK(kmap_local_depth() == 0 && zero_pages_clean());
    for (u32 i = 0; i < LIVE; i++)
        CHECK(!mms[i] || mm_audit(mms[i]).violations == 0);
    if (!file)
        return;
    xa_for_each_range(&file->i_mapping.i_pages, index, entry, 0, ~0u - 1)
    {
        CHECK(!xa_is_value(entry) || !(dax_entry_flags(entry) & DAX_LOCKED));
    }
}

static void file_end(void)
{
    CHECK(file->i_count == 1 && !file->i_mapping.i_mmap);
    iput(file);
    CHECK(!file->i_mapping.nrpages && !file->i_mapping.nrexceptional && !file->i_mapping.nrpmd);
    CHECK(blocks_in_use() == 0);
    block_store_close();
    CHECK(huge_zero_stats.refcount <= 1); /* the shrinker's, if there is one */
    u32 expected = huge_zero_stats.refcount ? HPAGE_PMD_NR : 0;

    CHECK(shrink_huge_zero_page() == expected && huge_zero_stats.refcount == 0);
    CHECK(xa_total_nodes() == 0);
    dax_hole_method = DAX_HOLE_ZERO_PAGE;
    dax_huge = false;
    file = NULL;
}

void spaces_end(void)
{
    alloc_fails_at = 0;
    settled();
    for (u32 i = 0; i < LIVE; i++)
        drop_mm(i);
    shadow_check(mms, LIVE);
    if (file)
        file_end();
    CHECK(nr_pagetable == 0 && machine_pages_in_use() == 0);
}

u32 flushes(void)
{
    return tlb_stats.range + tlb_stats.asid + tlb_stats.all;
}

int access_error(struct mm *mm, vaddr_t va, enum access kind)
{
    u32 value = 0;

    mm_switch(mm);
    return cpu_access(va, kind, &value);
}

bool refused(struct mm *mm, vaddr_t va, enum access kind)
{
    return access_error(mm, va, kind) == -EFAULT;
}

u32 load(struct mm *mm, vaddr_t va)
{
    u32 value = ~0u;

    mm_switch(mm);
    CHECK(cpu_access(va, LOAD, &value) == 0);
    return value;
}

void store(struct mm *mm, vaddr_t va, u32 value)
{
    mm_switch(mm);
    CHECK(cpu_access(va, STORE, &value) == 0);
}

u32 faults_of_store(struct mm *mm, vaddr_t va, u32 value)
{
    u32 before = fault_stats.faults;

    store(mm, va, value);
    return fault_stats.faults - before;
}

bool has_block(struct mm *mm, vaddr_t va)
{
    struct pte_slot *pmd = pmd_offset(mm, va);

    return pmd && pmd_leaf(ptep_get(pmd));
}

void *entry_at(u32 index)
{
    return xa_load(&file->i_mapping.i_pages, index);
}

u32 flags_at(u32 index)
{
    void *entry = entry_at(index);

    return xa_is_value(entry) ? dax_entry_flags(entry) : ~0u;
}

static void map_both(struct mm *mm)
{
    CHECK(mm_map_file(mm, shared, PAGES * PAGE_SIZE, VM_DATA | VM_SHARED, file, 0) == 0);
    CHECK(mm_map_file(mm, private, PAGES * PAGE_SIZE, VM_DATA, file, 0) == 0);
}

void map_twice(void)
{
    file_start(PAGES * PAGE_SIZE);
    shared = PAGES * PAGE_SIZE;
    private = 4 * shared;
    map_both(new_mm(0));
    map_both(new_mm(1));
}

static const struct machine *machine;

static void describe(void)
{
    printf("on a machine with pages of 2^%u bytes, %u bits, entries of %u\n", machine->page_shift,
           machine->va_bits, 8u << machine->entry_shift);
}

static int run_here(void (*setup)(void))
{
    checks_done = checks_failed = 0;
    failure_context = describe;
    machine_start(machine);
    run_tests(setup, spaces_end);
    return finish();
}

int run_on(const struct machine *machines, u32 count, void (*setup)(void))
{
    int status;

    for (machine = machines; machine < machines + count; machine++) {
        fflush(stdout);
        pid_t child = fork();

        if (child == 0)
            exit(run_here(setup));
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
    }
    return finish();
}

int run_on_every_machine(void (*setup)(void))
{
    static const struct machine machines[] = {
        {12, 31, 512, 1536, 4, ENTRY_64}, {12, 25, 512, 1536, 1, ENTRY_64},
        {12, 21, 512, 512, 1, ENTRY_64},  {14, 31, 512, 512, 1, ENTRY_64},
        {14, 25, 512, 512, 1, ENTRY_64},  {16, 31, 256, 256, 1, ENTRY_64},
        {16, 25, 256, 256, 1, ENTRY_64},  {12, 31, 512, 1536, 4, ENTRY_128},
        {14, 31, 512, 512, 1, ENTRY_128}, {14, 24, 512, 512, 1, ENTRY_128},
        {16, 31, 256, 256, 1, ENTRY_128},
    };

    return run_on(machines, ARRAY_SIZE(machines), setup);
}
