// A kernel that pages one process in on demand, under Sv32. It has fewer frames than the process
// has pages, sets A and D itself (Svade), evicts at random, and changes the ASID now and then.
#include <stdint.h>

#include "granule_map.h"

#define PAGE       4096u
#define USER_PAGES 1024u // one leaf table: the process has the first 4 MiB
#define FRAMES     5u
#define SUM        (1u << 18)
#define SPP        (1u << 8)

enum { V = 1, R = 2, W = 4, X = 8, U = 16, G = 32, A = 64, D = 128 };
enum cause { CALL = 8, FETCH = 12, LOAD = 13, STORE = 15 };

// What ends a run beside the process itself.
enum { STRAY = 201, UNCHANGED_ENTRY, CLEAN_BUT_CHANGED, IN_KERNEL, OTHER_TRAP };

struct frame {
    uint32_t pc, x[31];
};

extern uint8_t user_image[], user_image_end[];
extern const char user_start[];
extern char boot_command_line[64];
void resume(struct frame *frame);
void finish(uint32_t code) __attribute__((noreturn));

static uint32_t root[1024] __attribute__((aligned(4096)));
static volatile uint32_t leaves[USER_PAGES] __attribute__((aligned(4096)));
static uint32_t memory[FRAMES][PAGE / 4] __attribute__((aligned(4096)));
static struct {
    int used;
    uint32_t page;
} owner[FRAMES];
static struct frame process;
static uint32_t asid, random = 0x1234567;
static struct {
    uint32_t fetch, load, store, installed, accessed, dirtied, evicted, written_back;
} count;

static uint32_t entry(const volatile void *pa, unsigned bits)
{
    return (uint32_t)pa >> 12 << 10 | bits;
}

static uint32_t satp(void)
{
    return 1u << 31 | asid << 22 | (uint32_t)root >> 12;
}

// The kernel and the peripherals are superpages, VA = PA; the process is at 0.
uint32_t make_tables(void)
{
    const uint32_t uart = GRANULE_UART_BASE, lowmem = GRANULE_LOWMEM_BASE;
    root[0] = entry(leaves, V);
    root[uart >> 22] = entry((void *)uart, V | R | W | G | A | D);
    for (uint32_t at = lowmem; at < lowmem + 0x1000000; at += 0x400000)
        root[at >> 22] = entry((void *)at, V | R | W | X | G | A | D);
    return satp();
}

static void put(char c)
{
    while (*(volatile int32_t *)GRANULE_UART_BASE < 0) // its queue is full
        ;
    *(volatile uint32_t *)GRANULE_UART_BASE = c;
}

static void put_value(const char *name, uint32_t n)
{
    while (*name)
        put(*name++);
    put(' ');
    for (int shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[n >> shift & 15]);
    put('\n');
}

static void fence(uint32_t va)
{
    __asm__ volatile("sfence.vma %0, %1" ::"r"(va), "r"(asid) : "memory");
}

static void copy(uint32_t *to, const uint32_t *from)
{
    for (unsigned i = 0; i < PAGE / 4; i++)
        to[i] = from[i];
}

static int same(const uint32_t *a, const uint32_t *b)
{
    for (unsigned i = 0; i < PAGE / 4; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

static uint32_t *image_of(uint32_t page)
{
    return (uint32_t *)(user_image + page * PAGE);
}

// Looks at the page where the process has it, at its own address: the kernel's view must be the
// same.
static void evict(unsigned n)
{
    const uint32_t page = owner[n].page, was = leaves[page];
    const uint32_t *const theirs = (const uint32_t *)(page * PAGE);
    if (was & A) {
        __asm__ volatile("csrs sstatus, %0" ::"r"(SUM) : "memory");
        if (was & D) {
            copy(image_of(page), theirs);
            count.written_back++;
        } else if (!same(image_of(page), theirs)) {
            finish(CLEAN_BUT_CHANGED);
        }
        __asm__ volatile("csrc sstatus, %0" ::"r"(SUM) : "memory");
        if (!same(image_of(page), memory[n]))
            finish(CLEAN_BUT_CHANGED);
    }
    leaves[page] = 0;
    fence(page * PAGE);
    count.evicted++;
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
    __asm__ volatile("csrw satp, %0" ::"r"(satp()) : "memory");
    if (asid == 0)
        __asm__ volatile("sfence.vma" ::: "memory");
}

static void page_fault(enum cause cause, uint32_t va)
{
    const uint32_t page = va / PAGE;
    if (va >= (uint32_t)(user_image_end - user_image))
        finish(STRAY);
    const uint32_t was = leaves[page];
    if (!(was & V)) {
        const unsigned n = take_frame();
        copy(memory[n], image_of(page));
        owner[n].used = 1;
        owner[n].page = page;
        leaves[page] = entry(memory[n], V | R | W | X | U);
        count.installed++;
        __asm__ volatile("fence.i" ::: "memory");
        if (count.installed % 8 == 0)
            change_asid();
    } else if (!(was & A)) {
        leaves[page] = was | A;
        count.accessed++;
    } else if (!(was & D) && cause == STORE) {
        leaves[page] = was | D;
        count.dirtied++;
    } else {
        finish(UNCHANGED_ENTRY);
    }
    fence(va);
}

void handle_trap(struct frame *frame, uint32_t cause, uint32_t value)
{
    uint32_t status;
    __asm__ volatile("csrr %0, sstatus" : "=r"(status));
    if (status & SPP)
        finish(IN_KERNEL);
    switch (cause) {
    case CALL:
        if (frame->x[9] == 0) { // a0
            put_value("installed", count.installed);
            put_value("accessed", count.accessed);
            put_value("dirtied", count.dirtied);
            put_value("evicted", count.evicted);
            put_value("written_back", count.written_back);
            put_value("fetch_faults", count.fetch);
            put_value("load_faults", count.load);
            put_value("store_faults", count.store);
        }
        finish(frame->x[9] >> 1);
        break;
    case FETCH:
        count.fetch++;
        page_fault(cause, value);
        break;
    case LOAD:
        count.load++;
        page_fault(cause, value);
        break;
    case STORE:
        count.store++;
        page_fault(cause, value);
        break;
    default:
        put_value("trap", cause);
        put_value("value", value);
        put_value("pc", frame->pc);
        finish(OTHER_TRAP);
    }
}

void run_process(void)
{
    process.pc = (uint32_t)user_start - (uint32_t)user_image;
    resume(&process);
}
