/* Sources: mm/ fs/ tests/machine/
 *
 * Directed tests of address spaces on the host machine, at each granule. Every defect that the
 * random runs found has a test here. */
#include "check.h"
#include "errno.h"
#include "machine/machine.h"
#include "mm/audit.h"
#include "mm/highmem.h"
#include "mm/tlb.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIVE 4u

static struct mm *mms[LIVE];

static struct mm *new_mm(u32 slot)
{
    mms[slot] = mm_alloc();
    CHECK(mms[slot]);
    mm_switch(mms[slot]);
    return mms[slot];
}

static void write_word(vaddr_t va, u32 value)
{
    CHECK(cpu_access(va, STORE, &value) == 0);
}

static u32 read_word(vaddr_t va)
{
    u32 value = ~0u;

    CHECK(cpu_access(va, LOAD, &value) == 0);
    return value;
}

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

static void free_mms(void)
{
    for (u32 i = 0; i < LIVE; i++)
        if (mms[i])
            mm_free(mms[i]);
    for (u32 i = 0; i < LIVE; i++)
        mms[i] = NULL;
    shadow_check(mms, LIVE);
    CHECK(nr_pagetable == 0);
    CHECK(machine_pages_in_use() == 0);
}

static u32 areas_of(const struct mm *mm)
{
    u32 count = 0;

    for (u32 i = 0; i < NR_VMAS; i++)
        count += mm->vmas[i].flags != 0;
    return count;
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

static const struct named_test {
    const char *name;
    void (*run)(void);
} tests[] = {
    {"move_without_memory", move_without_memory},
};

static const struct machine machines[] = {
    {12, 31, 512, 512, 4}, {12, 21, 512, 512, 1}, {14, 31, 512, 512, 1},
    {14, 25, 512, 512, 1}, {16, 31, 256, 256, 1}, {16, 25, 256, 256, 1},
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
                printf("in %s, pages of 2^%u bytes, %u bits\n", t->name, m->page_shift, m->va_bits);
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
