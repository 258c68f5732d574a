/* What boot/ leaves for the kernel: its image in memory, the arguments, the way to begin again. */
#ifndef IMAGE_H
#define IMAGE_H

#include "types.h"

void kernel_main(void); /* boot/ ends in it */

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

/* Digest of what is read-only after init; equal to the one of boot for ever. */
u32 ro_after_init_digest(void);
extern u32 ro_after_init_at_boot;

#endif
