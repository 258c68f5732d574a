/* Data that is written before the MMU is on and never again: it lies among the constants, which
 * the kernel's page tables map read-only from the first translated instruction on. */
#ifndef INIT_H
#define INIT_H

#define __ro_after_init __attribute__((section(".ro_after_init")))

#endif
