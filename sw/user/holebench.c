/* Experiment of document 004: reads one word of each page of a file, in order. */
#include "user/user.h"

USER_CODE_SECTION void user_holebench(u32 base, u32 page_size, u32 pages)
{
    u32 seen = 0;

    syscall3(SYS_MARK, MARK_BEGIN, 0, 0);
    for (u32 at = base; pages--; at += page_size)
        seen |= user_load(at);
    syscall3(SYS_MARK, MARK_END, 0, 0);
    user_exit(seen != 0);
}
