/* The firmware's start: console, protection, device tree; then S-mode. */
#include "drivers/device.h"
#include "drivers/sysinfo.h"
#include "drivers/uart.h"
#include "lib/bootargs.h"
#include "lib/csr.h"
#include "lib/printf.h"
#include "sbi/exit.h"
#include "sbi/machine_tree.h"
#include "sbi/memory.h"

/* The simulator writes the arguments here before the first instruction, so it is not in .bss. */
char boot_command_line[BOOT_COMMAND_LINE_SIZE] __attribute__((section(".data"))) = "";

u32 device_offset; /* 0: machine mode is not translated */

extern char __payload_start[];

void enter_supervisor(const void *entry, const void *tree) __attribute__((noreturn));
void firmware_main(void) __attribute__((noreturn));

/* Everything that S-mode handles itself. Misaligned accesses are done here (misaligned.c). */
#define DELEGATED \
    (MEDELEG_ALL_BUT_ECALL_S & ~(1u << CAUSE_LOAD_MISALIGNED | 1u << CAUSE_STORE_MISALIGNED))

static void delegate(void)
{
    csr_write_named(medeleg, DELEGATED);
    csr_write_named(mideleg, IP_SSIP | IP_STIP | IP_SEIP);
    csr_write_named(mcounteren, ~0u);
    csr_write(CSR_MENVCFG, ENVCFG_CBIE_FLUSH | ENVCFG_CBCFE);
}

void firmware_main(void)
{
    uart_init();
    if (!sysinfo_present()) {
        kprintf("sbi: no system information block: this is not a Granule machine\n");
        machine_exit(EXIT_PANIC);
    }
    delegate();
    protect_firmware();

    const void *tree = machine_tree(boot_command_line);

    if (!tree) {
        kprintf("sbi: no device tree for '%s': link that of the machine (sw/sbi/payload.S)\n",
                sysinfo_name());
        machine_exit(EXIT_PANIC);
    }
    enter_supervisor(__payload_start, tree);
}
