/* Memory of the machine, and the kernel's view of it. */
#define _GNU_SOURCE /* memfd_create */
#include "check.h"
#include "kernel_address.h"
#include "machine.h"
#include "mm/early.h"
#include "mm/highmem.h"
#include "mm/zero_page.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LOW_BASE    0x80000000ull
#define HIGH_BASE   0x100000000ull
#define EARLY_PAGES 24u
#define WINDOWS     (PKMAP_MAX + KM_MAX_IDX * KMAP_COLOUR_MAX)

static const struct machine *machine;
static int memory_file;
static u8 *memory;
static u32 early_used, free_at_start;

/* The windows that are mapped: a TLB of their own. */
static struct window {
    vaddr_t va;
    pte_t pte;
} windows[WINDOWS];
static u32 nr_windows;

void machine_failed(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    printf("\n");
    describe_failure();
    fflush(stdout);
    _exit(1);
}

static u64 low_bytes(void)
{
    return (u64)machine->low_pages << machine->page_shift;
}

static u64 high_bytes(void)
{
    return (u64)machine->high_pages << machine->page_shift;
}

bool phys_exists(paddr_t pa)
{
    return pa - LOW_BASE < low_bytes() || pa - HIGH_BASE < high_bytes();
}

static u64 file_offset(paddr_t pa)
{
    if (!phys_exists(pa))
        machine_failed("no memory at physical address 0x%llx", pa);
    return pa >= HIGH_BASE ? low_bytes() + (pa - HIGH_BASE) : pa - LOW_BASE;
}

void *phys(paddr_t pa)
{
    return memory + file_offset(pa);
}

void fill_page(const struct page *page, u8 byte)
{
    memset(phys(page_to_paddr(page)), byte, PAGE_SIZE);
}

/* ---- windows ---- */
static void *window_map(vaddr_t va, int protection, int flags, int file, u64 offset)
{
    void *at =
        mmap(kernel_pointer(va), PAGE_SIZE, protection, flags | MAP_FIXED, file, (off_t)offset);

    if (at == MAP_FAILED)
        machine_failed("the host cannot map a window");
    return at;
}

/* The slot of a window in memory; NULL: no table. */
static struct pte_slot *kernel_slot(vaddr_t va)
{
    const struct geometry *geo = &kernel_geometry;
    struct pte_slot *slot = NULL;
    pte_t entry = kernel_va(kernel_root) | PTE_TABLE;

    for (unsigned level = geo->start_level; level <= LEAF_LEVEL; level++) {
        if (!pte_is_table(entry))
            return NULL;
        slot = ptep_add(phys(pte_paddr(entry)), geometry_index(geo, level, va));
        entry = ptep_get(slot);
    }
    return slot;
}

/* Its PTE; 0: none. */
static pte_t kernel_pte(vaddr_t va)
{
    const struct pte_slot *slot = kernel_slot(va);
    pte_t entry = slot ? ptep_get(slot) : 0;

    return pte_present(entry) ? entry : 0;
}

static void kernel_access_fault(int signal_number, siginfo_t *info, void *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    vaddr_t va = (vaddr_t)address & PAGE_MASK;
    pte_t pte = (address - KERNEL_BASE) >> 32 ? 0 : kernel_pte(va);

    (void)signal_number, (void)context;
    if (!pte || nr_windows == WINDOWS)
        machine_failed("the kernel accesses %p, where nothing is mapped", info->si_addr);
    window_map(va, pte_writable(pte) ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, memory_file,
               file_offset(pte_paddr(pte)));
    set_pte(kernel_slot(va), pte | PTE_AF); /* as the walker does it */
    windows[nr_windows++] = (struct window){va, pte | PTE_AF};
}

void windows_invalidate(vaddr_t first, u64 last)
{
    for (u32 i = 0; i < nr_windows;) {
        if (windows[i].va < first || windows[i].va >= last) {
            i++;
            continue;
        }
        window_map(windows[i].va, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        windows[i] = windows[--nr_windows];
    }
}

void windows_check(void)
{
    for (u32 i = 0; i < nr_windows; i++)
        if (kernel_pte(windows[i].va) != windows[i].pte)
            machine_failed("stale window 0x%08x: the TLB has 0x%llx, its PTE is 0x%llx",
                           windows[i].va, windows[i].pte, kernel_pte(windows[i].va));
}

/* ---- start ---- */
void *early_alloc(u32 bytes, u32 alignment)
{
    void *at = kernel_pointer((vaddr_t)LOW_BASE + (early_used << PAGE_SHIFT));

    early_used += (bytes + PAGE_SIZE - 1) >> PAGE_SHIFT;
    if (alignment > PAGE_SIZE || early_used > EARLY_PAGES)
        machine_failed("early_alloc: %u pages are too few", EARLY_PAGES);
    return at;
}

static void map_memory(void)
{
    size_t bytes = low_bytes() + high_bytes();
    int unused = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *space = mmap(kernel_pointer(0), 1ul << 32, PROT_NONE, unused, -1, 0);

    memory_file = memfd_create("memory", 0);
    if (memory_file < 0 || ftruncate(memory_file, (off_t)bytes) || space == MAP_FAILED)
        machine_failed("the host has no room for the machine's memory");
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file, 0);
    void *low = mmap(kernel_pointer((vaddr_t)LOW_BASE), low_bytes(), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED, memory_file, 0);

    if (memory == MAP_FAILED || low == MAP_FAILED)
        machine_failed("the host cannot map the machine's memory");
}

static void catch_kernel_faults(void)
{
    struct sigaction action = {.sa_sigaction = kernel_access_fault, .sa_flags = SA_SIGINFO};

    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

static void start_allocator(void)
{
    u32 pages = machine->low_pages + machine->high_pages;
    pfn_t low = paddr_to_pfn(LOW_BASE), high = paddr_to_pfn(HIGH_BASE);

    page_alloc_init(calloc(pages, sizeof(struct page)), low, machine->low_pages, high,
                    machine->high_pages);
    reserve_range(low, low + EARLY_PAGES);
    free_range(low + EARLY_PAGES, low + machine->low_pages);
    free_range(high, high + machine->high_pages);
}

void machine_start(const struct machine *m)
{
    struct cache_geometry cache = {(m->colours << m->page_shift) / 64, 1, 64};

    machine = m;
    if (geometry_init(&kernel_geometry, m->page_shift, m->entry_shift, 31) ||
        geometry_init(&user_geometry, m->page_shift, m->entry_shift, m->va_bits))
        machine_failed("no geometry has pages of 2^%u bytes and %u bits", m->page_shift,
                       m->va_bits);
    map_memory();
    catch_kernel_faults();
    kernel_root = early_alloc(PAGE_SIZE, PAGE_SIZE);
    make_kernel_window(PKMAP_BASE, PKMAP_MAX);
    make_kernel_window(FIX_KMAP_BASE, KM_MAX_IDX * KMAP_COLOUR_MAX);
    start_allocator();
    kmap_colours = m->colours;
    pkmap_init();
    pkmap_pte_init(pte_offset_kernel(PKMAP_BASE));
    kmap_local_init(pte_offset_kernel(FIX_KMAP_BASE));
    mm_init_reserved();
    setup_zero_pages(ZP_WAY, &cache);
    free_at_start = nr_free_pages();
}

u32 machine_pages_in_use(void)
{
    return free_at_start - nr_free_pages();
}
