#include "console/process.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/printf.h"
#include "user/user.h"

static struct mm *process;

static const char *area_rights(const struct vma *v)
{
    return v->flags & VM_EXEC ? "r-x" : v->flags & VM_WRITE ? "rw-" : "r--";
}

void print_areas(const struct mm *mm)
{
    kprintf("areas of the process:\n");
    for (const struct vma *v = mm->vmas; v < mm->vmas + NR_VMAS; v++)
        if (v->flags)
            kprintf("  0x%08x to 0x%08x %s %s\n", v->start, v->end - 1, area_rights(v),
                    v->start == USER_DATA      ? "heap"
                    : v->flags & VM_EXEC       ? "code"
                    : v->end == USER_STACK_TOP ? "stack"
                                               : "");
}

/* A task brings code and stack along; only its address space is kept. */
static struct mm *create(void)
{
    struct task *task = task_create((void (*)(void))user_smoke, 0, NULL);
    struct mm *mm = task ? task->mm : NULL;

    if (!mm)
        return NULL;
    task->mm = NULL;
    task_free(task);
    mm_switch(mm);
    u32 zero;

    if (mm_map(mm, USER_DATA, HEAP_PAGES * PAGE_SIZE, VM_DATA) || put_user(1, USER_DATA) ||
        get_user(&zero, USER_DATA + PAGE_SIZE)) {
        mm_free(mm);
        return NULL;
    }
    return mm;
}

struct mm *process_mm(void)
{
    if (!process)
        process = create();
    if (process)
        mm_switch(process);
    else
        kprintf("no memory for a process; start with more, as in --lowmem 16M\n");
    return process;
}

void process_end(void)
{
    if (process)
        mm_free(process);
    process = NULL;
}
