/* Writes the constants of this boot into the kernel's instructions. In M-mode, which nothing
 * translates, and before the MMU is on: the kernel's tables map its text read-only. */
#include "boot/boot.h"
#include "drivers/cache.h"
#include "lib/printf.h"
#include "lib/runtime_const.h"
#include "mm/page_size.h"
#include "panic.h"

#ifdef GRANULE_FIXED_SHIFT

void patch_text(void)
{
}

#else

extern u32 *const __start_runtime_sites[], *const __stop_runtime_sites[];

void patch_text(void)
{
    for (u32 *const *site = __start_runtime_sites; site < __stop_runtime_sites; site++)
        if (!runtime_const_patch(*site, runtime_values, NR_RUNTIME_CONSTS))
            panic("the instruction 0x%08x at %p cannot be patched", **site, (void *)*site);
    flush_icache();
}

#endif
