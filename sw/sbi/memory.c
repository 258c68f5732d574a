#include "sbi/memory.h"
#include "drivers/sysinfo.h"
#include "granule_map.h"
#include "lib/csr.h"
#include "sbi/supervisor.h"

bool supervisor_memory(paddr_t start, u32 length)
{
    paddr_t end = (paddr_t)GRANULE_LOWMEM_BASE + sysinfo_lowmem_bytes();

    return start >= (uintptr_t)__firmware_end && start <= end && length <= end - start;
}

/* Entry 0: the firmware, nothing allowed; entry 1: all addresses, everything. Neither is locked, so
 * both are for S and U alone (privileged ISA 3.7). */
void protect_firmware(void)
{
    u32 start = (u32)(uintptr_t)__firmware_start;
    u32 size = (u32)(uintptr_t)__firmware_end - start; /* a power of two, start is aligned to it */

    if (!pmp_exists())
        return;
    csr_write_named(pmpaddr0, start >> 2 | (size / 8 - 1));
    csr_write_named(pmpaddr1, ~0u);
    csr_write_named(pmpcfg0, PMP_NAPOT | (PMP_NAPOT | PMP_RWX) << 8);
    __asm__ volatile("sfence.vma" ::: "memory");
}
