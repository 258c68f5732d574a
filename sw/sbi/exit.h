/* The end of a run; the code is the simulator's exit status, and what a board's lamps show. */
#ifndef SBI_EXIT_H
#define SBI_EXIT_H

#define EXIT_OK     0
#define EXIT_FAILED 1 /* S-mode said that the system failed */
#define EXIT_PANIC  2

void machine_exit(unsigned code) __attribute__((noreturn));
void machine_reset(void) __attribute__((noreturn));

#endif
