/* Boot: from reset to the kernel's main function. */
#ifndef BOOT_BOOT_H
#define BOOT_BOOT_H

#include "types.h"

extern char saved_command_line[]; /* boot arguments as they were given */

/* A variable that keeps its value when the machine restarts; 0 at first. */
#define KEPT __attribute__((section(".kept")))

/* Begins again, from M-mode. Everything but KEPT variables is as after reset. */
void machine_restart(void) __attribute__((noreturn));
extern unsigned machine_restarts; /* how often that happened */

/* Linker's symbols */
extern char __text_start[], __text_end[], __rodata_end[], __image_end[];
extern char __user_start[], __user_end[];

/* The kernel's stack, lowest word first. The page below it is not mapped. */
extern u32 kernel_stack[];

/* Called by the assembler of boot/ and kernel/. */
struct regs;
void machine_main(void);
void machine_trap(struct regs *regs);
void kernel_main(void);
void kernel_trap(struct regs *regs); /* taken while in the kernel */
void kernel_stack_overflow(u32 sp) __attribute__((noreturn));

/* log2 of the bytes of an entry, from entry= and what image and MMU offer; panics if they cannot.
 */
unsigned entry_choose(void);

/* Settles kernel_geometry and user_geometry from pagesize=, va_bits=, entry= and what the MMU
 * offers. */
void geometry_choose(void);

/* Writes what follows from the choice into the instructions that wait for it. */
void patch_text(void);

/* Digest of what is read-only after init; equal to the one of boot for ever. */
u32 ro_after_init_digest(void);
extern u32 ro_after_init_at_boot;

#endif
