/* What the firmware does with memory in S-mode's place: misaligned accesses with the rights of the
 * page, faults that S-mode sees as its own, and fences that are seen to act; and that S-mode cannot
 * reach the firmware's own memory. Under Sv32, all memory in superpages at its own address, and a
 * few pages at WINDOW. */
#include "lib/fdt.h"
#include "supervisor.h"

#define WINDOW 0x40000000u
#define PAGE   4096u

enum { V = 1, R = 2, W = 4, X = 8, U = 16, A = 64, D = 128 };
#define DATA (V | R | W | A | D)

static u32 root[1024] __attribute__((aligned(4096)));
static u32 table[1024] __attribute__((aligned(4096)));
static u8 pages[2][PAGE] __attribute__((aligned(4096)));
static u8 marked[2][PAGE] __attribute__((aligned(4096)));

static u32 entry(const void *page, u32 rights)
{
    return (u32)(uintptr_t)page >> 12 << 10 | rights;
}

static void fence(void)
{
    __asm__ volatile("sfence.vma" ::: "memory");
}

static void map(u32 page, const void *to, u32 rights)
{
    table[page] = to ? entry(to, rights) : 0;
    fence();
}

static void paging(void)
{
    for (u32 i = 0x80000000 >> 22; i < 0xc0000000 >> 22; i++)
        root[i] = (i << 20) | DATA | X;
    root[WINDOW >> 22] = entry(table, V);
    map(0, pages[0], DATA);
    map(1, pages[1], DATA);
    csr_write_named(satp, 1u << 31 | (u32)(uintptr_t)root >> 12);
    fence();
}

/* What WINDOW + offset must read as when pages[0] lies behind pages[1]. */
static u32 word_at(u32 offset)
{
    u32 value = 0;

    for (u32 at = offset; at < offset + 4; at++)
        value |= (u32)(at < PAGE ? pages[1][at] : pages[0][at - PAGE]) << 8 * (at - offset);
    return value;
}

#define LOAD(instruction, address)                                                            \
    ({                                                                                        \
        u32 value_ = 0xdeadbeef;                                                              \
        __asm__ volatile(#instruction " %0, (%1)" : "+&r"(value_) : "r"(address) : "memory"); \
        value_;                                                                               \
    })
#define STORE(instruction, address, value) \
    __asm__ volatile(#instruction " %0, (%1)" ::"r"(value), "r"(address) : "memory")

/* At every offset around the border of two pages, which lie apart in physical memory. */
static void loads(void)
{
    map(0, pages[1], DATA);
    map(1, pages[0], DATA);
    for (u32 i = 0; i < PAGE; i++)
        pages[0][i] = (u8)(i * 7 + 0x93), pages[1][i] = (u8)(i * 5 + 0x81);
    for (u32 offset = PAGE - 8; offset < PAGE + 8; offset++) {
        u32 word = word_at(offset);

        EXPECT(LOAD(lw, WINDOW + offset), word);
        EXPECT(LOAD(lhu, WINDOW + offset), word & 0xffff);
        EXPECT(LOAD(lh, WINDOW + offset), (s32)(short)word);
    }
    __asm__ volatile("lw zero, (%0)" ::"r"(WINDOW + 1)); /* no register, no value */
    EXPECT(seen.count, 0);
}

static void stores(void)
{
    for (u32 offset = PAGE - 8; offset < PAGE + 4; offset++) {
        u32 value = 0x11223344 + offset * 0x01010101;

        STORE(sw, WINDOW + offset, value);
        EXPECT(word_at(offset), value);
        STORE(sh, WINDOW + offset, ~value);
        EXPECT(LOAD(lw, WINDOW + offset), (value & 0xffff0000) | (~value & 0xffff));
    }
    __asm__ volatile("sw zero, (%0)" ::"r"(WINDOW + 1));
    EXPECT(LOAD(lw, WINDOW + 1), 0);
    EXPECT(seen.count, 0);
}

static u32 fault(u32 cause, u32 value)
{
    u32 ok = seen.count == 1 && seen.cause == cause && seen.value == value;

    if (!ok)
        kprintf("saw %u traps, cause 0x%x, value 0x%x\n", seen.count, seen.cause, seen.value);
    seen.count = 0;
    return ok;
}

/* A fault of any byte is the access's, with the byte's address, and S-mode's state is as after any
 * trap. */
static void faults(void)
{
    u32 border = WINDOW + PAGE;

    map(1, NULL, 0);
    EXPECT(LOAD(lw, border - 2), 0xdeadbeef);
    EXPECT(fault(CAUSE_LOAD_PAGE, border), true);
    STORE(sw, border - 1, 0x55);
    EXPECT(fault(CAUSE_STORE_PAGE, border), true);
    map(1, pages[0], V | R | A); /* read only */
    LOAD(lw, border - 2);
    EXPECT(seen.count, 0);
    STORE(sh, border - 1, 0);
    EXPECT(fault(CAUSE_STORE_PAGE, border), true);
    map(1, pages[0], DATA | U); /* the user's, and SUM decides */
    LOAD(lw, border + 1);
    EXPECT(fault(CAUSE_LOAD_PAGE, border + 1), true);
    csr_set_named(sstatus, SSTATUS_SUM);
    LOAD(lw, border + 1);
    EXPECT(seen.count, 0);
    csr_clear_named(sstatus, SSTATUS_SUM);
    map(1, pages[0], DATA);
    EXPECT(csr_read_named(sstatus) & (SSTATUS_SIE | SSTATUS_SUM), 0);
}

/* Atomic instructions cannot be taken apart: their misaligned address is S-mode's fault. */
static void atomics(void)
{
    u32 value;

    __asm__ volatile("amoadd.w %0, %0, (%1)" : "=r"(value) : "r"(WINDOW + 2), "0"(1) : "memory");
    EXPECT(fault(CAUSE_STORE_MISALIGNED, WINDOW + 2), true);
    __asm__ volatile("lr.w %0, (%1)" : "=r"(value) : "r"(WINDOW + 2) : "memory");
    EXPECT(fault(CAUSE_LOAD_MISALIGNED, WINDOW + 2), true);
}

/* The mask of a legacy call is read with the caller's rights; its fault is one of the ecall. */
static void legacy_mask(void)
{
    SBI(4, 0, WINDOW + 8 * PAGE);
    EXPECT(fault(CAUSE_LOAD_PAGE, WINDOW + 8 * PAGE), true);
    EXPECT(csr_read_named(sip) & IP_SSIP, 0);
    *(volatile u32 *)pages[1] = 1;
    SBI(4, 0, WINDOW);
    EXPECT(csr_read_named(sip) & IP_SSIP, IP_SSIP);
    csr_clear_named(sip, IP_SSIP);
    EXPECT(seen.count, 0);
}

static u32 marks(u32 count)
{
    u32 sum = 0;

    for (u32 page = 0; page < count; page++)
        sum |= *(volatile u32 *)(WINDOW + page * PAGE) << page;
    return sum;
}

/* Each fence of the firmware, after tables that changed without one. A range that begins or ends
 * within a page covers it, too: each of the four pages has another frame before and after. */
static void fences(void)
{
    enum { COUNT = 4, ALL = (1 << COUNT) - 1 };
    static const struct {
        u32 start, size, covered;
    } range[] = {
        {0x800, PAGE, 0x3},  {PAGE - 4, 8, 0x3},         {4, 2 * PAGE, 0x7}, {0xfff, 2, 0x3},
        {0x800, 0x800, 0x1}, {PAGE, 2 * PAGE, 0x6},      {PAGE + 1, 1, 0x2}, {0, 1, 0x1},
        {1, 3 * PAGE, ALL},  {0xfff, 2 * PAGE + 2, ALL}, {0, 0, 0x1},        {0, 1u << 20, ALL},
    };

    *(volatile u32 *)marked[1] = 1;
    for (u32 function = 1; function <= 2; function++)
        for (u32 i = 0; i < ARRAY_SIZE(range); i++) {
            for (u32 page = 0; page < COUNT; page++)
                map(page, marked[0], DATA);
            EXPECT(marks(COUNT), 0);
            for (u32 page = 0; page < COUNT; page++)
                table[page] = entry(marked[1], DATA);
            EXPECT_OK(
                SBI(SBI_EXT_RFENCE, function, 1, 0, WINDOW + range[i].start, range[i].size, 0));
            EXPECT(marks(COUNT) & range[i].covered, range[i].covered);
        }
    for (u32 page = 2; page < COUNT; page++)
        map(page, NULL, 0);
}

/* Physical memory protection keeps loads, stores and fetches out, whatever the page tables say; it
 * is the physical address that is judged, the fault has the access's own. */
static void no_access(u32 address)
{
    EXPECT(LOAD(lw, address), 0xdeadbeef);
    EXPECT(fault(CAUSE_LOAD_ACCESS, address), true);
    STORE(sw, address, 0);
    EXPECT(fault(CAUSE_STORE_ACCESS, address), true);
    __asm__ volatile("jalr %0" ::"r"(address) : "ra", "memory");
    EXPECT(fault(CAUSE_FETCH_ACCESS, address), true);
}

static void firmware_memory(u32 start, u32 end)
{
    no_access(start);
    no_access(start + (end - start) / 2);
    no_access(end - 4);
    LOAD(lw, end - 2); /* misaligned: the firmware may read its memory, the caller may not */
    EXPECT(fault(CAUSE_LOAD_ACCESS, end - 2), true);
    STORE(sw, end - 2, 0);
    EXPECT(fault(CAUSE_STORE_ACCESS, end - 2), true);
    LOAD(lw, end);
    EXPECT(seen.count, 0);
}

/* Under another address, and as a table that the walk would read. */
static void firmware_pages(u32 start)
{
    map(2, (void *)(uintptr_t)start, DATA | X);
    no_access(WINDOW + 2 * PAGE);
    root[(WINDOW >> 22) + 1] = entry((void *)(uintptr_t)start, V);
    fence();
    no_access(WINDOW + (1u << 22));
}

void main(u32 hart, void *tree)
{
    u32 length;
    const u32 *firmware = fdt_property(tree, "firmware@80000000", "reg", &length);
    u32 start = __builtin_bswap32(firmware[1]), size = __builtin_bswap32(firmware[3]);

    (void)hart;
    firmware_memory(start, start + size);
    paging();
    firmware_memory(start, start + size);
    firmware_pages(start);
    loads();
    stores();
    faults();
    atomics();
    legacy_mask();
    fences();
    csr_write_named(satp, 0);
    end();
}
