/* Hart state management (SBI 2.0, chapter 9) of one hart, which is started and stays so. */
#include "sbi/sbi.h"

enum { HART_START, HART_STOP, HART_GET_STATUS, HART_SUSPEND };
enum { STARTED };

#define SUSPEND_RETENTIVE       0x00000000u
#define SUSPEND_PLATFORM        0x10000000u /* and above: of a platform, none here */
#define SUSPEND_RETENTIVE_LAST  0x7fffffffu
#define SUSPEND_NON_RETENTIVE   0x80000000u
#define SUSPEND_PLATFORM_NO_RET 0x90000000u

static struct sbi_ret suspend(u32 type)
{
    if (type == SUSPEND_RETENTIVE) {
        __asm__ volatile("wfi" ::: "memory"); /* S-mode's interrupts are enough to end it */
        return sbi_value(0);
    }
    if ((type >= SUSPEND_PLATFORM && type <= SUSPEND_RETENTIVE_LAST) ||
        type == SUSPEND_NON_RETENTIVE || type >= SUSPEND_PLATFORM_NO_RET)
        return sbi_error(SBI_NOT_SUPPORTED);
    return sbi_error(SBI_INVALID_PARAM); /* reserved */
}

struct sbi_ret sbi_hsm(u32 function, const u32 *args)
{
    switch (function) {
    case HART_START:
        return sbi_error(args[0] == 0 ? SBI_ALREADY_AVAILABLE : SBI_INVALID_PARAM);
    case HART_STOP:
        return sbi_error(SBI_FAILED); /* nobody could start it again */
    case HART_GET_STATUS:
        return args[0] == 0 ? sbi_value(STARTED) : sbi_error(SBI_INVALID_PARAM);
    case HART_SUSPEND:
        return suspend(args[0]);
    }
    return sbi_error(SBI_NOT_SUPPORTED);
}
