/* The small driver: what an operating system does to Granule's MMU, and what each step costs.
 *
 * main.c measures. mmu.c has tables, the window onto highmem, and the TLB. colour.c has zero pages.
 * Below 2 GiB TTBR0 translates, from there on TTBR1. Lowmem and devices have VA = PA.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include "granule_cache.h"
#include "granule_events.h"
#include "granule_map.h"
#include "granule_mmu.h"
#include "lib/csr.h"
#include "types.h"

/* Of programs: the last-level table of one lies in lowmem, of the other in highmem. */
#define USER_LOW  0x40000000u
#define USER_HIGH 0x20000000u
#define WINDOW    0xffff0000u /* the page of addresses that shows a page of highmem */
#define ASID      1ull

/* Bits of a table entry (Arm DDI 0487, D8.3). */
#define TABLE       3ull     /* at levels 0 to 2 */
#define PAGE        3ull     /* at level 3 */
#define DEVICE      BIT64(2) /* index into MAIR; 0 is normal memory */
#define READ_ONLY   BIT64(7) /* AP[2] */
#define SHARED      (3ull << 8)
#define ACCESSED    BIT64(10) /* else the first access faults */
#define NOT_GLOBAL  BIT64(11) /* of one ASID */
#define KERNEL_PAGE (PAGE | SHARED | ACCESSED)
#define USER_PAGE   (KERNEL_PAGE | NOT_GLOBAL)

/* start.S: runs `function` in S-mode, where the MMU translates. M-mode is never translated. */
void in_supervisor_mode(void (*function)(void));

/* mmu.c */
extern unsigned page_shift;
#define PAGE_SIZE (1u << page_shift)
bool mmu_on(unsigned shift); /* of S- and U-mode, with new tables; false: it has no such granule */
void mmu_off(void);
void *new_page(bool cleared);           /* of lowmem, behind the last one */
void set_last_table(u32 va, u64 table); /* `table` has the entries of the pages around `va` */
volatile u64 *window_open(u64 page);    /* shows this page of highmem at WINDOW */
void window_close(void);
void flush_page(u32 va);
void flush_range(u32 va, u32 pages); /* an even number, 2 to 64 */

/* colour.c */
u32 way_bytes(void); /* of the data cache; for M-mode */
void make_zero_pages(u32 way);
u64 zero_page(u32 va); /* for an untouched page at this address */

#endif
