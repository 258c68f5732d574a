/* Sources: console/process.c mm/ fs/ tests/machine/
 *
 * The console's process when memory is short: each allocation fails in turn, and nothing is left
 * behind. What a task is made of is short here: its address space. */
#include "console/process.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "machine/spaces.h"
#include "mm/inode.h"
#include "user/user.h"

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

int main(void)
{
    return run_on(&(struct machine){12, 31, 256, 256, 1, ENTRY_64}, 1, NULL);
}
