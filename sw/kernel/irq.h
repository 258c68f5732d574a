/* Interrupts of devices, by their number at the PLIC. They come while the kernel waits for one and
 * at no other time, so that nothing of the kernel is interrupted and needs a lock. */
#ifndef KERNEL_IRQ_H
#define KERNEL_IRQ_H

#include "types.h"

void request_irq(u32 number, void (*handler)(void));
/* Sleeps until `condition` holds; each interrupt is served first. */
void wait_event(bool (*condition)(void));
/* Of a trap: serves all that are pending. */
void do_irq(void);

#endif
