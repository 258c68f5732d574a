/* Serial port (SiFive UART): 8N1, polled, but for the
 * interrupt that the console asks for while something runs. */
#ifndef DRIVERS_UART_H
#define DRIVERS_UART_H

#include "types.h"

void uart_init(void);
void uart_putc(char c);    /* waits for room; a line feed gets its carriage return */
int uart_getc(void);       /* next character, or -1 when there is none */
void uart_listen(bool on); /* interrupt while a character waits */
void uart_drain(void);     /* returns when the last character has been sent */

#endif
