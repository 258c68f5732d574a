/* The end of the machine (SiFive's test finisher): powers it off, with a status that the simulator
 * ends with and a board's lamps show, or resets it. */
#ifndef DRIVERS_FINISHER_H
#define DRIVERS_FINISHER_H

void finisher_power_off(unsigned status) __attribute__((noreturn));
void finisher_reset(void) __attribute__((noreturn));

#endif
