/* Timer extension (SBI 2.0, chapter 6): STIP rises when time reaches a value. */
#include "drivers/timer.h"
#include "sbi/sbi.h"

enum { SET_TIMER };

struct sbi_ret sbi_time(u32 function, const u32 *args)
{
    if (function != SET_TIMER)
        return sbi_error(SBI_NOT_SUPPORTED);
    timer_machine_alarm(args[0] | (u64)args[1] << 32);
    return sbi_value(0);
}
