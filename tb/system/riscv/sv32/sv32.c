#include "sv32.h"

int failures;
struct table root __attribute__((aligned(4096)));
struct table frames[4] __attribute__((aligned(4096)));
uint8_t stack_of_s[4096] __attribute__((aligned(16)));
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

void write_code(struct table *frame, enum mode mode)
{
    for (unsigned i = 0; i < 1024; i++)
        frame->entry[i] = mode == USER ? 0x00000073 : 0x00008067; // ecall, ret
    __asm__ volatile("fence.i" ::: "memory");
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
        run_in(mode, FUNCTION(va), 0, stack_of_s + sizeof stack_of_s);
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
