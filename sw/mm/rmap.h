/* From a file back to those who map it. */
#ifndef MM_RMAP_H
#define MM_RMAP_H

#include "mm/mm.h"

struct address_space;

/* An area of a file enters its list of mappers and holds a reference to the file; and leaves. Both
 * do nothing for an anonymous area. */
void vma_link_file(struct vma *v);
void vma_unlink_file(struct vma *v);

/* Takes `nr` pages of the file from `first` on out of every address space, and invalidates them.
 * Private copies stay unless even_cows. */
void unmap_mapping_pages(struct address_space *mapping, u32 first, u32 nr, bool even_cows);

/* PTEs that map a page which is in use. */
u32 page_mapcount(const struct page *page);

#endif
