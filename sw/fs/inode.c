#include "mm/inode.h"
#include "errno.h"
#include "fs/block_store.h"
#include "fs/dax.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/rmap.h"
#include "panic.h"

static struct inode inodes[NR_INODES];

struct inode *new_inode(const char *name, u64 size)
{
    for (struct inode *inode = inodes; inode < inodes + NR_INODES; inode++) {
        if (inode->i_count)
            continue;
        *inode =
            (struct inode){.name = name, .i_count = 1, .i_size = size, .i_vm_ops = &dax_vm_ops};
        inode->i_ino = (u32)(inode - inodes) + 1;
        inode->i_mapping.host = inode;
        return inode;
    }
    return NULL;
}

void igrab(struct inode *inode)
{
    inode->i_count++;
}

void iput(struct inode *inode)
{
    BUG_ON(!inode->i_count);
    if (inode->i_count == 1) /* before the count says that the slot is free */
        inode_truncate(inode, 0);
    inode->i_count--;
}

int iomap_begin(struct inode *inode, u32 index, bool write, struct iomap *iomap)
{
    void *entry = xa_load(&inode->i_blocks, index);

    *iomap = (struct iomap){.type = IOMAP_HOLE};
    if (!entry && !write)
        return 0;
    if (entry) {
        iomap->block = (pfn_t)xa_to_value(entry);
    } else {
        iomap->block = block_alloc();
        if (!iomap->block)
            return -ENOSPC;
        if (xa_store(&inode->i_blocks, index, xa_mk_value(iomap->block))) {
            block_free(iomap->block);
            return -ENOMEM;
        }
        iomap->is_new = true;
    }
    iomap->type = IOMAP_MAPPED;
    return iomap->block == bad_block ? -EIO : 0;
}

/* Who grows the file again must not see what was behind its end. */
static void zero_tail(struct inode *inode, u64 size)
{
    u32 offset = (u32)size & (PAGE_SIZE - 1);
    void *entry = xa_load(&inode->i_blocks, paddr_to_pfn(size));

    if (!offset || !entry)
        return;
    u8 *block = kmap_local_page(pfn_to_page((pfn_t)xa_to_value(entry)));

    memset(block + offset, 0, PAGE_SIZE - offset);
    kunmap_local(block);
}

void inode_truncate(struct inode *inode, u64 size)
{
    u32 old_pages = inode_pages(inode), index;
    bool shrinks = size < inode->i_size;
    void *entry;

    inode->i_size = size;
    u32 pages = inode_pages(inode);

    if (!shrinks)
        return;
    zero_tail(inode, size);
    if (pages == old_pages)
        return;
    unmap_mapping_pages(&inode->i_mapping, pages, old_pages - pages, true);
    dax_delete_mapping_range(&inode->i_mapping, pages, old_pages - 1);
    xa_for_each_range(&inode->i_blocks, index, entry, pages, old_pages - 1)
    {
        xa_erase(&inode->i_blocks, index);
        block_free((pfn_t)xa_to_value(entry));
    }
}
