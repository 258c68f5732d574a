/* Remote fences (SBI 2.0, chapter 8). There is no other hart, so what is left is the fence here. */
#include "sbi/sbi.h"

enum { FENCE_I, SFENCE_VMA, SFENCE_VMA_ASID, HFENCES };

#define PAGE 4096u
#define MANY 64u /* pages from which on one fence of everything is cheaper */

static bool by_page(u32 size)
{
    return size && size <= MANY * PAGE; /* 0 and ~0 are the whole address space */
}

static void sfence_vma(u32 start, u32 size)
{
    if (!by_page(size))
        __asm__ volatile("sfence.vma" ::: "memory");
    else
        for (u32 at = 0; at < size; at += PAGE)
            __asm__ volatile("sfence.vma %0" ::"r"(start + at) : "memory");
}

static void sfence_vma_asid(u32 start, u32 size, u32 asid)
{
    if (!by_page(size))
        __asm__ volatile("sfence.vma x0, %0" ::"r"(asid) : "memory");
    else
        for (u32 at = 0; at < size; at += PAGE)
            __asm__ volatile("sfence.vma %0, %1" ::"r"(start + at), "r"(asid) : "memory");
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
