/* Faults on a file, Linux's fs/dax.c in small. Who reads a hole gets a zero page: no memory is
 * taken but for the index. Who writes gets storage, dirty and writable, in the same fault. */
#include "fs/dax.h"
#include "errno.h"
#include "fs/dax_index.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/huge_memory.h"
#include "mm/rmap.h"
#include "mm/zero_page.h"
#include "panic.h"

enum dax_hole_method dax_hole_method = DAX_HOLE_ZERO_PAGE;
struct dax_trace dax_trace;

static int setup_dax(char *arg)
{
    if (arg && strcmp(arg, "pagecache") == 0) {
        dax_hole_method = DAX_HOLE_PAGECACHE;
    } else if (!arg || strcmp(arg, "zeropage") != 0) {
        kprintf("dax='%s' is neither zeropage nor pagecache\n", arg ? arg : "");
        return -EINVAL;
    }
    return 0;
}
early_param("dax", setup_dax);

static struct address_space *mapping_of(const struct vm_fault *vmf)
{
    return &vmf->vma->vm_file->i_mapping;
}

/* ---- a read of a hole ---- */
static u64 trace_part(enum dax_part part, u64 since)
{
    if (!dax_trace.parts)
        return 0;
    u64 now = dax_trace.clock();

    if (part < NR_DAX_PARTS)
        dax_trace.part[part] += now - since;
    return dax_trace.clock();
}

static vm_fault_t dax_load_hole(struct xa_state *xas, struct vm_fault *vmf, void *entry)
{
    pfn_t pfn = my_zero_pfn(vmf->address);
    u64 at = trace_part(NR_DAX_PARTS, 0);

    dax_insert_entry(xas, mapping_of(vmf), entry, pfn, DAX_ZERO_PAGE, false);
    at = trace_part(DAX_PART_INDEX, at);
    vm_fault_t result = vmf_insert_mixed(vmf->vma, vmf->address, pfn);

    trace_part(DAX_PART_MAP, at);
    return result;
}

/* The old method: a page of zeros of its own for each page of the hole. The entry is a value on the
 * first read, and the page from then on. */
static vm_fault_t dax_load_hole_pagecache(struct xa_state *xas, struct vm_fault *vmf, void *entry)
{
    struct page *page = entry;
    u64 at = trace_part(NR_DAX_PARTS, 0);

    if (xa_is_value(entry)) {
        page = alloc_page(GFP_HIGHUSER);
        if (!page)
            return VM_FAULT_OOM;
        at = trace_part(DAX_PART_ALLOC, at);
        clear_user_highpage(page);
        at = trace_part(DAX_PART_ZERO, at);
        dax_insert_hole_page(xas, mapping_of(vmf), page);
        at = trace_part(DAX_PART_INDEX, at);
    }
    vmf->page = page;
    vm_fault_t result = finish_fault(vmf);

    if (result)
        return result;
    get_page(page); /* the PTE's */
    trace_part(DAX_PART_MAP, at);
    return VM_FAULT_NOPAGE;
}

static vm_fault_t load_hole(struct xa_state *xas, struct vm_fault *vmf, void *entry)
{
    bool old = dax_hole_method == DAX_HOLE_PAGECACHE;

    if (!dax_trace.clock)
        return (old ? dax_load_hole_pagecache : dax_load_hole)(xas, vmf, entry);
    u64 start = dax_trace.clock();
    vm_fault_t result = (old ? dax_load_hole_pagecache : dax_load_hole)(xas, vmf, entry);
    u64 cycles = dax_trace.clock() - start;

    dax_trace.calls++;
    dax_trace.cycles += cycles;
    dax_trace.most = MAX(dax_trace.most, cycles);
    return result;
}

/* ---- faults ---- */
static vm_fault_t errno_fault(int error)
{
    return error == -ENOMEM ? VM_FAULT_OOM : VM_FAULT_SIGBUS;
}

/* A private copy: zeros for a hole, else of the block. */
static vm_fault_t fill_cow_page(struct vm_fault *vmf, const struct iomap *iomap)
{
    if (iomap->type == IOMAP_HOLE)
        clear_user_highpage(vmf->cow_page);
    else
        copy_user_highpage(vmf->cow_page, pfn_to_page(iomap->block));
    vm_fault_t result = finish_fault(vmf);

    return result ? result : VM_FAULT_DONE_COW;
}

static vm_fault_t map_block(struct xa_state *xas, struct vm_fault *vmf, void *entry, pfn_t block,
                            bool write)
{
    bool mkwrite = write && dax_hole_method == DAX_HOLE_ZERO_PAGE;

    dax_insert_entry(xas, mapping_of(vmf), entry, block, 0, mkwrite);
    if (mkwrite)
        return vmf_insert_mixed_mkwrite(vmf->vma, vmf->address, block);
    return vmf_insert_mixed(vmf->vma, vmf->address, block); /* old: a second fault makes it so */
}

static vm_fault_t fault_locked(struct xa_state *xas, struct vm_fault *vmf, void *entry)
{
    bool write = (vmf->flags & FAULT_WRITE) && !vmf->cow_page;
    struct iomap iomap;
    int error = iomap_begin(vmf->vma->vm_file, vmf->pgoff, write, &iomap);

    if (error)
        return errno_fault(error);
    if (vmf->cow_page)
        return fill_cow_page(vmf, &iomap);
    if (iomap.type == IOMAP_HOLE)
        return load_hole(xas, vmf, entry);
    return map_block(xas, vmf, entry, iomap.block, write);
}

static vm_fault_t dax_iomap_pte_fault(struct vm_fault *vmf)
{
    XA_STATE(xas, &mapping_of(vmf)->i_pages, vmf->pgoff);
    void *entry;

    if (vmf->pgoff >= inode_pages(vmf->vma->vm_file))
        return VM_FAULT_SIGBUS;
    int error = grab_mapping_entry(&xas, mapping_of(vmf), &entry);

    if (error)
        return errno_fault(error);
    vm_fault_t result = fault_locked(&xas, vmf, entry);

    dax_unlock_entry(&xas);
    return result;
}

vm_fault_t dax_iomap_fault(struct vm_fault *vmf, unsigned order)
{
    return order ? dax_iomap_pmd_fault(vmf) : dax_iomap_pte_fault(vmf);
}

static vm_fault_t dax_fault(struct vm_fault *vmf)
{
    return dax_iomap_fault(vmf, 0);
}

static vm_fault_t dax_huge_fault(struct vm_fault *vmf)
{
    return dax_iomap_fault(vmf, log2_floor(HPAGE_PMD_NR));
}

/* A write to a frame that is mapped read-only: the zero page of a hole, or storage. The fault
 * itself tells them apart. The old method never has a zero page here, and only marks what it finds.
 */
static vm_fault_t dax_pfn_mkwrite(struct vm_fault *vmf)
{
    if (dax_hole_method == DAX_HOLE_ZERO_PAGE)
        return dax_iomap_fault(vmf, 0);
    XA_STATE(xas, &mapping_of(vmf)->i_pages, vmf->pgoff);

    xas_set_mark(&xas);
    return finish_mkwrite_fault(vmf);
}

const struct vm_operations dax_vm_ops = {
    .fault = dax_fault,
    .huge_fault = dax_huge_fault,
    .page_mkwrite = dax_fault,
    .pfn_mkwrite = dax_pfn_mkwrite,
};

/* ---- read(2) and write(2) ---- */
/* One page's part of it. */
static int rw_page(struct inode *inode, u64 pos, void *buffer, u32 bytes, bool write)
{
    u32 index = paddr_to_pfn(pos), offset = (u32)pos & (PAGE_SIZE - 1);
    struct iomap iomap;
    int error = iomap_begin(inode, index, write, &iomap);

    if (error)
        return error;
    if (iomap.type == IOMAP_HOLE) {
        memset(buffer, 0, bytes);
        return 0;
    }
    if (iomap.is_new) { /* before anybody can see the new data: nobody may keep the old zeros */
        unmap_mapping_pages(&inode->i_mapping, index, 1, false);
        dax_delete_mapping_range(&inode->i_mapping, index, index);
    }
    u8 *block = kmap_local_page(pfn_to_page(iomap.block));

    if (write)
        memcpy(block + offset, buffer, bytes);
    else
        memcpy(buffer, block + offset, bytes);
    kunmap_local(block);
    return 0;
}

s32 dax_iomap_rw(struct inode *inode, u64 pos, void *buffer, u32 bytes, bool write)
{
    u32 done = 0;

    if (!write)
        bytes = pos >= inode->i_size ? 0 : (u32)MIN((u64)bytes, inode->i_size - pos);
    while (done < bytes) {
        u32 room = PAGE_SIZE - ((u32)(pos + done) & (PAGE_SIZE - 1)),
            part = MIN(room, bytes - done);
        int error = rw_page(inode, pos + done, (u8 *)buffer + done, part, write);

        if (error)
            return done ? (s32)done : error;
        done += part;
        if (write)
            inode->i_size = MAX(inode->i_size, pos + done);
    }
    return (s32)done;
}
