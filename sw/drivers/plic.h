/* Interrupt controller (RISC-V PLIC): the serial port's interrupt goes to M-mode, and nothing else
 * to anybody. For M-mode alone: the kernel does not map it. */
#ifndef DRIVERS_PLIC_H
#define DRIVERS_PLIC_H

#include "types.h"

void plic_init(void);
u32 plic_claim(void); /* number of the interrupt to serve, 0: none */
void plic_complete(u32 number);

#endif
