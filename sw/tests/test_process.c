/* Sources: console/process.c mm/ fs/ tests/machine/
 *
 * The console's process when memory is short: each allocation fails in turn, and nothing is left
 * behind. What a task is made of is short here: its address space. */
#include "console/process.h"
#include "errno.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "machine/spaces.h"
#include "mm/inode.h"
#include "user/user.h"
#include <string.h>

static struct task task;

struct task *task_create(void (*)(void), u32, const u32 *)
{
    struct mm *mm = mm_alloc();

    if (!mm)
        return NULL;
    task = (struct task){.state = TASK_RUNNABLE, .mm = mm};
    return &task;
}

void task_free(struct task *t)
{
    t->state = TASK_UNUSED;
}

void user_smoke(u32, u32)
{
}

int get_user(u32 *value, vaddr_t from)
{
    return cpu_access(from, LOAD, value);
}

int put_user(u32 value, vaddr_t to)
{
    return cpu_access(to, STORE, &value);
}

static void nothing_is_left(void)
{
    CHECK(!current_mm && task.state == TASK_UNUSED);
    CHECK(nr_pagetable == 0 && machine_pages_in_use() == 0);
}

TEST(without_memory)
{
    u32 fails_at = 1;

    for (; fails_at < 64; fails_at++) {
        fail_allocation(fails_at);
        bool failed = PANICS(process_mm());

        alloc_fails_at = 0;
        if (!failed)
            break;
        nothing_is_left();
    }
    struct mm *mm = process_mm();

    CHECK(mm && current_mm == mm);
    CHECK(fails_at == 6); /* the store, a root, two tables, a page */
    process_end();
    nothing_is_left();
}

TEST(without_a_file)
{
    struct inode *taken[NR_INODES];

    for (u32 i = 0; i < NR_INODES; i++)
        CHECK((taken[i] = new_inode("other", PAGE_SIZE)));
    CHECK(PANICS(process_mm()) && strstr(panic_message, "no memory for a process to look at"));
    nothing_is_left();
    for (u32 i = 0; i < NR_INODES; i++)
        iput(taken[i]);
    CHECK(process_mm());
    process_end();
    nothing_is_left();
}

TEST(without_a_task)
{
    struct mm *taken[NR_MMS];

    for (u32 i = 0; i < NR_MMS; i++)
        CHECK((taken[i] = mm_alloc()));
    CHECK(PANICS(process_mm()));
    for (u32 i = 0; i < NR_MMS; i++)
        mmput(taken[i]);
    nothing_is_left();
}

int main(void)
{
    return run_on(&(struct machine){12, 31, 256, 256, 1, ENTRY_64}, 1, NULL);
}
