/* The kmap pool on the host. The PTEs and the TLB are two arrays: an entry of the TLB may outlive
 * its PTE until it is flushed. A page that is touched enters the TLB and gets its access flag. */
#ifndef TESTS_POOL_H
#define TESTS_POOL_H

#include "mm/highmem.h"

#define HIGH_PAGES 16384u

extern struct page map[1 + HIGH_PAGES]; /* one page of lowmem, then highmem */
extern struct page *pte[PKMAP_MAX], *tlb[PKMAP_MAX];
extern u32 flushes, flushed_slots;

void touch(const void *address);
void boot_with(u32 slots, u32 colours);
struct page *high_page(u32 n);

#endif
