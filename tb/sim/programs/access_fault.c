// Accesses that nothing answers: loads, stores, fetches and cache block operations at addresses
// where nothing is, and stores of a part of a register. They end in precise access faults.
#include "granule_mmu.h"
#include "granule_sysinfo.h"
#include "soc.h"

int failures;

static void load(uint32_t address)
{
    const uint32_t before = trap.count;
    uint32_t pc;
    __asm__ volatile("la %0, 1f\n1: lw zero, 0(%1)" : "=&r"(pc) : "r"(address) : "memory");
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, 5);
    EXPECT(trap.value, address);
    EXPECT(trap.pc, pc);
}

static void store(uint32_t address)
{
    const uint32_t before = trap.count;
    uint32_t pc;
    __asm__ volatile("la %0, 1f\n1: sw zero, 0(%1)" : "=&r"(pc) : "r"(address) : "memory");
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, 7);
    EXPECT(trap.value, address);
    EXPECT(trap.pc, pc);
}

static void fetch(uint32_t address)
{
    const uint32_t before = trap.count;
    __asm__ volatile("jalr ra, 0(%0)" ::"r"(address) : "ra", "memory");
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, 1);
    EXPECT(trap.value, address);
    EXPECT(trap.pc, address);
}

// cbo.inval, cbo.clean, cbo.flush
#define BLOCK_OPERATION(number, address) \
    __asm__ volatile(".insn i 0x0f, 2, x0, %0, " #number ::"r"(address) : "memory")

static void block_operations_fault(uint32_t address)
{
    for (unsigned operation = 0; operation < 3; operation++) {
        const uint32_t before = trap.count;
        if (operation == 0)
            BLOCK_OPERATION(0, address);
        else if (operation == 1)
            BLOCK_OPERATION(1, address);
        else
            BLOCK_OPERATION(2, address);
        EXPECT(trap.count, before + 1);
        EXPECT(trap.cause, 7);
        EXPECT(trap.value, address);
    }
}

static void block_operations_pass(uint32_t address)
{
    const uint32_t before = trap.count;
    BLOCK_OPERATION(1, address);
    BLOCK_OPERATION(2, address);
    BLOCK_OPERATION(0, address); // nothing is left that it could drop
    EXPECT(trap.count, before);
}

static void part_refused(uint32_t address, uint32_t before)
{
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, 7);
    EXPECT(trap.value, address);
}

// A device register is stored to as a word. The word stays what it is, and is read in parts.
static void words_only(uint32_t at, uint32_t value)
{
    REG32(at) = value;
    const uint32_t word = REG32(at);
    for (uint32_t byte = 0; byte < 4; byte++) {
        const uint32_t before = trap.count;
        __asm__ volatile("sb %0, 0(%1)" ::"r"(~0u), "r"(at + byte) : "memory");
        part_refused(at + byte, before);
        EXPECT(REG32(at), word);
        EXPECT(*(volatile uint8_t *)(at + byte), word >> 8 * byte & 0xff);
    }
    for (uint32_t half = 0; half < 4; half += 2) {
        const uint32_t before = trap.count;
        __asm__ volatile("sh %0, 0(%1)" ::"r"(~0u), "r"(at + half) : "memory");
        part_refused(at + half, before);
        EXPECT(REG32(at), word);
        EXPECT(*(volatile uint16_t *)(at + half), word >> 8 * half & 0xffff);
    }
    REG32(at) = value;
    EXPECT(REG32(at), word);
}

static void parts_of_registers(void)
{
    words_only(GRANULE_TIMER_BASE, 0);                   // msip
    words_only(GRANULE_TIMER_BASE + 0x4004, 0xa5a55a5a); // mtimecmp
    words_only(GRANULE_PLIC_BASE + 4 * GRANULE_UART_IRQ, 5);
    words_only(GRANULE_PLIC_BASE + 0x2000, 0);
    words_only(GRANULE_UART_BASE + 0x0c, 1); // rxctrl
    words_only(GRANULE_MMU_BASE + GRANULE_MMU_TTBR0_LO, 0x80010000);
    words_only(GRANULE_MMU_BASE + GRANULE_MMU_TTBR0_HI, 0x00050000); // ASID 5
    words_only(GRANULE_SYSINFO_BASE, 0);
    REG32(GRANULE_TIMER_BASE + 0x4004) = ~0u;
}

int main(void)
{
    const uint32_t lowmem = REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_LOWMEM_BYTES);
    const uint32_t nowhere[] = {
        0x00000000, 0x20000000, 0x7ffffffc, GRANULE_LOWMEM_BASE + lowmem,
        0xbffffffc, 0xc0000000, 0xfffffffc,
    };
    for (unsigned i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        load(nowhere[i]);
        store(nowhere[i]);
        fetch(nowhere[i]);
        block_operations_fault(nowhere[i]);
    }
    // Holes between peripherals, and a register that does not exist.
    load(0x10040000);
    store(0x10040000);
    block_operations_fault(0x10040000);
    load(GRANULE_SYSINFO_BASE + 0x100);
    // Instructions do not come from peripherals.
    fetch(GRANULE_UART_BASE);
    fetch(GRANULE_SYSINFO_BASE);

    // The last word of memory is there.
    volatile uint32_t *last = (volatile uint32_t *)(GRANULE_LOWMEM_BASE + lowmem - 4);
    const uint32_t before = trap.count;
    *last = 0x12345678;
    EXPECT(*last, 0x12345678);
    EXPECT(trap.count, before);
    block_operations_pass((uint32_t)last);
    EXPECT(*last, 0x12345678);
    block_operations_pass(GRANULE_UART_BASE); // a load may reach it, and it has no line
    parts_of_registers();
    return failures;
}
