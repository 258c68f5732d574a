/* Machine mode of QEMU's riscv32 `virt` machine, as little of it as Linux on one hart needs: Debian
 * has no OpenSBI of 32 bits. Timer, console and power-off (SBI 2.0: BASE, TIME, SRST, and the
 * legacy console); everything else is S-mode's. Addresses are those of QEMU's hw/riscv/virt.c.
 *
 * It shares nothing with sw/sbi: what the two machines have in common is the kernel.
 */
#include <stdint.h>

#define UART_DATA   (*(volatile uint8_t *)0x10000000)
#define UART_LSR    (*(volatile uint8_t *)0x10000005)
#define UART_FULL   0x01
#define UART_EMPTY  0x20
#define MTIMECMP    ((volatile uint32_t *)0x02004000)
#define FINISHER    (*(volatile uint32_t *)0x00100000)
#define FINISH_OFF  0x5555
#define FINISH_BOOT 0x7777

#define CSR_WRITE(name, value) __asm__ volatile("csrw " #name ", %0" : : "r"(value))
#define CSR_SET(name, value)   __asm__ volatile("csrs " #name ", %0" : : "r"(value))
#define CSR_CLEAR(name, value) __asm__ volatile("csrc " #name ", %0" : : "r"(value))
#define CSR_READ(name)                                      \
    ({                                                      \
        uint32_t value_;                                    \
        __asm__ volatile("csrr %0, " #name : "=r"(value_)); \
        value_;                                             \
    })

#define MSTATUS_MPP_S 0x00000800
#define MSTATUS_MPP   0x00001800
#define IP_STIP       0x00000020
#define IP_MTIP       0x00000080
#define IP_S          0x00000222
#define CAUSE_TIMER   0x80000007
#define CAUSE_ECALL_S 9
#define DELEGATED     0x0000b1ff /* all but calls of S-mode and M-mode */
#define PMP_ALL       0x1f       /* NAPOT, read, write, execute */

enum { A0 = 10, A1 = 11, A6 = 16, A7 = 17 };

enum { PUTCHAR = 1, GETCHAR = 2, BASE = 0x10, TIME = 0x54494d45, SRST = 0x53525354 };
enum { SBI_SUCCESS = 0, SBI_NOT_SUPPORTED = -2 };

/* What QEMU leaves in memory for a firmware (include/hw/riscv/boot_opensbi.h). */
struct firmware_info {
    uint32_t magic, version, next_address, next_mode, options;
};

uint32_t machine_setup(const struct firmware_info *info);
void machine_trap(uint32_t *regs);

uint32_t machine_setup(const struct firmware_info *info)
{
    CSR_WRITE(pmpaddr0, ~0u);
    CSR_WRITE(pmpcfg0, PMP_ALL);
    CSR_WRITE(medeleg, DELEGATED);
    CSR_WRITE(mideleg, IP_S);
    CSR_WRITE(mcounteren, ~0u);
    CSR_WRITE(mie, 0);
    CSR_CLEAR(mstatus, MSTATUS_MPP);
    CSR_SET(mstatus, MSTATUS_MPP_S);
    return info->next_address;
}

/* A comparison value in two halves must not pass through an earlier time. */
static void set_timer(uint32_t low, uint32_t high)
{
    MTIMECMP[1] = ~0u;
    MTIMECMP[0] = low;
    MTIMECMP[1] = high;
    CSR_CLEAR(mip, IP_STIP);
    CSR_SET(mie, IP_MTIP);
}

static void put(uint8_t character)
{
    while (!(UART_LSR & UART_EMPTY))
        ;
    UART_DATA = character;
}

static uint32_t base(uint32_t function, uint32_t extension)
{
    switch (function) {
    case 0: /* version 2.0 */
        return 2u << 24;
    case 3: /* is there this extension? */
        return extension == BASE || extension == TIME || extension == SRST ||
               extension == PUTCHAR || extension == GETCHAR;
    default: /* implementation, vendor, architecture: nobody's */
        return 0;
    }
}

static void call(uint32_t *regs)
{
    uint32_t error = SBI_SUCCESS, value = 0;

    switch (regs[A7]) {
    case PUTCHAR:
        put((uint8_t)regs[A0]);
        break;
    case GETCHAR: /* the legacy call answers in a0 alone */
        regs[A0] = UART_LSR & UART_FULL ? UART_DATA : ~0u;
        return;
    case BASE:
        value = base(regs[A6], regs[A0]);
        break;
    case TIME:
        set_timer(regs[A0], regs[A1]);
        break;
    case SRST:
        FINISHER = regs[A0] == 0 ? FINISH_OFF : FINISH_BOOT;
        break;
    default:
        error = (uint32_t)SBI_NOT_SUPPORTED;
    }
    regs[A0] = error;
    regs[A1] = value;
}

void machine_trap(uint32_t *regs)
{
    const uint32_t cause = CSR_READ(mcause);

    if (cause == CAUSE_TIMER) {
        CSR_CLEAR(mie, IP_MTIP);
        CSR_SET(mip, IP_STIP);
    } else if (cause == CAUSE_ECALL_S) {
        CSR_WRITE(mepc, CSR_READ(mepc) + 4);
        call(regs);
    } else { /* nothing else comes here: what does is printed and ends the machine */
        for (const char *c = "sbi: unexpected trap\n"; *c; c++)
            put((uint8_t)*c);
        FINISHER = 1u << 16 | 0x3333;
    }
}
