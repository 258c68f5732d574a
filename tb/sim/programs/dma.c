// The DMA engine behind its own MMU, on the whole system: copies and fills by physical and virtual
// address, its interrupts, faults that wait for software, pages that leave under a running
// transfer, and what it means that the engine does not see the data cache. Granule as in tables.h.
#include "granule_bridge.h"
#include "granule_dma.h"
#include "machine.h"
#include "tables.h"

#define DMA(offset)    REG32(GRANULE_DMA_BASE + GRANULE_DMA_##offset)
#define BRIDGE(offset) REG32(GRANULE_BRIDGE_BASE + GRANULE_BRIDGE_##offset)

enum stream { PHYSICAL, STRICT, PATIENT }; // bypass; faults end the list; faults wait
enum mode_of_stream { OFF, BYPASS, TTBR0 };
enum flags { FILL = 1, LAST = 2 };
enum cause { NONE, LIST, READ, WRITE };
#define DECERR 3

#define FROM 0x10000000u
#define TO   0x20000000u
#define LINE 64

struct entry {
    uint32_t flags, bytes;
    uint64_t source, destination;
    uint32_t value, own;
};

static struct entry list[4] __attribute__((aligned(64)));
static uint32_t frames[6][65536 / 4] __attribute__((aligned(65536)));

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

static void context(enum stream stream, enum mode_of_stream mode, uint64_t root, uint32_t flags)
{
    BRIDGE(STREAM) = stream;
    BRIDGE(ROOT_LO) = root;
    BRIDGE(ROOT_HI) = root >> 32;
    BRIDGE(CONTEXT) = mode | flags;
}

static void begin(unsigned entries, enum stream from, enum stream to)
{
    clean(list, sizeof list);
    DMA(STREAMS) = PHYSICAL | from << 8 | to << 16;
    DMA(LIST_LO) = (uint32_t)list;
    DMA(LIST_HI) = 0;
    list[entries - 1].flags |= LAST;
    clean(list, sizeof list);
    DMA(CONTROL) = GRANULE_DMA_CONTROL_START_MASK;
}

static uint32_t ended(void)
{
    while (DMA(STATUS) & GRANULE_DMA_STATUS_BUSY_MASK)
        ;
    return DMA(STATUS);
}

// The only entry, by one stream; how it ended.
static uint32_t transfer(enum stream stream, struct entry only)
{
    list[0] = only;
    begin(1, stream, stream);
    return ended();
}

// The PLIC's line of M-mode becomes high; the source that it names.
static uint32_t interrupt(void)
{
    wait_for(EXTERNAL_M, 100000);
    return CLAIM(0);
}

static void pattern(uint32_t *page, uint32_t seed)
{
    for (uint32_t i = 0; i < page_size() / 4; i++)
        page[i] = seed + 7 * i;
    clean(page, page_size());
}

static int holds(uint32_t *page, uint32_t first, uint32_t end, uint32_t seed)
{
    for (uint32_t i = first; i < end; i++)
        if (page[i] != seed + 7 * i)
            return 0;
    return 1;
}

// By physical address: a copy and a fill, highmem among the places, and one interrupt at the end.
static void by_physical_address(void)
{
    const uint32_t size = page_size();
    const uint64_t high = GRANULE_HIGHMEM_BASE + 8 * size;
    pattern(frames[0], 0x1000);
    pattern(frames[1], 0x2000);
    list[0] = (struct entry){0, size, (uint32_t)frames[0], high, 0, 0};
    list[1] = (struct entry){0, size, high, (uint32_t)frames[1], 0, 0};
    list[2] = (struct entry){FILL, size, 0, (uint32_t)frames[2], 0x5a5a5a5a, 0};
    DMA(INTERRUPT) = GRANULE_DMA_INTERRUPT_DONE_MASK | GRANULE_DMA_INTERRUPT_ERROR_MASK;
    drop(frames[1], size);
    drop(frames[2], size);
    begin(3, PHYSICAL, PHYSICAL);
    EXPECT(interrupt(), GRANULE_DMA_IRQ);
    EXPECT(DMA(STATUS), GRANULE_DMA_STATUS_DONE_MASK);
    EXPECT(DMA(ENTRY), 3);
    DMA(STATUS) = GRANULE_DMA_STATUS_DONE_MASK;
    CLAIM(0) = GRANULE_DMA_IRQ;
    EXPECT(CLAIM(0), 0);
    EXPECT(holds(frames[1], 0, size / 4, 0x1000), 1);
    for (uint32_t i = 0; i < size / 4; i++)
        if (frames[2][i] != 0x5a5a5a5a) {
            EXPECT(frames[2][i], 0x5a5a5a5a);
            break;
        }
}

// The engine is not coherent: it reads memory, not dirty lines, and clean lines do not see it.
static void the_cache_is_not_seen(void)
{
    volatile uint32_t *source = frames[3], *destination = frames[4];
    source[0] = 0x01d; // old
    clean(source, LINE);
    source[0] = 0x2e1; // dirty
    destination[0] = 0xcac4e;
    clean(destination, LINE);
    const struct entry copy = {0, LINE, (uint32_t)source, (uint32_t)destination, 0, 0};
    EXPECT(transfer(PHYSICAL, copy), GRANULE_DMA_STATUS_DONE_MASK);
    EXPECT(destination[0], 0xcac4e);
    drop(destination, LINE);
    EXPECT(destination[0], 0x01d);
    clean(source, LINE);
    EXPECT(transfer(PHYSICAL, copy), GRANULE_DMA_STATUS_DONE_MASK);
    drop(destination, LINE);
    EXPECT(destination[0], 0x2e1);
}

// A peripheral is no memory, and neither is what nobody has: an error of the bus with its address.
static void nothing_but_memory(void)
{
    const uint32_t places[] = {GRANULE_UART_BASE, GRANULE_DMA_BASE, 0x70000000};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        const struct entry read = {0, LINE, places[i], (uint32_t)frames[5], 0, 0};
        const struct entry write = {FILL, LINE, 0, places[i], 0, 0};
        EXPECT(transfer(PHYSICAL, read), GRANULE_DMA_STATUS_ERROR_MASK);
        EXPECT(DMA(ERROR), READ | DECERR << GRANULE_DMA_ERROR_RESPONSE_SHIFT);
        EXPECT(DMA(ERROR_VA_LO), places[i]);
        EXPECT(transfer(PHYSICAL, write), GRANULE_DMA_STATUS_ERROR_MASK);
        EXPECT(DMA(ERROR), WRITE | DECERR << GRANULE_DMA_ERROR_RESPONSE_SHIFT);
    }
}

static uint32_t walks(uint32_t va)
{
    uint32_t sum = 0;
    for (unsigned n = 0; n < 40; n++) {
        sum += load(va);
        sfence();
    }
    return sum;
}

// Tables are as the CPU wrote them, dirty in its cache: the engine's walker reads through it, in
// turn with the CPU's, which walks all the time.
static void by_virtual_address(void)
{
    const uint32_t size = page_size();
    for (unsigned n = 0; n < 2; n++) {
        pattern(frames[n], 0x3000 * (n + 1));
        map(FROM + n * size, (uint32_t)frames[n], USER_DATA);
        map(TO + n * size, (uint32_t)frames[3 - n], USER_DATA);
        drop(frames[3 - n], size);
    }
    map(FROM + 5 * size, (uint32_t)frames[5], KERNEL_DATA);
    frames[5][0] = 3;
    list[0] = (struct entry){0, 2 * size - 8, FROM + 4, TO + 4, 0, 0};
    begin(1, STRICT, STRICT);
    EXPECT(in_s(walks, FROM + 5 * size), 3 * 40);
    EXPECT(ended(), GRANULE_DMA_STATUS_DONE_MASK);
    EXPECT(holds(frames[3], 1, size / 4, 0x3000), 1);
    EXPECT(holds(frames[2], 0, size / 4 - 1, 0x6000), 1);
    EXPECT(BRIDGE(FAULTS), 0);
}

// A page that is not there: the engine waits, software maps it, and the transfer goes on.
static void faults_are_served(void)
{
    const uint32_t size = page_size(), va = TO + size;
    pattern(frames[0], 0x100);
    pattern(frames[1], 0x200);
    drop(frames[2], size);
    *descriptor(va, 3) = 0;
    tlbi_va(va, 1);
    BRIDGE(INTERRUPT) = GRANULE_BRIDGE_INTERRUPT_FAULT_MASK;
    list[0] = (struct entry){0, 2 * size, FROM, TO, 0, 0};
    begin(1, PATIENT, PATIENT);
    unsigned served = 0;
    for (uint32_t source; (source = interrupt()) == GRANULE_BRIDGE_IRQ; CLAIM(0) = source) {
        const uint32_t info = BRIDGE(FAULT_INFO);
        if (served++ == 0) {
            EXPECT(info & GRANULE_BRIDGE_FAULT_INFO_STATUS_MASK, 0x07);
            EXPECT(info & GRANULE_BRIDGE_FAULT_INFO_WRITE_MASK, GRANULE_BRIDGE_RESUME_WRITE_MASK);
            EXPECT(BRIDGE(FAULT_VA_LO), va);
            EXPECT(DMA(STATUS), GRANULE_DMA_STATUS_BUSY_MASK);
            map(va, (uint32_t)frames[2], USER_DATA);
        }
        BRIDGE(FAULT_POP) = 0;
        BRIDGE(RESUME) =
            (info & (GRANULE_BRIDGE_RESUME_WRITE_MASK | GRANULE_BRIDGE_RESUME_SLOT_MASK)) |
            GRANULE_BRIDGE_RESUME_RETRY_MASK;
    }
    EXPECT(served != 0, 1);
    EXPECT(ended(), GRANULE_DMA_STATUS_DONE_MASK);
    DMA(STATUS) = GRANULE_DMA_STATUS_DONE_MASK;
    CLAIM(0) = GRANULE_DMA_IRQ;
    EXPECT(holds(frames[2], 0, size / 4, 0x200), 1);
    EXPECT(BRIDGE(STATUS) & GRANULE_BRIDGE_STATUS_OVERFLOW_MASK, 0);
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
    map(TO, (uint32_t)frames[2], USER_DATA);
    for (uint32_t i = 0; i < size / 4; i++)
        frames[2][i] = 0;
    clean(frames[2], size);
    tlbi_va(TO, 1);
    list[0] = (struct entry){FILL, size, 0, TO, 0xffffffff, 0};
    begin(1, STRICT, STRICT);
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
    volatile uint32_t *frame = frames[2];
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
        EXPECT((MMU(TLBI_SYNC) & GRANULE_MMU_TLBI_SYNC_OPEN_MASK) != 0, 1);
        MMU(TLBI_SYNC) = 0;
        EXPECT(MMU(TLBI_SYNC) & GRANULE_MMU_TLBI_SYNC_OPEN_MASK, 0);
    }
    drop((void *)frame, size);
    uint32_t written = 0; // a change after this would be a write that came too late
    while (written < size / 4 && frame[written])
        written++;
    const uint32_t status = ended(), bytes = DMA(BYTES);
    EXPECT(status, GRANULE_DMA_STATUS_ERROR_MASK);
    EXPECT(DMA(ERROR) & GRANULE_DMA_ERROR_CAUSE_MASK, WRITE);
    EXPECT(bytes, 4 * written);
    EXPECT(DMA(ERROR_VA_LO), TO + bytes);
    EXPECT(bytes >= LINE && bytes < size, 1);
    drop((void *)frame, size);
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
    drop(frames[2], size);
    EXPECT(frames[2][size / 4 - 1], 0xffffffff);
    post(TO, GRANULE_MMU_TLBI_COMMAND_NOT_CPU_MASK);
    MMU(TLBI_SYNC) = 0;
    begin(1, STRICT, STRICT);
    EXPECT(ended(), GRANULE_DMA_STATUS_ERROR_MASK);
    EXPECT(DMA(ERROR_VA_LO), TO);
    BRIDGE(FAULT_POP) = 0;
}

int main(void)
{
    choose_granule();
    mmu_on();
    EXPECT(REG32(GRANULE_SYSINFO_BASE + 0x14) & 6, 6);
    PRIORITY(GRANULE_DMA_IRQ) = 1;
    PRIORITY(GRANULE_BRIDGE_IRQ) = 1;
    ENABLE(0) = 1 << GRANULE_DMA_IRQ | 1 << GRANULE_BRIDGE_IRQ;
    const uint64_t root = (uint32_t)user_table | 1ull << 48;
    context(PHYSICAL, BYPASS, 0, 0);
    context(STRICT, TTBR0, root, 0);
    context(PATIENT, TTBR0, root, GRANULE_BRIDGE_CONTEXT_STALLS_MASK);
    BRIDGE(CONTROL) = GRANULE_BRIDGE_CONTROL_RUN_MASK;
    by_physical_address();
    DMA(INTERRUPT) = 0;
    the_cache_is_not_seen();
    nothing_but_memory();
    by_virtual_address();
    DMA(STATUS) = GRANULE_DMA_STATUS_DONE_MASK; // else it would interrupt at once
    DMA(INTERRUPT) = GRANULE_DMA_INTERRUPT_DONE_MASK;
    faults_are_served();
    DMA(INTERRUPT) = 0;
    BRIDGE(INTERRUPT) = 0;
    for (enum way way = REGISTER; way < WAYS; way++)
        unmapped_under_a_transfer(way);
    local_leaves_the_engine_alone();
    return failures;
}
