/* Looks at all tables of an address space and checks what must always hold. It reads PTE pages
 * through kmap, another way than the code that wrote them. */
#ifndef MM_AUDIT_H
#define MM_AUDIT_H

#include "mm/mm.h"

struct mm_audit {
    u32 pte_pages_low, pte_pages_high;
    u32 upper_tables;
    u32 ptes, zero_ptes;
    u32 blocks;       /* of the large zero page */
    u32 special_ptes; /* of memory that is neither a zero page nor the allocator's */
    u32 violations;   /* each is printed too */
    u32 digest; /* of addresses, permissions, zero-page colours and first words; not of frames */
};

/* Checked: no writable PTE on a zero page; zero PTEs are special and of their address's colour;
 * other special PTEs name no page of the allocator; normal ones name an allocated page; counts
 * agree with the mm's; every table is a table page. */
struct mm_audit mm_audit(struct mm *mm);

#endif
