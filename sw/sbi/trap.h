/* Entry of all traps that come to machine mode. */
#ifndef SBI_TRAP_H
#define SBI_TRAP_H

struct regs;

void trap_entry(void);        /* what mtvec points to */
void trap(struct regs *regs); /* called by it */

#endif
