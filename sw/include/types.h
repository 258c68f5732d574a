/* Basic types. Nothing here depends on the target, so host tests use it as well. */
#ifndef TYPES_H
#define TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The same C types on target and host, so that one printf format fits both. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int s32;
typedef long long s64;

typedef u64 paddr_t; /* physical address; highmem lies above 4 GiB */
typedef u32 pfn_t;   /* paddr_t >> PAGE_SHIFT */
typedef u32 vaddr_t; /* virtual address of the 32-bit machine */

#define ARRAY_SIZE(a)  (sizeof(a) / sizeof((a)[0]))
#define BIT(n)         (1u << (n))
#define BIT64(n)       (1ull << (n))
#define MIN(a, b)      ((a) < (b) ? (a) : (b))
#define MAX(a, b)      ((a) > (b) ? (a) : (b))
#define ALIGN_UP(x, a) (((x) + (a)-1) & ~((a)-1)) /* a: power of two */

static inline bool is_pow2(u32 n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* Floor of log2; n must not be 0. */
static inline unsigned log2_floor(u32 n)
{
    unsigned bit = 0;

    while (n >>= 1)
        bit++;
    return bit;
}

#endif
