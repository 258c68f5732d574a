/* Remote fences (SBI 2.0, chapter 8). There is no other hart, so what is left is the fence here. */
#include "sbi/sbi.h"

enum { FENCE_I, SFENCE_VMA, SFENCE_VMA_ASID, HFENCES };

#define PAGE 4096u
#define MANY 64u /* pages from which on one fence of everything is cheaper */

/* The pages of a range, which may begin and end within one; 0: fence everything. */
static u32 pages(u32 start, u32 size)
{
    if (!size || size > MANY * PAGE) /* 0 and ~0 are the whole address space */
        return 0;
    return (start % PAGE + size + PAGE - 1) / PAGE;
}

static void sfence_vma(u32 start, u32 size)
{
    u32 count = pages(start, size);

    if (!count)
        __asm__ volatile("sfence.vma" ::: "memory");
    for (u32 page = 0; page < count; page++)
        __asm__ volatile("sfence.vma %0" ::"r"(start + page * PAGE) : "memory");
}

static void sfence_vma_asid(u32 start, u32 size, u32 asid)
{
    u32 count = pages(start, size);

    if (!count)
        __asm__ volatile("sfence.vma x0, %0" ::"r"(asid) : "memory");
    for (u32 page = 0; page < count; page++)
        __asm__ volatile("sfence.vma %0, %1" ::"r"(start + page * PAGE), "r"(asid) : "memory");
}

struct sbi_ret sbi_rfence(u32 function, const u32 *args)
{
    if (function >= HFENCES) /* of the hypervisor extension */
        return sbi_error(SBI_NOT_SUPPORTED);
    if (!sbi_harts_exist(args[0], args[1]))
        return sbi_error(SBI_INVALID_PARAM);
    if (!sbi_harts_have_us(args[0], args[1]))
        return sbi_value(0);
    if (function == FENCE_I)
        __asm__ volatile("fence.i" ::: "memory");
    else if (function == SFENCE_VMA)
        sfence_vma(args[2], args[3]);
    else
        sfence_vma_asid(args[2], args[3], args[4]);
    return sbi_value(0);
}
