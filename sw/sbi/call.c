/* An environment call of S-mode: a7 is the extension, a6 the function; a0 and a1 are the answer. */
#include "lib/regs.h"
#include "sbi/sbi.h"

static const struct {
    u32 id;
    sbi_handler *handler;
} extensions[] = {
    {SBI_EXT_TIME, sbi_time},     {SBI_EXT_DBCN, sbi_dbcn}, {SBI_EXT_IPI, sbi_ipi},
    {SBI_EXT_RFENCE, sbi_rfence}, {SBI_EXT_PMU, sbi_pmu},   {SBI_EXT_BASE, sbi_base},
    {SBI_EXT_HSM, sbi_hsm},       {SBI_EXT_SRST, sbi_srst},
};

static sbi_handler *find(u32 id)
{
    for (u32 i = 0; i < ARRAY_SIZE(extensions); i++)
        if (extensions[i].id == id)
            return extensions[i].handler;
    return NULL;
}

bool sbi_available(u32 extension)
{
    return find(extension) || sbi_is_legacy(extension);
}

void sbi_call(struct regs *regs)
{
    u32 id = regs->x[REG_A7];

    if (sbi_is_legacy(id)) {
        sbi_legacy(id, regs);
        return;
    }

    sbi_handler *handler = find(id);
    struct sbi_ret ret =
        handler ? handler(regs->x[REG_A6], &regs->x[REG_A0]) : sbi_error(SBI_NOT_SUPPORTED);

    regs->x[REG_A0] = (u32)ret.error;
    regs->x[REG_A0 + 1] = ret.value;
    regs->x[REG_PC] += 4;
}

bool sbi_harts_exist(u32 mask, u32 base)
{
    return base == ~0u || (base == 0 && mask <= 1) || mask == 0;
}

bool sbi_harts_have_us(u32 mask, u32 base)
{
    return base == ~0u || (base == 0 && (mask & 1));
}
