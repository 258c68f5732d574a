/* What user programs are made of. Their code is copied into task pages, so it may not use data or
 * functions outside of section .user.text. */
#ifndef USER_USER_H
#define USER_USER_H

#include "granule_events.h"
#include "kernel/syscalls.h"
#include "mm/vm_flags.h"
#include "types.h"

#define USER_CODE_SECTION __attribute__((section(".user.text")))
#define USER_INLINE       static inline __attribute__((always_inline))

USER_INLINE s32 syscall3(u32 number, u32 a, u32 b, u32 c)
{
    register u32 a0 __asm__("a0") = a;
    register u32 a1 __asm__("a1") = b;
    register u32 a2 __asm__("a2") = c;
    register u32 a7 __asm__("a7") = number;

    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return (s32)a0;
}

USER_INLINE void user_exit(s32 code)
{
    syscall3(SYS_EXIT, (u32)code, 0, 0);
    __builtin_unreachable();
}

USER_INLINE void user_report(const u32 *words, u32 count)
{
    syscall3(SYS_REPORT, (u32)(uintptr_t)words, count, 0);
}

USER_INLINE u32 user_load(u32 address)
{
    return *(volatile u32 *)(uintptr_t)address;
}

USER_INLINE void user_store(u32 address, u32 value)
{
    *(volatile u32 *)(uintptr_t)address = value;
}

/* ---- programs: entry points for task_create ---- */

/* Reads `n` words `stride` apart, `passes` times; reports struct probe_report. A stride below 4K
 * leaves the TLB as it comes, larger ones have it warm before they are measured. */
void user_probe(u32 base, u32 stride, u32 n, u32 passes, u32 flags, u32 work);
#define PROBE_WORK BIT(0) /* each read is followed by `work` instructions (user/probe_work.h) */

/* Mini kernbench: fork, copy on write, exit, unmap, map (user/kernbench.c). A task has `tables`
 * groups of pages, `stride` apart, so that each group needs a PTE page of its own: `pages` of them,
 * of which `writes` are written and the others only read. */
struct kernbench_args {
    u32 base, stride, tables, pages, writes, page_size, rounds, compute;
};
void user_kernbench(u32 base, u32 stride, u32 tables, u32 pages, u32 writes, u32 page_size,
                    u32 rounds, u32 compute);
#define MARK_BEGIN 0
#define MARK_END   1

/* Reads one word of each of `pages` pages; the exit code is 0 when all were 0. */
void user_holebench(u32 base, u32 page_size, u32 pages);

/* Document 003: maps and writes `bytes`, then marks one fork, the next one, whose entries are
 * read-only already, and the munmap of all (user/forkbench.c). Unless `warm`, once with one page
 * before. */
void user_forkbench(u32 base, u32 bytes, u32 page_size, u32 warm);
/* The same without the kernel: passes over a buffer between two marks. */
void user_compute(u32 base, u32 bytes, u32 page_size, u32 passes);
enum { STAGE_NOTHING, STAGE_FORK, STAGE_FORK_AGAIN, STAGE_MUNMAP, STAGE_COMPUTE, NR_STAGES };
#define STAGE_BEGIN(stage) (2u * (stage))
#define STAGE_END(stage)   (2u * (stage) + 1)

/* `count` words of a buffer at base + (x & mask), x = x * factor + step from 0 on: each is written
 * as its address ^ key, or read; the exit code says how many were not that (key 0: not 0). */
void user_touch(u32 base, u32 mask, u32 count, u32 factor, u32 step, u32 key, u32 write);

/* How tasks end (user/lifecycle.c). */
void user_orphan(u32 base, u32 page_size);
void user_stack_overflow(void);

/* Exercises the system calls; the exit code is 0 or the number of the check that failed. */
void user_smoke(u32 base, u32 page_size);

#endif
