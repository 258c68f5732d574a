/* Sources: mm/ fs/ tests/machine/ tests/spaces/
 *
 * Directed tests of address spaces on the host machine, at each granule. Every defect that the
 * random runs found has a test here. */
#include "check.h"
#include "errno.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/smaps.h"
#include "mm/tlb.h"
#include "spaces/spaces.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* An access that must be refused. */
static bool refused(vaddr_t va, enum access kind)
{
    u32 value = 0;

    return cpu_access(va, kind, &value) == -EFAULT;
}

static void settled(void)
{
    shadow_check(mms, LIVE);
    CHECK(kmap_local_depth() == 0);
    for (u32 i = 0; i < LIVE; i++)
        CHECK(!mms[i] || mm_audit(mms[i]).violations == 0);
}

/* The second of two PTE pages cannot be had: the move fails, and everything is where it was. */
static void move_without_memory(void)
{
    struct mm *mm = new_mm(0);
    vaddr_t size = PAGE_SIZE, boundary = TASK_SIZE / 2, from = 16 * size, to = boundary - 2 * size;
    u32 tables;

    CHECK(mm_map(mm, from, 4 * size, VM_DATA) == 0);
    for (u32 i = 0; i < 4; i++)
        write_word(from + i * size, 100 + i);
    CHECK(mm_map(mm, to - size, size, VM_DATA) == 0);
    write_word(to - size, 7); /* the first PTE page of the target is there */
    tables = mm->nr_tables;
    for (u32 fails_at = 1;; fails_at++) {
        alloc_calls = 0;
        alloc_fails_at = fails_at;
        int error = mm_move(mm, from, 4 * size, to);

        alloc_fails_at = 0;
        settled();
        if (!error)
            break;
        CHECK(error == -ENOMEM && areas_of(mm) == 2 && mm->nr_tables == tables);
        CHECK(refused(to, LOAD));
        for (u32 i = 0; i < 4; i++)
            CHECK(read_word(from + i * size) == 100 + i);
    }
    CHECK(refused(from, LOAD) && refused(from + 3 * size, STORE));
    for (u32 i = 0; i < 4; i++)
        CHECK(read_word(to + i * size) == 100 + i);
    settled();
}

/* Pages and the table that becomes empty go with one invalidation; an exit takes one as well. */
static void one_flush_for_an_unmap(void)
{
    struct mm *mm = new_mm(0);
    vaddr_t at = TASK_SIZE / 2;

    CHECK(mm_map(mm, at, 2 * PAGE_SIZE, VM_DATA) == 0);
    write_word(at, 1);
    write_word(at + PAGE_SIZE, 2);
    u32 before = flushes();

    CHECK(mm_unmap(mm, at, 2 * PAGE_SIZE) == 0 && flushes() == before + 1);
    settled();
    CHECK(mm_map(mm, at, PAGE_SIZE, VM_DATA) == 0);
    write_word(at, 3);
    before = flushes();
    mmput(mm);
    mms[0] = NULL;
    CHECK(flushes() == before + 1);
}

/* An area of five pages loses its lower, upper or middle part; what lies beside it stays. */
static void holes(void)
{
    static const struct {
        u32 first, count, areas;
    } cut[] = {{0, 2, 1}, {3, 2, 1}, {1, 3, 2}, {2, 1, 2}, {0, 5, 0}};

    for (u32 i = 0; i < ARRAY_SIZE(cut); i++) {
        struct mm *mm = new_mm(0);
        vaddr_t base = TASK_SIZE / 2 - 2 * PAGE_SIZE; /* a border of tables lies in it */

        CHECK(mm_map(mm, base, 5 * PAGE_SIZE, VM_DATA) == 0);
        for (u32 n = 0; n < 5; n++)
            write_word(base + n * PAGE_SIZE, n + 1);
        CHECK(mm_unmap(mm, base + cut[i].first * PAGE_SIZE, cut[i].count * PAGE_SIZE) == 0);
        settled();
        CHECK(areas_of(mm) == cut[i].areas && mm->anon_rss == 5 - cut[i].count);
        for (u32 n = 0; n < 5; n++)
            if (n - cut[i].first < cut[i].count)
                CHECK(refused(base + n * PAGE_SIZE, LOAD));
            else
                CHECK(read_word(base + n * PAGE_SIZE) == n + 1);
        free_mms();
    }
}

/* Each allocation of a fork fails in turn. The parent keeps what it has and can go on writing. */
static void fork_without_memory(void)
{
    struct mm *parent = new_mm(0);
    vaddr_t low = PAGE_SIZE, high = TASK_SIZE - 2 * PAGE_SIZE;

    CHECK(mm_map(parent, low, PAGE_SIZE, VM_DATA) == 0);
    CHECK(mm_map(parent, high, 2 * PAGE_SIZE, VM_DATA) == 0);
    for (u32 fails_at = 1;; fails_at++) {
        write_word(low, fails_at);
        write_word(high, fails_at + 1);
        alloc_calls = 0;
        alloc_fails_at = fails_at;
        struct mm *child = mms[1] = mm_alloc();
        int error = child ? mm_fork(child, parent) : -ENOMEM;

        alloc_fails_at = 0;
        settled();
        if (!error)
            break;
        CHECK(error == -ENOMEM);
        if (child)
            mmput(child);
        mms[1] = NULL;
        CHECK(read_word(low) == fails_at && read_word(high) == fails_at + 1);
    }
    u32 was = read_word(low);

    write_word(low, 1000); /* the child keeps its own */
    mm_switch(mms[1]);
    CHECK(read_word(low) == was && read_word(high + PAGE_SIZE) == 0);
    settled();
}

/* A constructor that fails loses no page. */
static void constructor_fails(void)
{
    struct mm *mm = new_mm(0);
    u32 value = 1, in_use = machine_pages_in_use();
    bool tables = user_geometry.start_level != LEAF_LEVEL;

    CHECK(mm_map(mm, PAGE_SIZE, PAGE_SIZE, VM_DATA) == 0);
    pgtable_ctor_fails = true;
    CHECK(cpu_access(PAGE_SIZE, STORE, &value) == (tables ? -ENOMEM : 0));
    pgtable_ctor_fails = false;
    CHECK(!tables || machine_pages_in_use() == in_use);
    write_word(PAGE_SIZE, 2);
    settled();
}

static void areas_are_found(void)
{
    struct mm *mm = new_mm(0);
    vaddr_t at = TASK_SIZE / 2, page = PAGE_SIZE;

    CHECK(!find_vma(mm, 0) && !vma_lookup(mm, at));
    CHECK(mm_map(mm, at + 8 * page, page, VM_READ) == 0);
    CHECK(mm_map(mm, at, 4 * page, VM_READ) == 0);
    struct vma *low = vma_lookup(mm, at), *high = vma_lookup(mm, at + 8 * page);

    CHECK(low && high && low != high);
    CHECK(find_vma(mm, 0) == low && !vma_lookup(mm, at - 1));
    CHECK(find_vma(mm, at + 4 * page - 1) == low && vma_lookup(mm, at + 4 * page - 1) == low);
    CHECK(find_vma(mm, at + 4 * page) == high && !vma_lookup(mm, at + 4 * page));
    CHECK(find_vma(mm, at + 8 * page) == high && !find_vma(mm, at + 9 * page));
}

/* Offsets from 4 GiB on have all their digits. */
static void smaps_of_a_large_file(void)
{
    struct mm *mm = new_mm(0);
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

static void bad_arguments(void)
{
    struct mm *mm = new_mm(0);
    vaddr_t at = TASK_SIZE / 2;

    CHECK(mm_map(mm, at, PAGE_SIZE, VM_READ | BIT(20)) == -EINVAL);
    CHECK(mm_map(mm, at, PAGE_SIZE, VM_WRITE | VM_EXEC) == -EINVAL);
    CHECK(mm_map(mm, at + 4, PAGE_SIZE, VM_READ) == -EINVAL);
    CHECK(mm_map(mm, 0, PAGE_SIZE, VM_READ) == -EINVAL);
    CHECK(mm_map(mm, at, TASK_SIZE, VM_READ) == -EINVAL);
    CHECK(mm_unmap(mm, at, 0) == -EINVAL);
    CHECK(mm_move(mm, at, PAGE_SIZE, PAGE_SIZE) == -EINVAL);
    CHECK(areas_of(mm) == 0);
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
static void pages_by_another(void)
{
    struct mm *parent = new_mm(0), *child;
    vaddr_t at = TASK_SIZE / 2, last = PAGE_SIZE - 4;

    clear_user_highpage = clear_elsewhere;
    copy_user_highpage = copy_elsewhere;
    cleared = copied = 0;
    CHECK(mm_map(parent, at, 2 * PAGE_SIZE, VM_DATA) == 0);
    CHECK(read_word(at) == 0 && cleared == 0); /* the zero page */
    write_word(at, 1);
    write_word(at + PAGE_SIZE, 2);
    CHECK(cleared == 2 && copied == 0);
    CHECK(read_word(at) == 1 && read_word(at + 4) == 0 && read_word(at + last) == 0);
    CHECK(read_word(at + PAGE_SIZE + last) == 0);
    write_word(at + last, 3);
    child = new_mm(1);
    CHECK(mm_fork(child, parent) == 0 && cleared == 2 && copied == 0);
    write_word(at, 4);
    CHECK(cleared == 2 && copied == 1);
    CHECK(read_word(at) == 4 && read_word(at + 4) == 0 && read_word(at + last) == 3);
    settled();
    mm_switch(parent);
    CHECK(read_word(at) == 1 && read_word(at + last) == 3);
    clear_user_highpage = clear_highpage;
    copy_user_highpage = copy_highpage;
}

static const struct named_test {
    const char *name;
    void (*run)(void);
} tests[] = {
    {"move_without_memory", move_without_memory},
    {"one_flush_for_an_unmap", one_flush_for_an_unmap},
    {"holes", holes},
    {"fork_without_memory", fork_without_memory},
    {"constructor_fails", constructor_fails},
    {"pages_by_another", pages_by_another},
    {"areas_are_found", areas_are_found},
    {"smaps_of_a_large_file", smaps_of_a_large_file},
    {"bad_arguments", bad_arguments},
};

static const struct machine machines[] = {
    {12, 31, 512, 512, 4, ENTRY_64},  {12, 21, 512, 512, 1, ENTRY_64},
    {14, 31, 512, 512, 1, ENTRY_64},  {14, 25, 512, 512, 1, ENTRY_64},
    {16, 31, 256, 256, 1, ENTRY_64},  {16, 25, 256, 256, 1, ENTRY_64},
    {12, 31, 512, 512, 4, ENTRY_128}, {14, 24, 512, 512, 1, ENTRY_128},
    {14, 31, 512, 512, 1, ENTRY_128}, {16, 31, 256, 256, 1, ENTRY_128},
};

/* The mm's state outlives a test, so each machine is a process of its own. */
static bool run_on(const struct machine *m)
{
    int status;

    fflush(stdout);
    pid_t child = fork();

    if (child == 0) {
        checks_done = checks_failed = 0;
        machine_start(m);
        for (const struct named_test *t = tests; t < tests + ARRAY_SIZE(tests); t++) {
            unsigned failed = checks_failed;

            t->run();
            free_mms();
            if (checks_failed != failed)
                printf("in %s, pages of 2^%u bytes, %u bits, entries of %u\n", t->name,
                       m->page_shift, m->va_bits, 8u << kernel_geometry.entry_shift);
        }
        exit(finish());
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(void)
{
    for (const struct machine *m = machines; m < machines + ARRAY_SIZE(machines); m++)
        CHECK(run_on(m));
    return finish();
}
