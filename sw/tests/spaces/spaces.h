/* A few address spaces, and accesses of the one that runs. Each must succeed. */
#ifndef TESTS_SPACES_H
#define TESTS_SPACES_H

#include "machine/machine.h"

#define LIVE 4u

extern struct mm *mms[LIVE];

struct mm *new_mm(u32 slot); /* it runs from now on */
void free_mms(void);         /* and nothing of them is left */

void write_word(vaddr_t va, u32 value);
u32 read_word(vaddr_t va);

#endif
