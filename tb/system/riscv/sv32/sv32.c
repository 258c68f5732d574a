#include "sv32.h"

#define ECALL 0x00000073

struct table root __attribute__((aligned(4096)));
struct table frames[4] __attribute__((aligned(4096)));
uint32_t loaded;

static struct table pool[24] __attribute__((aligned(4096)));
static unsigned pool_used;

uint32_t entry_for(uint64_t pa, unsigned bits)
{
    return (uint32_t)(pa >> 12) << 10 | bits;
}

void map_kernel(struct table *table)
{
    const uint32_t base = GRANULE_LOWMEM_BASE;
    *superpage_entry(table, base) = entry_for(base, V | R | W | X | G | A | D);
}

void sv32_on(struct table *table, unsigned asid)
{
    CSR_WRITE(satp, SATP_SV32 | asid << 22 | (uint32_t)table >> 12);
}

volatile uint32_t *superpage_entry(struct table *table, uint32_t va)
{
    return &table->entry[va >> 22];
}

volatile uint32_t *page_entry(struct table *table, uint32_t va)
{
    volatile uint32_t *pointer = superpage_entry(table, va);
    if (!(*pointer & V))
        *pointer = entry_for((uint32_t)&pool[pool_used++], V);
    return &((struct table *)(*pointer >> 10 << 12))->entry[va >> 12 & 1023];
}

volatile uint32_t *map_page(uint32_t va, uint64_t pa, unsigned bits)
{
    volatile uint32_t *entry = page_entry(&root, va);
    *entry = entry_for(pa, bits);
    return entry;
}

void write_code(struct table *frame)
{
    for (unsigned i = 0; i < 1024; i++)
        frame->entry[i] = ECALL;
    fence_i();
}

// Loads and stores by MPRV: M-mode with the rights of another mode.
#define WITH_RIGHTS(instruction)                                             \
    __asm__ volatile("csrs mstatus, %2\n" instruction "\ncsrc mstatus, %2\n" \
                     : "+&r"(value)                                          \
                     : "r"(va), "r"(MPRV)                                    \
                     : "memory")

uint32_t cause_of(enum mode mode, enum operation operation, uint32_t va)
{
    const uint32_t before = trap.count;
    uint32_t value = 0x5a5a0000 | (va & 0xfff);
    if (operation == DO_FETCH) {
        in_mode(mode, FUNCTION(va), 0);
    } else {
        CSR_CLEAR(mstatus, MACHINE << 11);
        CSR_SET(mstatus, mode << 11);
        switch (operation) {
        case DO_LOAD:
            WITH_RIGHTS("lw %0, 0(%1)");
            break;
        case DO_STORE:
            WITH_RIGHTS("sw %0, 0(%1)");
            break;
        case DO_AMO:
            WITH_RIGHTS("amoor.w %0, zero, (%1)");
            break;
        case DO_LR:
            WITH_RIGHTS("lr.w %0, (%1)");
            break;
        default:
            WITH_RIGHTS("sc.w %0, zero, (%1)");
        }
        CSR_SET(mstatus, MACHINE << 11);
    }
    loaded = value;
    return trap.count == before ? NONE : trap.cause;
}

struct outcome {
    uint32_t cause, status, pa; // the status is Arm's
};

// The walk of the privileged ISA.
static struct outcome walk(const struct table *table, enum mode mode, enum operation operation,
                           uint32_t va, unsigned status)
{
    static const uint32_t page_fault[] = {LOAD, STORE, STORE, LOAD, STORE, FETCH};
    static const uint32_t access_fault[] = {LOAD_ACCESS, STORE_ACCESS, STORE_ACCESS,
                                            LOAD_ACCESS, STORE_ACCESS, FETCH_ACCESS};
    const uint32_t fault = page_fault[operation];
    const int fetches = operation == DO_FETCH;
    const int writes = operation == DO_STORE || operation == DO_AMO || operation == DO_SC;
    uint32_t entry = table->entry[va >> 22], size = SUPERPAGE, level = 2;
    if ((entry & (V | R | W | X)) == V) {
        entry = ((const struct table *)(entry >> 10 << 12))->entry[va >> 12 & 1023];
        size = PAGE;
        level = 3;
    }
    const uint32_t pa = (entry >> 10 << 12) + va % size;
    if (!(entry & V) || !(entry & (R | X)) || (entry & (R | W)) == W || (entry << 2) % size >> 12)
        return (struct outcome){fault, 0x04 | level, 0};
    if (!(entry & A))
        return (struct outcome){fault, 0x08 | level, 0};
    const int readable = (entry & R) || ((status & MXR) && (entry & X));
    const int may = fetches ? (entry & X) != 0 : writes ? (entry & W) && (entry & D) : readable;
    const int mine = mode == USER ? (entry & U) != 0 : !(entry & U) || ((status & SUM) && !fetches);
    if (!may || !mine)
        return (struct outcome){fault, 0x0c | level, 0};
    return (struct outcome){pa >= NOWHERE ? access_fault[operation] : NONE, 0x10, pa};
}

void check_access(const struct table *table, enum mode mode, enum operation operation, uint32_t va,
                  unsigned status)
{
    const int known = failures;
    const struct outcome want = walk(table, mode, operation, va, status);
    const uint32_t old = want.cause == NONE ? REG32(want.pa) : 0;
    CSR_CLEAR(mstatus, SUM | MXR);
    CSR_SET(mstatus, status);
    EXPECT(cause_of(mode, operation, va), want.cause);
    CSR_CLEAR(mstatus, SUM | MXR);
    if (want.cause != NONE) {
        EXPECT(MMU(ESR_LO) & 0x3f, want.status);
        EXPECT(MMU(FAR_LO), va);
        EXPECT(trap.value, va);
    } else if (operation == DO_STORE) {
        EXPECT(REG32(want.pa), loaded);
    } else if (operation == DO_SC) {
        EXPECT(REG32(want.pa), loaded == 0 ? 0 : old);
    } else if (operation != DO_FETCH) {
        EXPECT(loaded, old);
    }
    if (failures != known) {
        put_value("va", va);
        put_value("mode", mode);
        put_value("status", status);
        put_value("operation", operation);
        put_value("root entry", table->entry[va >> 22]);
    }
}
