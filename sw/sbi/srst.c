/* System reset (SBI 2.0, chapter 10). */
#include "sbi/exit.h"
#include "sbi/sbi.h"

enum { SYSTEM_RESET };
enum { SHUTDOWN, COLD_REBOOT, WARM_REBOOT, NO_REASON = 0, SYSTEM_FAILURE };

struct sbi_ret sbi_srst(u32 function, const u32 *args)
{
    u32 type = args[0], reason = args[1];

    if (function != SYSTEM_RESET)
        return sbi_error(SBI_NOT_SUPPORTED);
    if (type > WARM_REBOOT || reason > SYSTEM_FAILURE)
        return sbi_error(SBI_INVALID_PARAM);
    if (type != SHUTDOWN)
        machine_reset();
    machine_exit(reason == NO_REASON ? EXIT_OK : EXIT_FAILED);
}
