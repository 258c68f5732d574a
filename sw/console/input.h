/* What was typed: a queue in front of the serial port, and Ctrl-C.
 *
 * While the console waits for a line it polls. While something runs there are two ways to notice
 * Ctrl-C: a long output asks input_stop() now and then, and an experiment, which nothing may
 * disturb, is watched by an interrupt that costs nothing until a key is pressed.
 */
#ifndef CONSOLE_INPUT_H
#define CONSOLE_INPUT_H

#include "types.h"

#define KEY_STOP 3 /* Ctrl-C */

int input_getc(void);  /* next character, or -1 */
bool input_stop(void); /* was Ctrl-C typed? If so, what was typed before it is forgotten */
/* Characters that were typed ahead and had no room, since the last call. Lines are kept whole. */
u32 input_dropped(void);

/* Takes in what was typed ahead and waits until the line is quiet; then each further character
 * interrupts, and Ctrl-C restarts the machine. False: Ctrl-C was typed ahead. */
bool input_watch(void);
void input_unwatch(void);

/* M-mode: true when it was Ctrl-C. */
bool input_interrupt(void);

#endif
