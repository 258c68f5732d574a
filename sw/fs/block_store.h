/* Storage that the CPU addresses like memory: a region of highmem, cut into blocks of a page, with
 * a map of the free ones. It stands for the persistent memory below a DAX file system; its contents
 * last from open to close. */
#ifndef FS_BLOCK_STORE_H
#define FS_BLOCK_STORE_H

#include "mm/page.h"

/* 2^order blocks; false: no memory for them. */
bool block_store_open(unsigned order);
void block_store_close(void); /* panics while a block is in use */

pfn_t block_alloc(void); /* a block of zeros; 0 when the store is full */
void block_free(pfn_t block);
bool is_block(pfn_t pfn);
u32 blocks_in_use(void);

/* Test knob: a block that cannot be read or written. 0: there is none. */
extern pfn_t bad_block;

#endif
