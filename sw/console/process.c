#include "console/process.h"
#include "errno.h"
#include "fs/block_store.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/printf.h"
#include "mm/inode.h"
#include "panic.h"
#include "user/user.h"

#define STORE_ORDER 4 /* blocks of storage for the file */

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
                    : v->vm_file               ? "file, of which nothing was written at first"
                    : v->end == USER_STACK_TOP ? "stack"
                                               : "");
}

/* A file that is one hole, mapped for all to see. */
static int map_file(struct mm *mm)
{
    struct inode *file = new_inode("hole", FILE_PAGES * PAGE_SIZE);

    if (!file)
        return -ENOMEM;
    int error = mm_map_file(mm, FILE_BASE, FILE_PAGES * PAGE_SIZE, VM_DATA | VM_SHARED, file, 0);

    iput(file); /* the mapping keeps it */
    return error;
}

/* A task brings code and stack along; only its address space is kept. */
static struct mm *new_task_mm(void)
{
    struct task *task = task_create((void (*)(void))user_smoke, 0, NULL);
    struct mm *mm = task ? task->mm : NULL;

    if (task) {
        task->mm = NULL;
        task_free(task);
    }
    return mm;
}

/* One page of the heap is the process's own, one was read. */
static bool fill(struct mm *mm)
{
    u32 zero;

    mm_switch(mm);
    return !mm_map(mm, USER_DATA, HEAP_PAGES * PAGE_SIZE, VM_DATA) && !put_user(1, USER_DATA) &&
           !get_user(&zero, USER_DATA + PAGE_SIZE) && !map_file(mm);
}

static struct mm *create(void)
{
    if (!block_store_open(STORE_ORDER))
        return NULL;
    struct mm *mm = new_task_mm();

    if (mm && fill(mm))
        return mm;
    if (mm)
        mmput(mm);
    block_store_close();
    return NULL;
}

struct mm *process_mm(void)
{
    if (!process)
        process = create();
    if (process)
        mm_switch(process);
    else
        panic("no memory for a process to look at; give more lowmem, as in --lowmem 16M");
    return process;
}

void process_end(void)
{
    if (process) {
        mmput(process);
        block_store_close();
    }
    process = NULL;
}
