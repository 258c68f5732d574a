/* Compares everything with the model: after each step. */
#ifndef FUZZ_JUDGE_H
#define FUZZ_JUDGE_H

#include "types.h"

/* Three words of a page hold what was written. A first write writes all of them, later ones the
 * first two: the one at the end must outlive copies of the page. */
#define WORDS 3u

struct model_content;
u32 word_of(const struct model_content *content, u32 n);
u32 word_offset(u32 n);

/* `kernel_pages`: what the test itself holds of the allocator. */
void judge(u32 kernel_pages);
void judge_tables(void); /* the firmware's own audit of all tables; slow */

#endif
