/* Compares everything with the model: after each step. */
#ifndef FUZZ_JUDGE_H
#define FUZZ_JUDGE_H

#include "types.h"

/* What page `page` of the sample reads at its word `n` of 3 (first, middle, last). */
u32 word_of(u32 value, u32 n);
u32 word_offset(u32 n);

/* `kernel_pages`: what the test itself holds of the allocator. */
void judge(u32 kernel_pages);
void judge_tables(void); /* the firmware's own audit of all tables; slow */

#endif
