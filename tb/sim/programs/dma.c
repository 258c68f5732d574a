// The DMA engine behind its own MMU, on the whole system: pages that leave under a running
// transfer. Granule as in tables.h.
#include "granule_bridge.h"
#include "granule_dma.h"
#include "machine.h"
#include "tables.h"

#define DMA(offset)    REG32(GRANULE_DMA_BASE + GRANULE_DMA_##offset)
#define BRIDGE(offset) REG32(GRANULE_BRIDGE_BASE + GRANULE_BRIDGE_##offset)

enum stream { PHYSICAL, STRICT }; // bypass; faults end the list
enum mode_of_stream { OFF, BYPASS, TTBR0 };
enum flags { FILL = 1, LAST = 2 };
#define WRITE 3 // the cause of an error

#define TO   0x20000000u
#define LINE 64

struct entry {
    uint32_t flags, bytes;
    uint64_t source, destination;
    uint32_t value, own;
};

static struct entry list __attribute__((aligned(64)));
static volatile uint32_t frame[65536 / 4] __attribute__((aligned(65536)));

// What Linux calls dma_sync: clean what the engine will read, drop what it will write or wrote.
static void clean(volatile void *at, uint32_t bytes)
{
    for (uint32_t line = (uint32_t)at; line < (uint32_t)at + bytes; line += LINE)
        __asm__ volatile(".insn i 0x0f, 2, x0, %0, 1" ::"r"(line) : "memory"); // cbo.clean
}

static void drop(volatile void *at, uint32_t bytes)
{
    for (uint32_t line = (uint32_t)at; line < (uint32_t)at + bytes; line += LINE)
        __asm__ volatile(".insn i 0x0f, 2, x0, %0, 0" ::"r"(line) : "memory"); // cbo.inval
}

static void context(enum stream stream, enum mode_of_stream mode, uint64_t root)
{
    BRIDGE(STREAM) = stream;
    BRIDGE(ROOT_LO) = root;
    BRIDGE(ROOT_HI) = root >> 32;
    BRIDGE(CONTEXT) = mode;
}

// A fill of the page at TO.
static void begin(void)
{
    list = (struct entry){FILL | LAST, page_size(), 0, TO, 0xffffffff, 0};
    DMA(STREAMS) = PHYSICAL | STRICT << 8 | STRICT << 16;
    DMA(LIST_LO) = (uint32_t)&list;
    DMA(LIST_HI) = 0;
    clean(&list, sizeof list);
    DMA(CONTROL) = GRANULE_DMA_CONTROL_START_MASK;
}

static uint32_t ended(void)
{
    while (DMA(STATUS) & GRANULE_DMA_STATUS_BUSY_MASK)
        ;
    return DMA(STATUS);
}

enum way { REGISTER, SFENCE, POSTED, WAYS };

static void post(uint32_t va, uint32_t spared)
{
    MMU(TLBI_OPERAND_LO) = va >> 12;
    MMU(TLBI_OPERAND_HI) = 1 << 16;
    MMU(TLBI_COMMAND) = 2 | GRANULE_MMU_TLBI_COMMAND_POSTED_MASK | spared;
}

// The engine has begun to fill the page at TO, whose descriptor is gone then.
static void begin_without_page(void)
{
    const uint32_t size = page_size();
    map(TO, (uint32_t)frame, USER_DATA);
    for (uint32_t i = 0; i < size / 4; i++)
        frame[i] = 0;
    clean(frame, size);
    tlbi_va(TO, 1);
    begin();
    while (DMA(BYTES) < LINE && DMA(STATUS) & GRANULE_DMA_STATUS_BUSY_MASK)
        ;
    *descriptor(TO, 3) = 0;
}

// A page leaves while the engine writes it. When the invalidation is complete, by register, by
// SFENCE.VMA or posted and waited for, nothing of the engine reaches the frame any more: it is
// somebody else's.
static void unmapped_under_a_transfer(enum way way)
{
    static const char *const names[WAYS] = {"tlbi_at", "sfence_at", "posted_at"};
    const uint32_t size = page_size();
    tlbi_va(TO, 1);
    const uint32_t idle = MMU(TLBI_CYCLES);
    begin_without_page();
    if (way == REGISTER) {
        tlbi_va(TO, 1); // waits for the bus's answers to what the engine has begun
        put_value("tlbi_idle", idle);
        put_value("tlbi_busy", MMU(TLBI_CYCLES));
    } else if (way == SFENCE) {
        sfence();
    } else {
        post(TO + size, 0);
        post(TO, 0);
        put_value("open", (MMU(TLBI_SYNC) & GRANULE_MMU_TLBI_SYNC_OPEN_MASK) != 0);
        MMU(TLBI_SYNC) = 0;
        EXPECT(MMU(TLBI_SYNC) & GRANULE_MMU_TLBI_SYNC_OPEN_MASK, 0);
    }
    drop(frame, size);
    uint32_t written = 0; // a change after this would be a write that came too late
    while (written < size / 4 && frame[written])
        written++;
    const uint32_t status = ended(), bytes = DMA(BYTES);
    EXPECT(status, GRANULE_DMA_STATUS_ERROR_MASK);
    EXPECT(DMA(ERROR) & GRANULE_DMA_ERROR_CAUSE_MASK, WRITE);
    EXPECT(bytes, 4 * written);
    EXPECT(DMA(ERROR_VA_LO), TO + bytes);
    EXPECT(bytes >= LINE && bytes < size, 1);
    drop(frame, size);
    for (uint32_t i = 0; i < size / 4; i++)
        if (!frame[i] != (i >= written)) {
            put_value("late word", i);
            failures++;
            break;
        }
    put_value(names[way], bytes);
    BRIDGE(FAULT_POP) = 0;
}

// A local invalidation is none of the engine's business: it has the page yet, and ends as if
// nothing had happened. One for devices ends that.
static void local_leaves_the_engine_alone(void)
{
    const uint32_t size = page_size();
    begin_without_page();
    post(TO, GRANULE_MMU_TLBI_COMMAND_NOT_DEVICES_MASK);
    MMU(TLBI_SYNC) = 0;
    EXPECT(DMA(STATUS), GRANULE_DMA_STATUS_BUSY_MASK);
    EXPECT(ended(), GRANULE_DMA_STATUS_DONE_MASK);
    drop(frame, size);
    EXPECT(frame[size / 4 - 1], 0xffffffff);
    post(TO, GRANULE_MMU_TLBI_COMMAND_NOT_CPU_MASK);
    MMU(TLBI_SYNC) = 0;
    begin();
    EXPECT(ended(), GRANULE_DMA_STATUS_ERROR_MASK);
    EXPECT(DMA(ERROR_VA_LO), TO);
    BRIDGE(FAULT_POP) = 0;
}

int main(void)
{
    choose_granule();
    mmu_on();
    context(PHYSICAL, BYPASS, 0);
    context(STRICT, TTBR0, (uint32_t)user_table | 1ull << 48);
    BRIDGE(CONTROL) = GRANULE_BRIDGE_CONTROL_RUN_MASK;
    for (enum way way = REGISTER; way < WAYS; way++)
        unmapped_under_a_transfer(way);
    local_leaves_the_engine_alone();
    return failures;
}
