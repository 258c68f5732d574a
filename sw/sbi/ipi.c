/* Inter-processor interrupts (SBI 2.0, chapter 7); the only hart may send one to itself. */
#include "lib/csr.h"
#include "sbi/sbi.h"

enum { SEND_IPI };

struct sbi_ret sbi_ipi(u32 function, const u32 *args)
{
    if (function != SEND_IPI)
        return sbi_error(SBI_NOT_SUPPORTED);
    if (!sbi_harts_exist(args[0], args[1]))
        return sbi_error(SBI_INVALID_PARAM);
    if (sbi_harts_have_us(args[0], args[1]))
        csr_set_named(mip, IP_SSIP);
    return sbi_value(0);
}
