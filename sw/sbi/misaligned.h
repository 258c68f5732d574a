/* Misaligned accesses of the modes below. */
#ifndef SBI_MISALIGNED_H
#define SBI_MISALIGNED_H

struct regs;
struct fault;

/* Does what the instruction at the frame's pc asks for, or passes the trap to S-mode. */
void misaligned_access(struct regs *regs, struct fault trap);

#endif
