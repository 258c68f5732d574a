#include "drivers/cache.h"
#include "errno.h"
#include "kernel/syscalls.h"
#include "kernel/task.h"
#include "kernel/uaccess.h"
#include "lib/printf.h"

#define ECALL_BYTES 4
#define WRITE_MAX   256u

static s32 sys_write(vaddr_t text, u32 length)
{
    char buffer[WRITE_MAX];

    if (length > WRITE_MAX)
        return -EINVAL;
    if (copy_from_user(buffer, text, length))
        return -EFAULT;
    console_write(buffer, length);
    return (s32)length;
}

static s32 sys_fork(struct task *task)
{
    struct task *child = task_fork(task);

    return child ? (s32)child->pid : -ENOMEM;
}

/* While the children live, the caller sleeps and then makes the call again. */
static s32 sys_wait(struct task *task, vaddr_t status)
{
    struct task *child = task_child(task, true);

    if (child) {
        s32 pid = (s32)child->pid;

        if (status && put_user((u32)child->exit_code, status))
            return -EFAULT;
        task_free(child);
        return pid;
    }
    if (!task_child(task, false))
        return -ECHILD;
    task->state = TASK_WAITING;
    return -EAGAIN;
}

static s32 sys_report(vaddr_t words, u32 count)
{
    if (count > REPORT_WORDS)
        return -EINVAL;
    return copy_from_user(task_report, words, count * sizeof(u32));
}

void handle_syscall(struct task *task)
{
    u32 *x = task->context.regs.x;
    u32 a0 = x[REG_A0], a1 = x[REG_A0 + 1], a2 = x[REG_A0 + 2];
    s32 result = 0;

    x[REG_PC] += ECALL_BYTES;
    switch (x[REG_A7]) {
    case SYS_EXIT:
        task_exit(task, (s32)a0);
        return;
    case SYS_WRITE:
        result = sys_write(a0, a1);
        break;
    case SYS_FORK:
        result = sys_fork(task);
        break;
    case SYS_WAIT:
        result = sys_wait(task, a0);
        if (result == -EAGAIN) {
            x[REG_PC] -= ECALL_BYTES;
            return;
        }
        break;
    case SYS_MMAP:
        result = mm_map(task->mm, a0, a1, a2);
        break;
    case SYS_MUNMAP:
        result = mm_unmap(task->mm, a0, a1);
        break;
    case SYS_MREMAP:
        result = mm_move(task->mm, a0, a1, a2);
        break;
    case SYS_MPROTECT:
        result = mm_protect(task->mm, a0, a1, a2);
        break;
    case SYS_YIELD:
        task_yields = true;
        break;
    case SYS_GETPID:
        result = (s32)task->pid;
        break;
    case SYS_REPORT:
        result = sys_report(a0, a1);
        break;
    case SYS_MARK:
        if (task_mark_hook)
            task_mark_hook(a0);
        break;
    case SYS_FLUSH:
        cache_flush_data();
        break;
    default:
        result = -ENOSYS;
    }
    x[REG_A0] = (u32)result;
}
