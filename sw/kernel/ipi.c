#include "kernel/ipi.h"
#include "lib/csr.h"
#include "panic.h"

static void (*volatile pending)(void);

void ipi_send(void (*handler)(void))
{
    assert_not_in_trap();
    BUG_ON(pending);
    pending = handler;
    csr_set_named(sip, IP_SSIP);
}

void do_ipi(void)
{
    csr_clear_named(sip, IP_SSIP);
    pending();
    pending = NULL;
}

/* With the other sources off, nothing but this interrupt comes between. */
void ipi_wait(void)
{
    csr_set_named(sie, IP_SSIP);
    csr_set_named(sstatus, SSTATUS_SIE);
    while (pending)
        ;
    csr_clear_named(sstatus, SSTATUS_SIE);
    csr_clear_named(sie, IP_SSIP);
}
