/* The index of a mapping: its entries while a fault works on them. */
#ifndef FS_DAX_INDEX_H
#define FS_DAX_INDEX_H

#include "fs/dax.h"

/* Finds or makes the entry (EMPTY at first) and locks it. -ENOMEM; -EIO when the index holds a
 * foreign object, which is warned of once. A large zero page is given up for it. *entry may be a
 * page while the old method is in use. */
int grab_mapping_entry(struct xa_state *xas, struct address_space *mapping, void **entry);
/* The same for a large page; `xas` is at its first index. -EEXIST: there are entries of pages. */
int grab_pmd_entry(struct xa_state *xas, struct address_space *mapping, void **entry);
void dax_unlock_entry(struct xa_state *xas);

/* Replaces the locked entry. When storage comes in the place of zeros, everybody who maps the zeros
 * loses them first. The entry stays if it is storage already. */
void dax_insert_entry(struct xa_state *xas, struct address_space *mapping, void *entry, pfn_t pfn,
                      u32 flags, bool dirty);
/* The old method's: a page of zeros, whose reference the index takes over. */
void dax_insert_hole_page(struct xa_state *xas, struct address_space *mapping, struct page *page);

#endif
