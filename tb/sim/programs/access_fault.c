// Addresses that nothing answers: loads, stores and fetches end in precise access faults.
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
    }
    // Holes between peripherals, and a register that does not exist.
    load(0x10040000);
    store(0x10040000);
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
    return failures;
}
