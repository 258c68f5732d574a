/* Interrupt controller (RISC-V PLIC): the serial port's interrupt goes to M-mode, those that the
 * kernel enables to S-mode. The kernel maps it where there is a device that interrupts it. */
#ifndef DRIVERS_PLIC_H
#define DRIVERS_PLIC_H

#include "types.h"

void plic_init(void);
u32 plic_claim(void); /* number of the interrupt to serve, 0: none */
void plic_complete(u32 number);

void plic_enable_for_kernel(u32 number);
u32 plic_kernel_claim(void);
void plic_kernel_complete(u32 number);

#endif
