/* Files, as mm/ and fs/ know them; fs/ has the functions. What was never written is a hole: it has
 * no block and reads as zeros. */
#ifndef MM_INODE_H
#define MM_INODE_H

#include "mm/page.h"
#include "mm/xarray.h"

#define NR_INODES 4u

struct inode;
struct vma;
struct vm_operations;

/* What is mapped of a file: the index of its pages (fs/dax.c says what an entry is), and the areas
 * that map it. */
struct address_space {
    struct inode *host;
    struct xarray i_pages;
    struct vma *i_mmap; /* list through vma->i_mmap_next */
    u32 nrpages;        /* pages of the page cache */
    u32 nrpmd;          /* entries of large pages */
    u32 nrexceptional;  /* value entries; one of a large page counts all its small ones */
};

struct inode {
    const char *name;
    u32 i_ino;
    u32 i_count; /* 0: the slot is unused */
    u64 i_size;
    const struct vm_operations *i_vm_ops; /* faults of those who map it */
    struct xarray i_blocks;               /* page of the file -> block, as a value */
    struct address_space i_mapping;
};

/* Where a page of a file is. */
struct iomap {
    enum { IOMAP_HOLE, IOMAP_MAPPED } type;
    pfn_t block;
    bool is_new; /* allocated by this call */
};

struct inode *new_inode(const char *name, u64 size); /* a hole of that size; NULL: all are in use */
void igrab(struct inode *inode);
void iput(struct inode *inode); /* the last reference takes the file with it */

/* With `write`, a hole gets a block. -ENOSPC, -ENOMEM, or -EIO when the block is bad. */
int iomap_begin(struct inode *inode, u32 index, bool write, struct iomap *iomap);

/* Shrinking takes the pages away from everybody who maps them, then from the index, then frees
 * their blocks. What is left of the last page is zeroed behind the new end. */
void inode_truncate(struct inode *inode, u64 size);

static inline u32 inode_pages(const struct inode *inode)
{
    return paddr_to_pfn(inode->i_size + PAGE_SIZE - 1);
}

#endif
