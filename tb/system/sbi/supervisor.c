#include "supervisor.h"
#include "drivers/uart.h"

volatile typeof(seen) seen;

static u32 failures;

struct sbi_ret call6(u32 extension, u32 function, const u32 args[6])
{
    register u32 a0 __asm__("a0") = args[0];
    register u32 a1 __asm__("a1") = args[1];
    register u32 a2 __asm__("a2") = args[2];
    register u32 a3 __asm__("a3") = args[3];
    register u32 a4 __asm__("a4") = args[4];
    register u32 a5 __asm__("a5") = args[5];
    register u32 a6 __asm__("a6") = function;
    register u32 a7 __asm__("a7") = extension;

    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1)
                     : "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6), "r"(a7)
                     : "memory");
    return (struct sbi_ret){(s32)a0, a1};
}

/* Under kprintf, in place of the driver of the port. */
void uart_putc(char c)
{
    SBI(SBI_EXT_DBCN, 2, (u8)c);
}

void expect(const char *file, int line, const char *what, u32 got, u32 want)
{
    if (got == want)
        return;
    failures++;
    kprintf("%s:%d: %s is 0x%x, not 0x%x\n", file, line, what, got, want);
}

void end(void)
{
    kprintf("done, %u failures\n", failures);
    SBI(SBI_EXT_SRST, 0, 0, failures ? 1 : 0);
    kprintf("still here after the shutdown\n");
    for (;;)
        ;
}
