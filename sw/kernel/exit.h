/* Exit codes of a run; the simulator's exit status is the code. */
#ifndef KERNEL_EXIT_H
#define KERNEL_EXIT_H

#define EXIT_OK     0
#define EXIT_FAILED 1 /* an experiment or an invariant failed */
#define EXIT_PANIC  2

void machine_exit(unsigned code) __attribute__((noreturn));

#endif
