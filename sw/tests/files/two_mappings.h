/* A small file that two address spaces map, each shared and privately. */
#ifndef FILES_TWO_MAPPINGS_H
#define FILES_TWO_MAPPINGS_H

#include "files/files.h"

#define PAGES 8u /* of the file */

extern vaddr_t shared, private; /* where both map it */

void map_twice(void); /* sets everything up */
void map_both(struct mm *mm);

static inline vaddr_t page(vaddr_t area, u32 i)
{
    return area + i * PAGE_SIZE;
}

#endif
