/* Time and the timer interrupt. The comparator belongs to M-mode; the kernel asks for it by an
 * environment call and gets the interrupt as its own (STIP). */
#ifndef DRIVERS_TIMER_H
#define DRIVERS_TIMER_H

#include "types.h"

u64 timer_now(void);                /* mtime, in clock cycles */
void timer_set_alarm(u64 when);     /* from S-mode: STIP rises at that time */
void timer_machine_alarm(u64 when); /* what M-mode does for it */

#endif
