/* Machine mode of QEMU's riscv32 `virt` machine, as little of it as Linux on one hart needs: Debian
 * has no OpenSBI of 32 bits. Timer, console and power-off (SBI 2.0: BASE, TIME, SRST, and the
 * legacy console); everything else is S-mode's. Addresses are those of QEMU's hw/riscv/virt.c.
 *
 * With sw/sbi it shares the numbers of the specifications: what the two machines have in common is
 * the kernel.
 */
#include "sbi/sbi.h"
#include "lib/csr.h"

#define UART_DATA   (*(volatile u8 *)0x10000000)
#define UART_LSR    (*(volatile u8 *)0x10000005)
#define UART_FULL   0x01
#define UART_EMPTY  0x20
#define MTIMECMP    ((volatile u32 *)0x02004000)
#define FINISHER    (*(volatile u32 *)0x00100000)
#define FINISH_OFF  0x5555
#define FINISH_BOOT 0x7777

#define IP_S 0x00000222

enum { A0 = 10, A1 = 11, A6 = 16, A7 = 17 };
enum { PUTCHAR = 1, GETCHAR = 2 }; /* legacy calls */

/* What QEMU leaves in memory for a firmware (include/hw/riscv/boot_opensbi.h). */
struct firmware_info {
    u32 magic, version, next_address, next_mode, options;
};

u32 machine_setup(const struct firmware_info *info);
void machine_trap(u32 *regs);

u32 machine_setup(const struct firmware_info *info)
{
    csr_write_named(pmpaddr0, ~0u);
    csr_write_named(pmpcfg0, PMP_NAPOT | PMP_RWX);
    csr_write_named(medeleg, MEDELEG_ALL_BUT_ECALL_S);
    csr_write_named(mideleg, IP_S);
    csr_write_named(mcounteren, ~0u);
    csr_write_named(mie, 0);
    csr_clear_named(mstatus, MSTATUS_MPP_MASK);
    csr_set_named(mstatus, MSTATUS_MPP_S);
    return info->next_address;
}

/* A comparison value in two halves must not pass through an earlier time. */
static void set_timer(u32 low, u32 high)
{
    MTIMECMP[1] = ~0u;
    MTIMECMP[0] = low;
    MTIMECMP[1] = high;
    csr_clear_named(mip, IP_STIP);
    csr_set_named(mie, IP_MTIP);
}

static void put(u8 character)
{
    while (!(UART_LSR & UART_EMPTY))
        ;
    UART_DATA = character;
}

static u32 base(u32 function, u32 extension)
{
    switch (function) {
    case 0: /* version 2.0 */
        return 2u << 24;
    case 3: /* is there this extension? */
        return extension == SBI_EXT_BASE || extension == SBI_EXT_TIME ||
               extension == SBI_EXT_SRST || extension == PUTCHAR || extension == GETCHAR;
    default: /* implementation, vendor, architecture: nobody's */
        return 0;
    }
}

static void call(u32 *regs)
{
    u32 error = SBI_SUCCESS, value = 0;

    switch (regs[A7]) {
    case PUTCHAR:
        put((u8)regs[A0]);
        break;
    case GETCHAR: /* the legacy call answers in a0 alone */
        regs[A0] = UART_LSR & UART_FULL ? UART_DATA : ~0u;
        return;
    case SBI_EXT_BASE:
        value = base(regs[A6], regs[A0]);
        break;
    case SBI_EXT_TIME:
        set_timer(regs[A0], regs[A1]);
        break;
    case SBI_EXT_SRST:
        FINISHER = regs[A0] == 0 ? FINISH_OFF : FINISH_BOOT;
        break;
    default:
        error = (u32)SBI_NOT_SUPPORTED;
    }
    regs[A0] = error;
    regs[A1] = value;
}

void machine_trap(u32 *regs)
{
    const u32 cause = csr_read_named(mcause);

    if (cause == CAUSE_M_TIMER) {
        csr_clear_named(mie, IP_MTIP);
        csr_set_named(mip, IP_STIP);
    } else if (cause == CAUSE_ECALL_S) {
        csr_write_named(mepc, csr_read_named(mepc) + 4);
        call(regs);
    } else { /* nothing else comes here: what does is printed and ends the machine */
        for (const char *c = "sbi: unexpected trap\n"; *c; c++)
            put((u8)*c);
        FINISHER = 1u << 16 | 0x3333;
    }
}
