/* A process to look at. It has code, a stack and a heap, of which some pages were touched; it never
 * runs. It is made when a command first needs it, and goes before an experiment begins, so that
 * experiments find the memory as it was after boot. */
#ifndef CONSOLE_PROCESS_H
#define CONSOLE_PROCESS_H

#include "mm/mm.h"

#define HEAP_PAGES 8u

struct mm *process_mm(void); /* switches to it; NULL: no memory for it, and that was said */
void process_end(void);

void print_areas(const struct mm *mm);

#endif
