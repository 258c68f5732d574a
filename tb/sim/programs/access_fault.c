// Accesses that nothing answers: loads, stores, fetches and cache block operations at addresses
// where nothing is, and a store of a part of a register. They end in precise access faults.
#include "granule_sysinfo.h"
#include "machine.h"

// What must have happened since there were `before` traps: one, at the instruction `pc`.
static void faulted(uint32_t before, uint32_t cause, uint32_t address, uint32_t pc)
{
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, cause);
    EXPECT(trap.value, address);
    EXPECT(trap.pc, pc);
}

#define ACCESS_FAULTS(cause, address, instruction)          \
    do {                                                    \
        const uint32_t at_ = address, before_ = trap.count; \
        uint32_t pc_;                                       \
        __asm__ volatile("la %0, 1f\n1: " instruction       \
                         : "=&r"(pc_)                       \
                         : "r"(at_), "r"(~0u)               \
                         : "memory");                       \
        faulted(before_, cause, at_, pc_);                  \
    } while (0)

// cbo.inval, cbo.clean, cbo.flush
#define BLOCK_OPERATION(number) ".insn i 0x0f, 2, x0, %1, " #number

static void accesses_fault(uint32_t address)
{
    ACCESS_FAULTS(5, address, "lw zero, 0(%1)");
    ACCESS_FAULTS(7, address, "sw zero, 0(%1)");
    ACCESS_FAULTS(7, address, BLOCK_OPERATION(0));
    ACCESS_FAULTS(7, address, BLOCK_OPERATION(1));
    ACCESS_FAULTS(7, address, BLOCK_OPERATION(2));
}

static void fetch_faults(uint32_t address)
{
    const uint32_t before = trap.count;
    __asm__ volatile("jalr ra, 0(%0)" ::"r"(address) : "ra", "memory");
    faulted(before, 1, address, address);
}

static void block_operations_pass(uint32_t address)
{
    const uint32_t before = trap.count;
    __asm__ volatile(BLOCK_OPERATION(1)::"r"(0), "r"(address) : "memory");
    __asm__ volatile(BLOCK_OPERATION(2)::"r"(0), "r"(address) : "memory");
    __asm__ volatile(BLOCK_OPERATION(0)::"r"(0), "r"(address) : "memory"); // nothing is left
    EXPECT(trap.count, before);
}

int main(void)
{
    const uint32_t lowmem = REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_LOWMEM_BYTES);
    const uint32_t nowhere[] = {
        0x00000000, 0x20000000, 0x7ffffffc, GRANULE_LOWMEM_BASE + lowmem,
        0xbffffffc, 0xc0000000, 0xfffffffc,
    };
    for (unsigned i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        accesses_fault(nowhere[i]);
        fetch_faults(nowhere[i]);
    }
    // Holes between peripherals, and a register that does not exist.
    accesses_fault(0x10040000);
    ACCESS_FAULTS(5, GRANULE_SYSINFO_BASE + 0x100, "lw zero, 0(%1)");
    // Instructions do not come from peripherals.
    fetch_faults(GRANULE_UART_BASE);
    fetch_faults(GRANULE_SYSINFO_BASE);

    // The last word of memory is there.
    volatile uint32_t *last = (volatile uint32_t *)(GRANULE_LOWMEM_BASE + lowmem - 4);
    const uint32_t before = trap.count;
    *last = 0x12345678;
    EXPECT(*last, 0x12345678);
    EXPECT(trap.count, before);
    block_operations_pass((uint32_t)last);
    EXPECT(*last, 0x12345678);
    block_operations_pass(GRANULE_UART_BASE); // a load may reach it, and it has no line
    // A device register is stored to as a word.
    ACCESS_FAULTS(7, GRANULE_TIMER_BASE, "sb %2, 0(%1)");
    EXPECT(REG32(GRANULE_TIMER_BASE), 0);
    return failures;
}
