/* Every call of the firmware, with its answers and its errors, but for the counters. */
#include "lib/fdt.h"
#include "lib/string.h"
#include "supervisor.h"

enum { NOBODY = 0x12345678 };

static void base(void)
{
    static const u32 present[] = {SBI_EXT_BASE, SBI_EXT_TIME, SBI_EXT_IPI,  SBI_EXT_RFENCE,
                                  SBI_EXT_HSM,  SBI_EXT_SRST, SBI_EXT_DBCN, SBI_EXT_PMU};

    EXPECT_VALUE(SBI(SBI_EXT_BASE, 0), 2u << 24);
    EXPECT_VALUE(SBI(SBI_EXT_BASE, 1), 0x4c4e5247);
    EXPECT_VALUE(SBI(SBI_EXT_BASE, 2), 1);
    for (u32 i = 0; i < ARRAY_SIZE(present); i++)
        EXPECT_VALUE(SBI(SBI_EXT_BASE, 3, present[i]), 1);
    for (u32 legacy = 0; legacy <= 9; legacy++)
        EXPECT_VALUE(SBI(SBI_EXT_BASE, 3, legacy), legacy <= 8);
    EXPECT_VALUE(SBI(SBI_EXT_BASE, 3, NOBODY), 0);
    for (u32 id = 4; id <= 6; id++) /* vendor, architecture, implementation */
        EXPECT_VALUE(SBI(SBI_EXT_BASE, id), 0);
    EXPECT_ERROR(SBI(SBI_EXT_BASE, 7), SBI_NOT_SUPPORTED);
    EXPECT_ERROR(SBI(NOBODY, 0), SBI_NOT_SUPPORTED);
}

/* Waits at most a while for an interrupt that is enabled in sie. */
static u32 interrupt(u32 enable)
{
    seen.interrupt = 0;
    csr_write_named(sie, enable);
    csr_set_named(sstatus, SSTATUS_SIE);
    for (u32 start = csr_read_named(time); csr_read_named(time) - start < 20000;)
        if (seen.interrupt)
            break;
    csr_clear_named(sstatus, SSTATUS_SIE);
    csr_write_named(sie, 0);
    return seen.interrupt;
}

static u64 now(void)
{
    return csr_read64(0xc01, 0xc81);
}

static void timer(void)
{
    u64 when = now() + 3000;

    EXPECT_OK(SBI(SBI_EXT_TIME, 0, (u32)when, (u32)(when >> 32)));
    EXPECT(csr_read_named(sip) & IP_STIP, 0);
    EXPECT(interrupt(IP_STIP), CAUSE_S_TIMER);
    EXPECT(now() >= when, true);
    EXPECT(csr_read_named(sip) & IP_STIP, IP_STIP);
    EXPECT_OK(SBI(SBI_EXT_TIME, 0, ~0u, ~0u)); /* never, and what was pending is not */
    EXPECT(csr_read_named(sip) & IP_STIP, 0);
    EXPECT_OK(SBI(SBI_EXT_TIME, 0, 0, 0)); /* a time that is over */
    EXPECT(interrupt(IP_STIP), CAUSE_S_TIMER);
    EXPECT_OK(SBI(SBI_EXT_TIME, 0, ~0u, ~0u));
    EXPECT_ERROR(SBI(SBI_EXT_TIME, 1), SBI_NOT_SUPPORTED);
}

static void ipi(void)
{
    EXPECT_OK(SBI(SBI_EXT_IPI, 0, 0, 0)); /* to nobody */
    EXPECT(csr_read_named(sip) & IP_SSIP, 0);
    EXPECT_OK(SBI(SBI_EXT_IPI, 0, 1, 0));
    EXPECT(csr_read_named(sip) & IP_SSIP, IP_SSIP);
    EXPECT(interrupt(IP_SSIP), CAUSE_INTERRUPT | 1);
    csr_clear_named(sip, IP_SSIP);
    EXPECT_OK(SBI(SBI_EXT_IPI, 0, 0, ~0u)); /* to all */
    EXPECT(csr_read_named(sip) & IP_SSIP, IP_SSIP);
    csr_clear_named(sip, IP_SSIP);
    EXPECT_ERROR(SBI(SBI_EXT_IPI, 0, 2, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(SBI(SBI_EXT_IPI, 0, 1, 1), SBI_INVALID_PARAM);
    EXPECT(csr_read_named(sip) & IP_SSIP, 0);
    EXPECT_ERROR(SBI(SBI_EXT_IPI, 1), SBI_NOT_SUPPORTED);
}

static void harts(void)
{
    EXPECT_ERROR(SBI(SBI_EXT_HSM, 0, 0, 0x80400000, 0), SBI_ALREADY_AVAILABLE);
    EXPECT_ERROR(SBI(SBI_EXT_HSM, 0, 1, 0x80400000, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(SBI(SBI_EXT_HSM, 1), SBI_FAILED);
    EXPECT_VALUE(SBI(SBI_EXT_HSM, 2, 0), 0);
    EXPECT_ERROR(SBI(SBI_EXT_HSM, 2, 1), SBI_INVALID_PARAM);
    EXPECT_ERROR(SBI(SBI_EXT_HSM, 3, 0x80000000, 0, 0), SBI_NOT_SUPPORTED);
    EXPECT_ERROR(SBI(SBI_EXT_HSM, 3, 0x10000000, 0, 0), SBI_NOT_SUPPORTED);
    EXPECT_ERROR(SBI(SBI_EXT_HSM, 3, 1, 0, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(SBI(SBI_EXT_HSM, 4), SBI_NOT_SUPPORTED);

    u64 when = now() + 3000; /* a suspended hart sleeps until an interrupt that it enabled */

    SBI(SBI_EXT_TIME, 0, (u32)when, (u32)(when >> 32));
    csr_write_named(sie, IP_STIP);
    EXPECT_VALUE(SBI(SBI_EXT_HSM, 3, 0), 0);
    EXPECT(now() >= when, true);
    csr_write_named(sie, 0);
    SBI(SBI_EXT_TIME, 0, ~0u, ~0u);
}

/* What the fences do is seen in memory.c; here, who they are for. */
static void fences(void)
{
    for (u32 function = 0; function <= 2; function++) {
        EXPECT_OK(SBI(SBI_EXT_RFENCE, function, 1, 0, 0, 4096, 1));
        EXPECT_OK(SBI(SBI_EXT_RFENCE, function, 0, ~0u, 0, ~0u, 1));
        EXPECT_OK(SBI(SBI_EXT_RFENCE, function, 0, 0, 0, 0, 0));
        EXPECT_ERROR(SBI(SBI_EXT_RFENCE, function, 2, 0, 0, 0, 0), SBI_INVALID_PARAM);
        EXPECT_ERROR(SBI(SBI_EXT_RFENCE, function, 1, 1, 0, 0, 0), SBI_INVALID_PARAM);
    }
    for (u32 function = 3; function <= 7; function++)
        EXPECT_ERROR(SBI(SBI_EXT_RFENCE, function, 1, 0), SBI_NOT_SUPPORTED);
}

#define ADDRESS(p) ((u32)(uintptr_t)(p))

static void console(u32 memory_end)
{
    static const char text[] = "written by address\n";
    char input[8];

    EXPECT_VALUE(SBI(SBI_EXT_DBCN, 0, strlen(text), ADDRESS(text), 0), strlen(text));
    EXPECT_VALUE(SBI(SBI_EXT_DBCN, 0, 0, ADDRESS(text), 0), 0);
    EXPECT_VALUE(SBI(SBI_EXT_DBCN, 2, '!'), 0);
    EXPECT_VALUE(SBI(SBI_EXT_DBCN, 2, '\n'), 0);
    EXPECT_VALUE(SBI(SBI_EXT_DBCN, 1, sizeof input, ADDRESS(input), 0), 0); /* nobody typed */
    for (u32 function = 0; function <= 1; function++) {
        EXPECT_ERROR(SBI(SBI_EXT_DBCN, function, 4, 0x80000000, 0), SBI_INVALID_PARAM);
        EXPECT_ERROR(SBI(SBI_EXT_DBCN, function, 4, 0x10000000, 0), SBI_INVALID_PARAM);
        EXPECT_ERROR(SBI(SBI_EXT_DBCN, function, 4, ADDRESS(input), 1), SBI_INVALID_PARAM);
        EXPECT_ERROR(SBI(SBI_EXT_DBCN, function, 5, memory_end - 4, 0), SBI_INVALID_PARAM);
        EXPECT_ERROR(SBI(SBI_EXT_DBCN, function, ~0u, ADDRESS(input), 0), SBI_INVALID_PARAM);
    }
    EXPECT_VALUE(SBI(SBI_EXT_DBCN, 1, 4, memory_end - 4, 0), 0); /* the last word is S-mode's */
    EXPECT_ERROR(SBI(SBI_EXT_DBCN, 3), SBI_NOT_SUPPORTED);
}

/* The answer of these is a0 alone; a1 stays as it was. */
static void legacy(void)
{
    u32 ours = 1, others = 2;

    EXPECT(SBI(1, 0, 'L', 77).error, 0);
    EXPECT(SBI(1, 0, '\n', 77).value, 77);
    EXPECT(SBI(2, 0).error, -1);
    EXPECT(SBI(0, 0, 0, 0).error, 0);
    EXPECT(interrupt(IP_STIP), CAUSE_S_TIMER);
    EXPECT(SBI(0, 0, ~0u, ~0u).error, 0);
    EXPECT(SBI(4, 0, ADDRESS(&others)).error, 0);
    EXPECT(csr_read_named(sip) & IP_SSIP, 0);
    EXPECT(SBI(4, 0, ADDRESS(&ours)).error, 0);
    EXPECT(csr_read_named(sip) & IP_SSIP, IP_SSIP);
    EXPECT(SBI(3, 0).error, 0);
    EXPECT(csr_read_named(sip) & IP_SSIP, 0);
    EXPECT(SBI(4, 0, 0).error, 0); /* no mask: all harts */
    EXPECT(csr_read_named(sip) & IP_SSIP, IP_SSIP);
    SBI(3, 0);
    for (u32 fence = 5; fence <= 7; fence++)
        EXPECT(SBI(fence, 0, ADDRESS(&ours), 0, 4096, 1).error, 0);
}

static void reset(void)
{
    EXPECT_ERROR(SBI(SBI_EXT_SRST, 0, 3, 0), SBI_INVALID_PARAM);
    EXPECT_ERROR(SBI(SBI_EXT_SRST, 0, 0, 2), SBI_INVALID_PARAM);
    EXPECT_ERROR(SBI(SBI_EXT_SRST, 1, 0, 0), SBI_NOT_SUPPORTED);
}

static u32 cell(const u32 *cells, u32 i)
{
    return cells ? __builtin_bswap32(cells[i]) : 0;
}

/* What the firmware wrote into the device tree; the test compares it with the simulator's options.
 */
static u32 machine(void *tree)
{
    u32 length;
    u32 *memory = fdt_property(tree, "memory@80000000", "reg", &length);
    u32 *firmware = fdt_property(tree, "firmware@80000000", "reg", &length);

    kprintf("machine %s\n", (char *)fdt_property(tree, "", "granule,configuration", &length));
    kprintf("arguments '%s'\n", (char *)fdt_property(tree, "chosen", "bootargs", &length));
    kprintf("memory 0x%x bytes at 0x%x\n", cell(memory, 3), cell(memory, 1));
    kprintf("firmware 0x%x bytes at 0x%x\n", cell(firmware, 3), cell(firmware, 1));
    kprintf("clock %u Hz\n", cell(fdt_property(tree, "cpus", "timebase-frequency", &length), 0));
    return cell(memory, 1) + cell(memory, 3);
}

void main(u32 hart, void *tree)
{
    EXPECT(hart, 0);
    EXPECT(csr_read_named(satp), 0);

    u32 memory_end = machine(tree);

    base();
    timer();
    ipi();
    harts();
    fences();
    console(memory_end);
    legacy();
    reset();
    EXPECT(seen.count, 0);
    end();
}
