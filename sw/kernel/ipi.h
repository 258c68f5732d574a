/* A software interrupt that the CPU sends to itself, in place of one to another CPU, of which there
 * is none. What is like there: the request, the trap, the handler, and that the sender waits. What
 * is not: the way from CPU to CPU, one that has interrupts off, and that both work at once. */
#ifndef KERNEL_IPI_H
#define KERNEL_IPI_H

/* The interrupt is pending from now on. */
void ipi_send(void (*handler)(void));
/* Until its handler has returned. */
void ipi_wait(void);
/* Of a trap. */
void do_ipi(void);

#endif
