/* What happens in M-mode: the preparation of the kernel, and the few traps that stay there. */
#include "boot/boot.h"
#include "console/input.h"
#include "drivers/cache.h"
#include "drivers/device.h"
#include "drivers/mmu.h"
#include "drivers/plic.h"
#include "drivers/sysinfo.h"
#include "drivers/timer.h"
#include "drivers/uart.h"
#include "kernel/exit.h"
#include "kernel/trap.h"
#include "lib/bootargs.h"
#include "lib/csr.h"
#include "lib/printf.h"
#include "lib/regs.h"
#include "lib/string.h"
#include "mm/paging.h"
#include "panic.h"

/* The simulator writes the arguments here before the first instruction, so it is not in .bss. */
char boot_command_line[BOOT_COMMAND_LINE_SIZE] __attribute__((section(".data"))) = "";
char saved_command_line[BOOT_COMMAND_LINE_SIZE];

u32 device_offset;
unsigned machine_restarts KEPT;

static void parse_arguments(void)
{
    static char scratch[BOOT_COMMAND_LINE_SIZE];

    boot_command_line[BOOT_COMMAND_LINE_SIZE - 1] = 0;
    memcpy(saved_command_line, boot_command_line, BOOT_COMMAND_LINE_SIZE);
    memcpy(scratch, boot_command_line, BOOT_COMMAND_LINE_SIZE);
    if (parse_early_params(scratch)) {
        kprintf("boot arguments '%s' are refused: nothing was run\n", saved_command_line);
        machine_exit(EXIT_FAILED);
    }
}

/* Builds the kernel's address space and switches the MMU on. M-mode itself stays untranslated, so
 * nothing changes under our feet; the start code goes on in S-mode. */
void machine_main(void)
{
    uart_init();
    if (!machine_restarts)
        kprintf("Granule firmware\n");
    if (!sysinfo_present())
        panic("no system information block: this is not a Granule machine");
    parse_arguments();
    csr_write(CSR_MENVCFG, ENVCFG_CBIE_FLUSH | ENVCFG_CBCFE);
    csr_write(CSR_SENVCFG, 0); /* no task needs them */
    geometry_choose();
    if (!machine_restarts) /* else they are there */
        patch_text();
    paging_init();
    if (ENTRY_WIDE)
        mmu_use_wide_entries(PIR_VALUE, PIRE0_VALUE);
    mmu_enable(&user_geometry, &kernel_geometry, (paddr_t)(uintptr_t)kernel_root, MAIR_VALUE);
    ro_after_init_at_boot = ro_after_init_digest();
    plic_init();
    device_offset = DEVICE_OFFSET;
    csr_set_named(mie, IP_MEIP); /* the console's; quiet unless it asks */
}

void machine_trap(struct regs *regs)
{
    u32 kernel_offset = device_offset;
    u32 cause = csr_read_named(mcause);

    device_offset = 0;
    if (cause == CAUSE_M_TIMER) {
        csr_clear_named(mie, IP_MTIP);
        csr_set_named(mip, IP_STIP);
    } else if (cause == CAUSE_M_EXTERNAL) {
        u32 number = plic_claim();
        bool stop = input_interrupt();

        plic_complete(number);
        if (stop) {
            machine_restarts++;
            cache_flush_data();
            machine_restart();
        }
    } else if (cause == CAUSE_ECALL_S) {
        timer_machine_alarm(regs->x[REG_A0] | (u64)regs->x[REG_A0 + 1] << 32);
        regs->x[REG_PC] += 4;
    } else {
        trap_record('M', cause, regs->x[REG_PC], csr_read_named(mtval));
        panic("trap in machine mode: %s", trap_cause_name(cause));
    }
    device_offset = kernel_offset;
}
