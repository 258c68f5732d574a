/* The commands. Each gets what follows its name, which it may take apart, and answers on the
 * console: results, or what is wrong with the arguments and what to type instead. */
#ifndef CONSOLE_COMMANDS_H
#define CONSOLE_COMMANDS_H

#include "types.h"

/* Looks the first word up and runs its command. False: it was `exit`. */
bool run_command(char *line);

void cmd_walk(char *args);
void cmd_ptdump(char *args);
void cmd_tlb(char *args);
void cmd_mem(char *args);
void cmd_counters(char *args);
void cmd_read(char *args);
void cmd_write(char *args);

#endif
