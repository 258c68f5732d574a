/* The console. */
#ifndef CONSOLE_CONSOLE_H
#define CONSOLE_CONSOLE_H

/* Reads and runs commands until `exit`; returns. */
void console_loop(void);

#endif
