/* Exercises of the system calls, from the user's side. */
#include "errno.h"
#include "user/user.h"

#define CHECK(number, condition) \
    do {                         \
        if (!(condition))        \
            user_exit(number);   \
    } while (0)

USER_CODE_SECTION void user_smoke(u32 base, u32 page_size)
{
    u32 length = 4 * page_size, other = base + 16 * page_size;
    s32 child, status = -1;

    CHECK(1, syscall3(SYS_MMAP, base, length, VM_DATA) == 0);
    CHECK(2, syscall3(SYS_MMAP, base, length, VM_DATA) == -EEXIST);
    CHECK(20, syscall3(SYS_MMAP, other, length, VM_WRITE | VM_EXEC) == -EINVAL);
    CHECK(3, syscall3(SYS_MMAP, 0, length, VM_DATA) == -EINVAL);
    for (u32 at = base; at < base + length; at += page_size)
        CHECK(4, user_load(at) == 0 && user_load(at + page_size - 4) == 0);
    user_store(base, 17);
    CHECK(5, user_load(base) == 17 && user_load(base + page_size) == 0);

    child = syscall3(SYS_FORK, 0, 0, 0);
    CHECK(6, child >= 0);
    if (child == 0) { /* the child's stores are its own */
        CHECK(7, user_load(base) == 17);
        user_store(base, 18);
        user_store(base + page_size, 19);
        CHECK(8, user_load(base) == 18);
        user_exit(0);
    }
    user_store(base, 16); /* before the child runs: its page must not change */
    CHECK(9, syscall3(SYS_WAIT, (u32)(uintptr_t)&status, 0, 0) == child);
    if (status)
        user_exit(status); /* the number of the child's check */
    CHECK(10, syscall3(SYS_WAIT, 0, 0, 0) == -ECHILD);
    CHECK(11, user_load(base) == 16 && user_load(base + page_size) == 0);
    user_store(base, 20); /* nobody shares the page any more */
    CHECK(12, user_load(base) == 20);

    CHECK(21, syscall3(SYS_MPROTECT, base, 2 * page_size, VM_WRITE | VM_EXEC) == -EINVAL);
    CHECK(22, syscall3(SYS_MPROTECT, base, length + page_size, VM_READ) == -ENOMEM);
    CHECK(23, syscall3(SYS_MPROTECT, base, length, VM_READ) == 0);
    CHECK(24, user_load(base) == 20 && user_load(base + 2 * page_size) == 0);
    CHECK(25, syscall3(SYS_MPROTECT, base, length, VM_DATA) == 0);
    user_store(base, 19);
    user_store(base, user_load(base) + 1);

    CHECK(13, syscall3(SYS_MREMAP, base, length, other) == 0);
    CHECK(14, user_load(other) == 20 && user_load(other + page_size) == 0);
    CHECK(15, syscall3(SYS_MUNMAP, other + page_size, page_size, 0) == 0);
    CHECK(16, syscall3(SYS_MUNMAP, other, length, 0) == 0);
    CHECK(17, syscall3(SYS_REPORT, 0x80000000u, 1, 0) == -EFAULT);
    CHECK(18, syscall3(99, 0, 0, 0) == -ENOSYS);
    CHECK(19, syscall3(SYS_YIELD, 0, 0, 0) == 0);
    user_exit(0);
}
