"""Seeded defects of sw/fs and of what sw/mm does for files. Killed on the host."""

from campaigns.mutants.mutant import Mutant


def row(
    name: str, defect: str, file: str, old: str, new: str, *, killer: str = "test_dax"
) -> Mutant:
    """Ours: seen in no published code, but of the kind that kernels have had."""
    return Mutant(f"sw-{name}", defect, "ours", f"sw/{file}", old, new, "host", killer)


PAGES = [
    row(
        "hole-write-unmap",
        "storage comes in place of zeros that others still map",
        "fs/dax_index.c",
        "unmap_mapping_pages(mapping, xas->index, 1, false);",
        "(void)0;",
        killer="fuzz_files",
    ),
    row(
        "hole-write-call",
        "write(2) into a hole leaves the zeros mapped",
        "fs/dax.c",
        "if (iomap.is_new) {",
        "if (0) {",
    ),
    row(
        "file-end",
        "pages beyond the end of the file can be read",
        "fs/dax.c",
        "if (vmf->pgoff >= inode_pages(vmf->vma->vm_file))",
        "if (0)",
    ),
    row(
        "entry-unlock",
        "an entry stays locked after its fault",
        "fs/dax.c",
        "dax_unlock_entry(&xas);",
        "(void)0;",
    ),
    row(
        "entry-dirty",
        "the entry of a written page is not dirty",
        "fs/dax_index.c",
        "if (dirty)",
        "if (dirty && !xas)",
    ),
    row(
        "block-clear",
        "a block shows what its last owner wrote",
        "fs/block_store.c",
        "clear_highpage(pfn_to_page(first + i));",
        "",
    ),
    row(
        "block-leak",
        "a block is lost when its file cannot take it",
        "fs/inode.c",
        "block_free(iomap->block); return -ENOMEM;",
        "return -ENOMEM;",
        killer="test_dax_errors",
    ),
    row(
        "tail-clear",
        "a file that grows again shows what was cut off",
        "fs/inode.c",
        "memset(block + offset, 0, PAGE_SIZE - offset);",
        "(void)block;",
    ),
    row(
        "hole-page-put",
        "a page of the page cache has no reference of its PTE",
        "fs/dax.c",
        "get_page(page); /* the PTE's */",
        "",
    ),
    row(
        "hole-writable",
        "storage that was only read is mapped writable",
        "mm/memory.c",
        "mkwrite ? PROT_USER | PTE_DIRTY : readonly_prot(v)",
        "PROT_USER | PTE_DIRTY",
    ),
    row(
        "cow-leak",
        "the page for a private copy is lost when its fault fails",
        "mm/memory.c",
        "if (result & VM_FAULT_ERROR) put_page(vmf->cow_page);",
        "",
        killer="test_dax_errors",
    ),
    row(
        "shared-protect",
        "fork write-protects shared areas",
        "mm/fork.c",
        "pte_writable(pte) && !(v->flags & VM_SHARED)",
        "pte_writable(pte)",
    ),
    row(
        "truncate-copies",
        "private copies survive the end of their file",
        "mm/rmap.c",
        "tlb.keep_private = !even_cows;",
        "tlb.keep_private = true || even_cows;",
    ),
    row(
        "unmap-copies",
        "private copies are lost when the file's page changes",
        "mm/rmap.c",
        "tlb.keep_private = !even_cows;",
        "tlb.keep_private = false && even_cows;",
    ),
    row(
        "area-pgoff",
        "the upper part of a cut area shows other pages of the file",
        "mm/mmap.c",
        "v->vm_pgoff += bytes_to_pages(start - v->start);",
        "v->vm_pgoff += 0;",
        killer="fuzz_files",
    ),
    row(
        "move-file",
        "mremap forgets the file",
        "mm/mremap.c",
        "copy_vma(v, to)",
        "mm_map(mm, to, length, v->flags & VM_DATA)",
    ),
    row(
        "index-nodes",
        "index nodes stay when an insertion fails",
        "mm/xarray.c",
        "free_if_empty(xa, node); return NULL;",
        "return NULL;",
        killer="test_xarray",
    ),
    row(
        "smaps-pss",
        "shared pages count in full for each who maps them",
        "mm/smaps.c",
        "PAGE_SIZE / mappers",
        "PAGE_SIZE",
    ),
]

BLOCKS = [
    row(
        "block-downgrade",
        "a large entry goes and its blocks stay mapped",
        "fs/dax_index.c",
        "unmap_mapping_pages(mapping, first, HPAGE_PMD_NR, false);",
        "(void)0;",
        killer="test_dax_pmd",
    ),
    row(
        "block-entry",
        "the fault of a page does not see the large entry around it",
        "fs/dax_index.c",
        "drop_pmd_entry(mapping, xas->index);",
        "",
        killer="test_dax_pmd",
    ),
    row(
        "block-part",
        "a truncate within a block leaves its entry",
        "fs/dax_index.c",
        "drop_pmd_entry(mapping, first); /* of which only a part may go */",
        "",
        killer="test_dax_pmd",
    ),
    row(
        "block-split-flush",
        "a block that was split stays in the TLB",
        "mm/huge_memory.c",
        "flush_tlb_range(v->vm_mm, address, address + HPAGE_PMD_SIZE, true);",
        "",
        killer="test_dax_pmd",
    ),
    row(
        "block-last-level",
        "a block is invalidated with the hint of a page",
        "mm/unmap.c",
        "tlb->blocks = true;",
        "",
        killer="test_dax_pmd",
    ),
    row(
        "block-zap",
        "munmap passes over blocks",
        "mm/unmap.c",
        "zap_huge_pmd(tlb, start);",
        "(void)0;",
        killer="test_dax_pmd",
    ),
    row(
        "block-reference",
        "an exit keeps its reference to the large zero page",
        "mm/context.c",
        "mm_put_huge_zero_folio(mm);",
        "",
        killer="test_dax_pmd",
    ),
    row(
        "block-congruent",
        "a block although address and file do not fit",
        "fs/dax_pmd.c",
        "if ((vmf->pgoff & colour) != (vmf->address >> PAGE_SHIFT & colour))",
        "if (0)",
        killer="test_dax_pmd",
    ),
    row(
        "block-table",
        "a block in the place of a PTE page",
        "mm/huge_memory.c",
        "if (ptep_present(pmd)) return VM_FAULT_FALLBACK;",
        "",
        killer="test_dax_pmd",
    ),
    row(
        "block-colour",
        "all pages of a split block have one colour",
        "mm/huge_memory.c",
        "my_zero_pfn(address + (i << PAGE_SHIFT))",
        "my_zero_pfn(address)",
        killer="test_dax_pmd",
    ),
]

SW_FILE_MUTANTS = [*PAGES, *BLOCKS]
