#include "kernel/task.h"
#include "drivers/cache.h"
#include "errno.h"
#include "image.h"
#include "lib/csr.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

struct task tasks[NR_TASKS];
u32 task_report[REPORT_WORDS];
void (*task_mark_hook)(u32 mark);
bool task_yields;

static u32 next_pid = 1;

static struct task *task_slot(void)
{
    for (struct task *t = tasks; t < tasks + NR_TASKS; t++)
        if (t->state == TASK_UNUSED)
            return t;
    return NULL;
}

static u32 code_bytes(void)
{
    return ALIGN_UP((u32)(__user_end - __user_start), PAGE_SIZE);
}

/* Copies the user programs into pages of the task, mapped read-only and executable. */
static int load_code(struct mm *mm)
{
    u32 size = (u32)(__user_end - __user_start);
    int error = mm_map(mm, USER_CODE, code_bytes(), VM_READ | VM_EXEC);

    for (u32 at = 0; at < size && !error; at += PAGE_SIZE) {
        struct page *page = alloc_page(GFP_HIGHUSER | __GFP_ZERO);
        struct pte_slot *slot = page ? pte_alloc_map(mm, USER_CODE + at) : NULL;

        if (!slot) {
            if (page)
                put_page(page);
            return -ENOMEM;
        }
        u8 *to = kmap_local_page(page);

        memcpy(to, __user_start + at, MIN(PAGE_SIZE, size - at));
        kunmap_local(to);
        set_pte(slot, mk_pte(page, PROT_USER_RX));
        pte_unmap(slot);
        mm->anon_rss++;
    }
    flush_icache();
    return error;
}

struct task *task_create(void (*entry)(void), u32 nr_args, const u32 *args)
{
    struct task *task = task_slot();
    struct mm *mm = task ? mm_alloc() : NULL;

    BUG_ON(nr_args > MAX_ARGS);
    if (!mm)
        return NULL;
    if (load_code(mm) || mm_map(mm, USER_STACK_TOP - PAGE_SIZE, PAGE_SIZE, VM_READ | VM_WRITE)) {
        mmput(mm);
        return NULL;
    }
    *task = (struct task){.state = TASK_RUNNABLE, .pid = next_pid++, .mm = mm};
    u32 *x = task->context.regs.x;

    x[REG_PC] = USER_CODE + ((u32)(uintptr_t)entry - (u32)(uintptr_t)__user_start);
    x[REG_SP] = USER_STACK_TOP - 64; /* a line of zeros above the first frame */
    for (u32 i = 0; i < nr_args; i++)
        x[REG_A0 + i] = args[i];
    return task;
}

struct task *task_fork(struct task *parent)
{
    struct task *child = task_slot();
    struct mm *mm = child ? mm_alloc() : NULL;

    if (!mm)
        return NULL;
    if (mm_fork(mm, parent->mm)) {
        mmput(mm);
        return NULL;
    }
    *child = *parent;
    child->pid = next_pid++;
    child->parent = parent;
    child->orphan = false;
    child->mm = mm;
    child->context.regs.x[REG_A0] = 0;
    return child;
}

/* Orphans have nobody to wait for them: they go at their exit. */
void task_exit(struct task *task, s32 code)
{
    task->exit_code = code;
    task->state = TASK_ZOMBIE;
    mmput(task->mm);
    task->mm = NULL;
    for (struct task *t = tasks; t < tasks + NR_TASKS; t++) {
        if (t->state == TASK_UNUSED || t->parent != task)
            continue;
        t->parent = NULL;
        t->orphan = true;
        if (t->state == TASK_ZOMBIE)
            task_free(t);
    }
    if (task->orphan)
        task_free(task);
    if (task->parent && task->parent->state == TASK_WAITING)
        task->parent->state = TASK_RUNNABLE;
}

void task_free(struct task *task)
{
    task->state = TASK_UNUSED;
}

struct task *task_child(const struct task *parent, bool zombie)
{
    for (struct task *t = tasks; t < tasks + NR_TASKS; t++)
        if (t->state != TASK_UNUSED && t->parent == parent && (!zombie || t->state == TASK_ZOMBIE))
            return t;
    return NULL;
}

static u32 fault_of(u32 cause)
{
    return cause == CAUSE_STORE_PAGE ? FAULT_WRITE : cause == CAUSE_FETCH_PAGE ? FAULT_EXEC : 0;
}

/* A task that does what it may not is ended, with a message, like by a signal. */
static void kill_task(struct task *task, u32 cause, u32 value, const char *why)
{
    kprintf("task %u killed: %s (%s at 0x%08x, pc 0x%08x)\n", task->pid, why,
            trap_cause_name(cause), value, task->context.regs.x[REG_PC]);
    task_exit(task, -1);
}

static void handle_user_trap(struct task *task)
{
    u32 cause = csr_read_named(scause), value = csr_read_named(stval);
    int error;

    switch (cause) {
    case CAUSE_ECALL_U:
        handle_syscall(task);
        break;
    case CAUSE_FETCH_PAGE:
    case CAUSE_LOAD_PAGE:
    case CAUSE_STORE_PAGE:
        error = handle_mm_fault(task->mm, value, fault_of(cause));
        if (error)
            kill_task(task, cause, value,
                      error == -ENOMEM ? "out of memory"
                      : error == -EIO  ? "bus error"
                                       : "segmentation fault");
        break;
    case CAUSE_S_TIMER:
        timer_ticks++;
        csr_clear_named(sie, IP_STIP);
        break;
    default:
        kill_task(task, cause, value, "unexpected trap");
    }
    BUG_ON(kmap_local_depth() != 0); /* every pte_offset_map had its pte_unmap */
}

static struct task *next_runnable(const struct task *after)
{
    for (u32 i = 1; i <= NR_TASKS; i++) {
        struct task *t = &tasks[((u32)(after - tasks) + i) % NR_TASKS];

        if (t->state == TASK_RUNNABLE)
            return t;
    }
    return NULL;
}

s32 task_run(struct task *task)
{
    struct task *current = task;

    while (task->state != TASK_ZOMBIE || next_runnable(task)) {
        if (current->state != TASK_RUNNABLE || task_yields) {
            task_yields = false;
            current = next_runnable(current);
        }
        if (!current)
            panic("no task can run: pid %u waits for a child that does not exist", task->pid);
        if (current_mm != current->mm)
            mm_switch(current->mm);
        enter_user(&current->context);
        handle_user_trap(current);
    }
    task_free(task);
    return task->exit_code;
}
