#include "files/files.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/huge_memory.h"
#include "mm/zero_page.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct mm *mms[LIVE];
struct inode *file;

void files_start(u64 bytes)
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
    xa_for_each_range(&file->i_mapping.i_pages, index, entry, 0, ~0u - 1)
    {
        CHECK(!xa_is_value(entry) || !(dax_entry_flags(entry) & DAX_LOCKED));
    }
}

void files_end(void)
{
    alloc_fails_at = 0;
    settled();
    for (u32 i = 0; i < LIVE; i++) {
        if (mms[i])
            mmput(mms[i]);
        mms[i] = NULL;
    }
    shadow_check(mms, LIVE);
    CHECK(file->i_count == 1 && !file->i_mapping.i_mmap);
    iput(file);
    CHECK(!file->i_mapping.nrpages && !file->i_mapping.nrexceptional && !file->i_mapping.nrpmd);
    CHECK(blocks_in_use() == 0);
    block_store_close();
    CHECK(huge_zero_stats.refcount <= 1); /* the shrinker's, if there is one */
    u32 expected = huge_zero_stats.refcount ? HPAGE_PMD_NR : 0;

    CHECK(shrink_huge_zero_page() == expected && huge_zero_stats.refcount == 0);
    CHECK(xa_total_nodes() == 0 && nr_pagetable == 0 && machine_pages_in_use() == 0);
    dax_hole_method = DAX_HOLE_ZERO_PAGE;
}

int access_error(struct mm *mm, vaddr_t va, enum access kind)
{
    u32 value = 0;

    mm_switch(mm);
    return cpu_access(va, kind, &value);
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

void *entry_at(u32 index)
{
    return xa_load(&file->i_mapping.i_pages, index);
}

u32 flags_at(u32 index)
{
    void *entry = entry_at(index);

    return xa_is_value(entry) ? dax_entry_flags(entry) : ~0u;
}

static int run_tests(const struct machine *m, const struct named_test *tests, u32 count,
                     void (*setup)(void))
{
    checks_done = checks_failed = 0;
    machine_start(m);
    for (const struct named_test *t = tests; t < tests + count; t++) {
        unsigned failed = checks_failed;

        setup();
        t->run();
        files_end();
        if (checks_failed != failed)
            printf("in %s, pages of 2^%u bytes, %u bits, entries of %u\n", t->name, m->page_shift,
                   m->va_bits, 8u << kernel_geometry.entry_shift);
    }
    return finish();
}

bool run_on(const struct machine *m, const struct named_test *tests, u32 count, void (*setup)(void))
{
    int status;

    fflush(stdout);
    pid_t child = fork();

    if (child == 0)
        exit(run_tests(m, tests, count, setup));
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
