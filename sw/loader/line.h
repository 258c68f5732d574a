/* The serial line, polled. */
#ifndef LOADER_LINE_H
#define LOADER_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_BAUD 115200 /* after reset */

void line_init(void);
bool line_can(uint32_t baud);   /* the divisor comes within two percent of it */
void line_speed(uint32_t baud); /* after what was sent has left */
void line_send(uint8_t byte);
/* The next byte, or -1 when none came for `patience` cycles; 0 waits for ever. */
int line_receive(uint32_t patience);

uint32_t hertz(void);
uint32_t read_register(uint32_t address);
void write_register(uint32_t address, uint32_t value);

#endif
