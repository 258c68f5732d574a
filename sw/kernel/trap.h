/* Traps in S-mode. */
#ifndef KERNEL_TRAP_H
#define KERNEL_TRAP_H

#include "lib/regs.h"
#include "types.h"

/* Registers of a task, and the kernel's stack pointer while the task runs. */
struct user_context {
    struct regs regs;
    u32 kernel_sp;
};

void enter_user(struct user_context *context); /* returns at the task's next trap */

/* Called by the assembler of kernel/. */
void kernel_trap(struct regs *regs); /* taken while in the kernel */
void kernel_stack_overflow(u32 sp) __attribute__((noreturn));

/* What the last trap was, for the panic message. */
void trap_record(char mode, u32 cause, u32 pc, u32 value);
struct trap_record {
    char mode; /* 0: there was none */
    u32 cause, pc, value;
    u32 status; /* sstatus in the handler */
};
extern struct trap_record last_trap;

const char *trap_cause_name(u32 cause);

extern volatile u32 timer_ticks; /* timer interrupts taken in S-mode */

#endif
