/* Translation tables as the MMU's walker finds them: from the roots in its registers on, by
 * physical address. Nothing of the kernel's bookkeeping is asked. */
#ifndef CONSOLE_TABLES_H
#define CONSOLE_TABLES_H

#include "mm/pgtable.h"

#define MACHINE_VA_BITS 32

static inline bool in_kernel_half(vaddr_t va)
{
    return va >> (MACHINE_VA_BITS - 1);
}

static inline const struct geometry *geometry_of_half(bool kernel)
{
    return kernel ? &kernel_geometry : &user_geometry;
}

/* Where the entry with that index lies in the table at `table`. */
static inline paddr_t entry_address(paddr_t table, u32 index)
{
    return table + entries_to_bytes(index);
}

/* Maps the table at `pa`, which is memory, until unmap_table; nests. */
struct pte_slot *map_table(paddr_t pa);
void unmap_table(struct pte_slot *table);

/* False: there is no memory at that address. */
bool read_entry(paddr_t address, pte_t *entry);

#endif
