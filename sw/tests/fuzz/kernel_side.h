/* What else the kernel does with memory meanwhile: pages of its own behind kmap and kmap_local, and
 * times of little memory. */
#ifndef FUZZ_KERNEL_SIDE_H
#define FUZZ_KERNEL_SIDE_H

#include "types.h"

void kernel_side_step(void);
void hoard_step(void);         /* sometimes nearly all memory is gone for a while */
u32 kernel_side_pages(void);   /* that it holds */
void kernel_side_finish(void); /* gives everything back */

#endif
