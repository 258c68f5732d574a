#include "kernel/uaccess.h"
#include "errno.h"
#include "lib/csr.h"
#include "mm/mm.h"

u32 copy_bytes(u32 left, void *to, const void *from);

static bool in_user_half(vaddr_t start, u32 bytes)
{
    return start < TASK_SIZE && bytes <= TASK_SIZE - start;
}

static u32 copy_with_sum(void *to, const void *from, u32 bytes)
{
    csr_set_named(sstatus, SSTATUS_SUM);
    u32 left = copy_bytes(bytes, to, from);

    csr_clear_named(sstatus, SSTATUS_SUM);
    return left;
}

int copy_from_user(void *to, vaddr_t from, u32 bytes)
{
    if (!in_user_half(from, bytes) || copy_with_sum(to, (const void *)(uintptr_t)from, bytes))
        return -EFAULT;
    return 0;
}

int copy_to_user(vaddr_t to, const void *from, u32 bytes)
{
    if (!in_user_half(to, bytes) || copy_with_sum((void *)(uintptr_t)to, from, bytes))
        return -EFAULT;
    return 0;
}

int get_user(u32 *value, vaddr_t from)
{
    return copy_from_user(value, from, sizeof *value);
}

int put_user(u32 value, vaddr_t to)
{
    return copy_to_user(to, &value, sizeof value);
}
