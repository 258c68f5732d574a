/* How tasks end: before their children, and by a stack that is too small. */
#include "user/user.h"

/* The parent goes first; its child has to get its turn all the same. */
USER_CODE_SECTION void user_orphan(u32 base, u32 page_size)
{
    if (syscall3(SYS_MMAP, base, page_size, VM_DATA))
        user_exit(1);
    user_store(base, 1);
    if (syscall3(SYS_FORK, 0, 0, 0) == 0) {
        for (u32 turn = 0; turn < 3; turn++)
            syscall3(SYS_YIELD, 0, 0, 0);
        user_store(base, 2);
    }
    user_exit(0);
}

/* Stores a line below the other until something stops it. */
USER_CODE_SECTION void user_stack_overflow(void)
{
    u32 sp;

    __asm__ volatile("mv %0, sp" : "=r"(sp));
    for (;; sp -= 64)
        user_store(sp, sp);
}
