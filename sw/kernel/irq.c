#include "kernel/irq.h"
#include "drivers/plic.h"
#include "lib/csr.h"
#include "panic.h"

#define NR_IRQS 8u

static void (*handlers[NR_IRQS])(void);

void request_irq(u32 number, void (*handler)(void))
{
    BUG_ON(number == 0 || number >= NR_IRQS);
    handlers[number] = handler;
    plic_enable_for_kernel(number);
}

void do_irq(void)
{
    for (u32 number; (number = plic_kernel_claim()); plic_kernel_complete(number)) {
        BUG_ON(number >= NR_IRQS || !handlers[number]);
        handlers[number]();
    }
}

/* WFI ends at a pending interrupt though it is masked, so none is lost between test and sleep. */
void wait_event(bool (*condition)(void))
{
    assert_not_in_trap();
    csr_set_named(sie, IP_SEIP);
    while (!condition()) {
        __asm__ volatile("wfi");
        csr_set_named(sstatus, SSTATUS_SIE);
        csr_clear_named(sstatus, SSTATUS_SIE);
    }
    csr_clear_named(sie, IP_SEIP);
}
