/* The console: text out, commands in. */
#ifndef CONSOLE_CONSOLE_H
#define CONSOLE_CONSOLE_H

#include "types.h"

void console_write(const char *text, u32 length);

/* Reads and runs commands until `exit`; returns. */
void console_loop(void);

#endif
