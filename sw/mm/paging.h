/* The kernel's own address space, and the memory handed to the page allocator.
 *
 *   0x8000_0000  lowmem, VA = PA: text (RX), rodata (R), the rest (RW); blocks where they fit
 *   0xc000_0000  kmap pool, nr_pkmap pages
 *   0xea00_0000, 0xf800_0000  devices, DEVICE_OFFSET above their physical addresses
 *   0xf010_0000  kmap_local slots
 */
#ifndef MM_PAGING_H
#define MM_PAGING_H

#include "mm/pgtable.h"

/* M-mode, before the MMU is on: builds the tables. Panics when memory is too small. */
void paging_init(void);

/* S-mode: zones, page allocator, mapping windows. */
void mem_init(void);

#endif
