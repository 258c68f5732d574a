/* A process to look at. It has code, a stack, a heap of which some pages were touched, and a file;
 * it never runs. It is made when a command first needs it, and goes before an experiment begins, so
 * that experiments find the memory as it was after boot. */
#ifndef CONSOLE_PROCESS_H
#define CONSOLE_PROCESS_H

#include "mm/mm.h"

#define HEAP_PAGES 8u
#define FILE_BASE  0x00200000u
#define FILE_PAGES 8u

struct mm *process_mm(void); /* switches to it */
void process_end(void);

void print_areas(const struct mm *mm);

#endif
