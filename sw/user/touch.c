/* Words of a buffer in the order of a linear congruential generator: all of them one after the
 * other, some at random, or a few far apart. */
#include "user/user.h"

USER_CODE_SECTION void user_touch(u32 base, u32 mask, u32 count, u32 factor, u32 step, u32 key,
                                  u32 write)
{
    u32 at = 0, wrong = 0;

    for (; count; count--) {
        at = at * factor + step;
        u32 address = base + (at & mask);

        if (write)
            user_store(address, address ^ key);
        else
            wrong += user_load(address) != (key ? address ^ key : 0);
    }
    user_exit((s32)wrong);
}
