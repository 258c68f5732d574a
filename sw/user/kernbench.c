/* Mini kernbench of document 000: what a compile job does to its page tables, over and over. */
#include "user/user.h"

#define PLACE_STEP 192u /* three lines */

/* User time: arithmetic in registers. Returns a value, so that it is not optimised away. */
USER_INLINE u32 compute_for(u32 loops, u32 value)
{
    while (loops--) {
        value = value * 1664525u + 1013904223u;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

/* The first `writes` pages of a group are written, the others read, each at a place of its own, so
 * that the lines do not all fall into one set of the cache. */
USER_INLINE void touch_group(u32 group, u32 pages, u32 writes, u32 page_size, u32 value)
{
    for (u32 i = 0; i < pages; i++) {
        u32 address = group + i * page_size + (i * PLACE_STEP & (page_size - 1));

        if (i < writes)
            user_store(address, value);
        else
            user_load(address);
    }
}

USER_CODE_SECTION void user_kernbench(u32 base, u32 stride, u32 tables, u32 pages, u32 writes,
                                      u32 page_size, u32 rounds, u32 compute)
{
    u32 value = 1;

    for (u32 t = 0; t < tables; t++)
        touch_group(base + t * stride, pages, writes, page_size, t);
    syscall3(SYS_MARK, MARK_BEGIN, 0, 0);
    while (rounds--) {
        if (syscall3(SYS_FORK, 0, 0, 0) == 0) {
            for (u32 t = 0; t < tables; t++) /* copy on write, one page of each table */
                user_store(base + t * stride, value);
            compute_for(compute / 2, value);
            user_exit(0);
        }
        value = compute_for(compute / 2, value);
        syscall3(SYS_WAIT, 0, 0, 0);
        /* Every other group goes and comes back, as buffers of a program do. */
        for (u32 t = 1; t < tables; t += 2) {
            u32 group = base + t * stride;

            syscall3(SYS_MUNMAP, group, pages * page_size, 0);
            syscall3(SYS_MMAP, group, pages * page_size, VM_DATA);
            touch_group(group, pages, writes, page_size, value);
        }
    }
    syscall3(SYS_MARK, MARK_END, 0, 0);
    user_exit(0);
}
