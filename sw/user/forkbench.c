/* What document 003 measures: fork and munmap of memory that has been written, and work that needs
 * no kernel. */
#include "user/user.h"

USER_INLINE void mark(u32 number)
{
    syscall3(SYS_MARK, number, 0, 0);
}

USER_INLINE void write_touch(u32 base, u32 bytes, u32 page_size)
{
    for (u32 at = base; at < base + bytes; at += page_size)
        user_store(at, at);
}

/* The child ends at once; the parent runs on until it waits. */
USER_INLINE void measured_fork(u32 stage)
{
    mark(STAGE_BEGIN(stage));
    if (syscall3(SYS_FORK, 0, 0, 0) == 0)
        user_exit(0);
    mark(STAGE_END(stage));
    syscall3(SYS_WAIT, 0, 0, 0);
}

USER_INLINE void measured_munmap(u32 stage, u32 base, u32 bytes)
{
    mark(STAGE_BEGIN(stage));
    syscall3(SYS_MUNMAP, base, bytes, 0);
    mark(STAGE_END(stage));
}

USER_CODE_SECTION void user_forkbench(u32 base, u32 bytes, u32 page_size, u32 warm)
{
    if (!warm) {
        syscall3(SYS_MMAP, base, page_size, VM_DATA);
        write_touch(base, page_size, page_size);
        measured_fork(STAGE_FORK);
        measured_munmap(STAGE_MUNMAP, base, page_size);
    }
    syscall3(SYS_MMAP, base, bytes, VM_DATA);
    write_touch(base, bytes, page_size);
    mark(STAGE_BEGIN(STAGE_NOTHING));
    mark(STAGE_END(STAGE_NOTHING));
    measured_fork(STAGE_FORK);
    measured_fork(STAGE_FORK_AGAIN);
    measured_munmap(STAGE_MUNMAP, base, bytes);
    user_exit(0);
}

/* Arithmetic, and a walk through a buffer that is there: the user's side of a machine. */
USER_CODE_SECTION void user_compute(u32 base, u32 bytes, u32 page_size, u32 passes)
{
    u32 sum = 1;

    write_touch(base, bytes, page_size);
    mark(STAGE_BEGIN(STAGE_COMPUTE));
    while (passes--)
        for (u32 at = base; at < base + bytes; at += 64) {
            sum = sum * 1664525u + user_load(at);
            user_store(at + 4, sum);
        }
    mark(STAGE_END(STAGE_COMPUTE));
    user_exit(0);
}
