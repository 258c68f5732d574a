/* Memory before the page allocator: taken from the top of lowmem downwards, never given back. */
#ifndef MM_EARLY_H
#define MM_EARLY_H

#include "types.h"

void early_init(void);                       /* panics when memory cannot hold the kernel */
void *early_alloc(u32 bytes, u32 alignment); /* zeroed; panics when lowmem is used up */
u32 early_lowmem_end(void);                  /* end of usable lowmem, page aligned */
u32 early_reserved_start(void);              /* lowest address that early_alloc gave out */

#endif
