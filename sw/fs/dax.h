/* Direct access: pages of a file are storage itself, and mappings of a hole are zeros.
 *
 * An entry of a mapping's index is a value, never a page:
 *     pfn << 4 | EMPTY << 3 | ZERO_PAGE << 2 | PMD << 1 | LOCKED
 * without EMPTY and ZERO_PAGE it names a block of storage. LOCKED is held from the beginning of a
 * fault to its end; on one hart nobody can wait for it, so finding it set is a bug.
 *
 * The old method keeps a page of zeros in the page cache for each page of a hole that was read, and
 * its pointer in the index. It stays for comparison: boot argument dax=pagecache. */
#ifndef FS_DAX_H
#define FS_DAX_H

#include "mm/inode.h"
#include "mm/memory.h"

#define DAX_LOCKED    BIT(0)
#define DAX_PMD       BIT(1)
#define DAX_ZERO_PAGE BIT(2)
#define DAX_EMPTY     BIT(3)
#define DAX_SHIFT     4

static inline u32 dax_entry_flags(const void *entry)
{
    return (u32)xa_to_value(entry) & (BIT(DAX_SHIFT) - 1);
}

static inline pfn_t dax_to_pfn(const void *entry)
{
    return (pfn_t)(xa_to_value(entry) >> DAX_SHIFT);
}

enum dax_hole_method { DAX_HOLE_ZERO_PAGE, DAX_HOLE_PAGECACHE };
extern enum dax_hole_method dax_hole_method; /* changes only while no file is mapped */

/* Large zero pages for holes, where they fit: boot argument dax_huge=always. */
extern bool dax_huge;

extern const struct vm_operations dax_vm_ops;

/* A page fault of a file mapping. Order 0 is a page; the other one is that of a PMD. */
vm_fault_t dax_iomap_fault(struct vm_fault *vmf, unsigned order);
vm_fault_t dax_iomap_pmd_fault(struct vm_fault *vmf);

/* Bytes moved, less at the end of the file when reading; or -errno when it was none. A write to a
 * hole takes the zero page away from those who map it. */
s32 dax_iomap_rw(struct inode *inode, u64 pos, void *buffer, u32 bytes, bool write);

/* Takes the entries out of the index; nobody maps their pages any more. */
void dax_delete_mapping_range(struct address_space *mapping, u32 first, u32 last);

/* ---- what a load of a hole costs ---- */
enum dax_part { DAX_PART_ALLOC, DAX_PART_ZERO, DAX_PART_INDEX, DAX_PART_MAP, NR_DAX_PARTS };

/* Cycles inside of load_hole, while a clock is set; its parts only if asked for, because to look at
 * the clock between them takes time as well. */
struct dax_trace {
    u64 (*clock)(void);
    bool parts;
    u32 calls;
    u64 cycles, most, part[NR_DAX_PARTS];
};
extern struct dax_trace dax_trace;

#endif
