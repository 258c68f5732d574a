// A kernel that pages one process in on demand, under Sv32. It has fewer frames than the process
// has pages, sets A and D itself (Svade), evicts at random, and changes the ASID now and then.
#include "sv32.h"

#define FRAMES 5u
#define SPP    (1u << 8)
#define CALL   8

// What ends a run beside the process itself.
enum { STRAY = 201, UNCHANGED_ENTRY, CLEAN_BUT_CHANGED, IN_KERNEL, OTHER_TRAP };

struct frame {
    uint32_t pc, x[31];
};

extern uint8_t user_image[], user_image_end[];
extern void trap_from_process(void);
void resume(struct frame *frame);

static struct table root __attribute__((aligned(4096)));
static struct table leaves __attribute__((aligned(4096)));
static struct table memory[FRAMES] __attribute__((aligned(4096)));
static struct {
    int used;
    uint32_t page;
} owner[FRAMES];
static struct frame process;
static uint32_t asid, random = 0x1234567;

enum { INSTALLED, ACCESSED, DIRTIED, EVICTED, WRITTEN_BACK, FETCHES, LOADS, STORES, COUNTS };
static const char *const names[] = {"installed",    "accessed",     "dirtied",     "evicted",
                                    "written_back", "fetch_faults", "load_faults", "store_faults"};
static uint32_t count[COUNTS];

// To M-mode: run_in() returns.
__attribute__((noreturn)) static void finish(uint32_t code)
{
    register uint32_t a0 __asm__("a0") = code;
    __asm__ volatile("ecall" ::"r"(a0) : "memory");
    __builtin_unreachable();
}

// The process has the first 4 MiB.
static volatile uint32_t *leaf_of(uint32_t page)
{
    return &leaves.entry[page];
}

static struct table *image_of(uint32_t page)
{
    return (struct table *)(user_image + page * PAGE);
}

static int same(const struct table *a, const struct table *b)
{
    for (unsigned i = 0; i < PAGE / 4; i++)
        if (a->entry[i] != b->entry[i])
            return 0;
    return 1;
}

static void copy(struct table *to, const struct table *from)
{
    for (unsigned i = 0; i < PAGE / 4; i++)
        to->entry[i] = from->entry[i];
}

// Looks at the page where the process has it, at its own address: the kernel's view must be the
// same.
static void evict(unsigned n)
{
    const uint32_t page = owner[n].page, was = *leaf_of(page);
    const struct table *const theirs = (const struct table *)(page * PAGE);
    if (was & A) {
        CSR_SET(sstatus, SUM);
        if (was & D) {
            copy(image_of(page), theirs);
            count[WRITTEN_BACK]++;
        } else if (!same(image_of(page), theirs)) {
            finish(CLEAN_BUT_CHANGED);
        }
        CSR_CLEAR(sstatus, SUM);
        if (!same(image_of(page), &memory[n]))
            finish(CLEAN_BUT_CHANGED);
    }
    *leaf_of(page) = 0;
    fence_va_asid(page * PAGE, asid);
    count[EVICTED]++;
}

static unsigned take_frame(void)
{
    for (unsigned n = 0; n < FRAMES; n++)
        if (!owner[n].used)
            return n;
    random = random >> 1 ^ (-(random & 1) & 0xedb88320);
    const unsigned n = random % FRAMES;
    evict(n);
    return n;
}

// Entries of the old ASID stay in the TLB, wrong as they may become: nobody asks for them before
// the numbers start again, with a fence for all.
static void change_asid(void)
{
    asid = (asid + 1) & 0x1ff;
    sv32_on(&root, asid);
    if (asid == 0)
        sfence();
}

static void page_fault(uint32_t cause, uint32_t va)
{
    const uint32_t page = va / PAGE;
    if (va >= (uint32_t)(user_image_end - user_image))
        finish(STRAY);
    volatile uint32_t *const leaf = leaf_of(page);
    if (!(*leaf & V)) {
        const unsigned n = take_frame();
        copy(&memory[n], image_of(page));
        owner[n].used = 1;
        owner[n].page = page;
        *leaf = entry_for((uint32_t)&memory[n], V | R | W | X | U);
        count[INSTALLED]++;
        fence_i();
        if (count[INSTALLED] % 8 == 0)
            change_asid();
    } else if (!(*leaf & A)) {
        *leaf |= A;
        count[ACCESSED]++;
    } else if (!(*leaf & D) && cause == STORE) {
        *leaf |= D;
        count[DIRTIED]++;
    } else {
        finish(UNCHANGED_ENTRY);
    }
    fence_va_asid(va, asid);
}

void handle_trap(struct frame *frame, uint32_t cause, uint32_t value)
{
    if (CSR_READ(sstatus) & SPP)
        finish(IN_KERNEL);
    if (cause == FETCH || cause == LOAD || cause == STORE) {
        count[cause == FETCH ? FETCHES : cause == LOAD ? LOADS : STORES]++;
        page_fault(cause, value);
        return;
    }
    const uint32_t code = frame->x[9]; // a0
    if (cause == CALL && code == 0)
        for (unsigned n = 0; n < COUNTS; n++)
            put_value(names[n], count[n]);
    if (cause == CALL)
        finish(code >> 1);
    put_value("trap", cause);
    put_value("value", value);
    put_value("pc", frame->pc);
    finish(OTHER_TRAP);
}

static uint32_t run_process(uint32_t pc)
{
    process.pc = pc;
    resume(&process);
    return 0;
}

// The kernel and the peripherals are superpages, VA = PA; the process is at 0.
int main(void)
{
    const uint32_t lowmem = GRANULE_LOWMEM_BASE, uart = GRANULE_UART_BASE & -SUPERPAGE;
    root.entry[lowmem >> 22] = entry_for(lowmem, V | R | W | X | G | A | D);
    root.entry[uart >> 22] = entry_for(uart, V | R | W | G | A | D);
    root.entry[0] = entry_for((uint32_t)&leaves, V);
    CSR_WRITE(stvec, trap_from_process);
    CSR_WRITE(medeleg, 0xb1ff); // all but ecalls of S-mode
    sv32_on(&root, asid);
    sfence();
    const uint32_t code = in_s(run_process, 0);
    EXPECT(trap.count, 0);
    return code ? (int)code : failures;
}
