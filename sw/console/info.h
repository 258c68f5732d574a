/* Descriptions of the machine for people. */
#ifndef CONSOLE_INFO_H
#define CONSOLE_INFO_H

void print_banner(void); /* granule, VA bits, levels, caches, colours, boot arguments */
void print_memory(void); /* zones and page tables */

#endif
