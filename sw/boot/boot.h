/* Boot: from reset to the kernel's main function. */
#ifndef BOOT_BOOT_H
#define BOOT_BOOT_H

#include "image.h"

/* Called by the assembler of boot/. */
struct regs;
void machine_main(void);
void machine_trap(struct regs *regs);

/* log2 of the bytes of an entry, from entry= and what image and MMU offer; panics if they cannot.
 */
unsigned entry_choose(void);

/* Settles kernel_geometry and user_geometry from pagesize=, va_bits=, entry= and what the MMU
 * offers. */
void geometry_choose(void);

/* Writes what follows from the choice into the instructions that wait for it. */
void patch_text(void);

#endif
