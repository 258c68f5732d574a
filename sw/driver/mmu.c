/* Translation tables for a granule that is chosen at run time, and the TLB (Arm DDI 0487, D8).
 *
 * Both halves have 31 address bits. A table has one page; an index has page_shift - 3 bits:
 *
 *   granule   levels   VA 30 ... 0
 *   4 KiB     1 to 3   | 1 | 9 | 9 | 12 |
 *   16 KiB    2, 3     | 6 | 11 | 14 |
 *   64 KiB    2, 3     | 2 | 13 | 16 |
 */
#include "driver.h"
#include "drivers/device.h"

#define REG(name)    (GRANULE_MMU_BASE + GRANULE_MMU_##name)
#define VA_BITS      31
#define MAPPED       0x400000u /* bytes of lowmem: the program, its tables and pages */
#define WALKS_CACHED 0x3500u   /* IRGN, ORGN: write-back; SH: inner */
#define MAIR         0x00ffu   /* 0: normal write-back memory, 1: device */

enum { TLBI_ALL = 0, TLBI_VA = 2, TLBI_RANGE = 4 };

unsigned page_shift;
static u64 *user_root, *kernel_root;
static volatile u64 *window_slot;
static u32 free_memory; /* from here on */
extern u8 image_end[];

void *new_page(bool cleared)
{
    u32 *page = (u32 *)ALIGN_UP(free_memory, PAGE_SIZE);

    free_memory = (u32)page + PAGE_SIZE;
    for (u32 i = 0; cleared && i < PAGE_SIZE / 4; i++)
        page[i] = 0;
    return page;
}

/* The entry of `va` at `level`; tables on the way are made. */
static volatile u64 *entry(u64 *root, u32 va, unsigned level)
{
    volatile u64 *table = root, *slot;

    for (unsigned at = page_shift == 12 ? 1 : 2;; at++) {
        unsigned lsb = page_shift + (3 - at) * (page_shift - 3);

        slot = table + ((va & (BIT(VA_BITS) - 1)) >> lsb & (PAGE_SIZE / 8 - 1));
        if (at == level)
            return slot;
        if (!*slot)
            *slot = (u32)new_page(true) | TABLE;
        table = (u64 *)((u32)*slot & ~(PAGE_SIZE - 1));
    }
}

void set_last_table(u32 va, u64 table)
{
    *entry(user_root, va, 2) = table | TABLE;
}

static void tlbi(u32 kind, u64 operand)
{
    device_write64(REG(TLBI_OPERAND_LO), operand);
    device_write(REG(TLBI_COMMAND), kind); /* the store ends when the TLBI has */
}

bool mmu_on(unsigned shift)
{
    /* TG1 and TG0 in TCR, by granule; TGran in ID_AA64MMFR0: 4K and 64K are absent with 15. */
    static const u32 tg[] = {2u << 30 | 0 << 14, 1u << 30 | 2 << 14, 3u << 30 | 1 << 14};
    static const u8 tgran[] = {28, 20, 24}, absent[] = {15, 0, 15};
    unsigned code = (shift - 12) / 2;
    u32 id = device_read(REG(MMFR0_LO)), output_size = id & 7;

    if ((id >> tgran[code] & 15) == absent[code])
        return false;
    page_shift = shift;
    free_memory = (u32)image_end;
    user_root = new_page(true);
    kernel_root = new_page(true);
    for (u32 at = GRANULE_LOWMEM_BASE; at - GRANULE_LOWMEM_BASE < MAPPED; at += PAGE_SIZE)
        *entry(kernel_root, at, 3) = at | KERNEL_PAGE;
    *entry(user_root, GRANULE_UART_BASE, 3) = GRANULE_UART_BASE | KERNEL_PAGE | DEVICE;
    *entry(user_root, GRANULE_MMU_BASE, 3) = GRANULE_MMU_BASE | KERNEL_PAGE | DEVICE;
    window_slot = entry(kernel_root, WINDOW, 3);

    tlbi(TLBI_ALL, 0);
    device_write64(REG(MAIR_LO), MAIR);
    device_write64(REG(TCR_LO), (u64)output_size << 32 | tg[code] | WALKS_CACHED << 16 |
                                    (64 - VA_BITS) << 16 | WALKS_CACHED | (64 - VA_BITS));
    device_write64(REG(TTBR0_LO), (u32)user_root | ASID << 48);
    device_write64(REG(TTBR1_LO), (u32)kernel_root);
    device_write64(REG(SCTLR_LO), GRANULE_MMU_SCTLR_LO_M_MASK | GRANULE_MMU_SCTLR_LO_C_MASK);
    return true;
}

void mmu_off(void)
{
    device_write64(REG(SCTLR_LO), 0);
    tlbi(TLBI_ALL, 0);
}

volatile u64 *window_open(u64 page)
{
    *window_slot = page | KERNEL_PAGE;
    return (volatile u64 *)WINDOW;
}

/* Break before make: the next page may come only when no TLB has this one. */
void window_close(void)
{
    *window_slot = 0;
    flush_page(WINDOW);
}

/* The operand has the page of 4 KiB in bits 43:0, sign-extended, and the ASID in 63:48. */
void flush_page(u32 va)
{
    tlbi(TLBI_VA, ASID << 48 | (((u64)(s64)(s32)va) >> 12 & (BIT64(44) - 1)));
}

/* Of 2 * (NUM + 1) pages: NUM in bits 43:39, the granule in 47:46, the first page in 36:0. */
void flush_range(u32 va, u32 pages)
{
    u64 granule = (page_shift - 10) / 2, num = pages / 2 - 1;

    tlbi(TLBI_RANGE, ASID << 48 | granule << 46 | num << 39 |
                         (((u64)(s64)(s32)va) >> page_shift & (BIT64(37) - 1)));
}
