/* void probe_loop(base, stride, end, passes, struct probe_counts *counts, unmeasured, work)
 *
 * Runs `unmeasured` passes, reads the counters, runs `passes` passes, reads the counters again and
 * stores the differences. Between the two readings there is no load or store but the measured one.
 * probe_loop_empty is the same without it; probe_loop_work executes `work` instructions after each
 * read, 0 to PROBE_MOST_WORK. Counters are read low word only: runs are short. */
#include "granule_events.h"
#include "lib/csr.h"
#include "user/probe_work.h"

#define COUNTER(name) GRANULE_EVENT_COUNTER(GRANULE_EVENT_##name)

    /* What happens at each place (address in t0), and what it needs before the loop. */
    .macro READ
    lw      t1, 0(t0)
    .endm
    .macro READ_PREPARE
    .endm

    .macro NOTHING
    nop
    .endm
    .macro NOTHING_PREPARE
    .endm

    /* The jump goes `work` instructions before the end of the others. */
    .macro READ_AND_WORK
    lw      t1, 0(t0)
    jr      t5
    .rept   PROBE_MOST_WORK
    nop
    .endr
4:
    .endm
    .macro READ_AND_WORK_PREPARE
    lla     t5, 4f
    slli    t6, a6, 2
    sub     t5, t5, t6
    .endm

    .macro PASSES count, access
    beqz    \count, 3f
    \access\()_PREPARE
1:  mv      t0, a0
2:  \access
    add     t0, t0, a1
    bne     t0, a2, 2b
    addi    \count, \count, -1
    bnez    \count, 1b
3:
    .endm

    .macro DIFFERENCE now, before, offset
    sub     \now, \now, \before
    sw      \now, \offset(a4)
    .endm

    .macro PROBE access
    addi    sp, sp, -32
    sw      s0, 0(sp)
    sw      s1, 4(sp)
    sw      s2, 8(sp)
    sw      s3, 12(sp)
    sw      s4, 16(sp)
    sw      s5, 20(sp)
    sw      s6, 24(sp)
    sw      s7, 28(sp)
    PASSES  a5, \access
    csrr    s2, COUNTER(L1D_ACCESS)
    csrr    s3, COUNTER(L1D_MISS)
    csrr    s4, COUNTER(L1D_EVICT)
    csrr    s5, COUNTER(L1D_ALIAS_MOVE)
    csrr    s6, COUNTER(DTLB_MISS)
    csrr    s7, COUNTER(L1D_STALL)
    csrr    s1, CSR_INSTRET
    csrr    s0, CSR_CYCLE
    PASSES  a3, \access
    csrr    t0, CSR_CYCLE
    csrr    t1, CSR_INSTRET
    csrr    t2, COUNTER(L1D_ACCESS)
    csrr    t3, COUNTER(L1D_MISS)
    csrr    t4, COUNTER(L1D_EVICT)
    csrr    t5, COUNTER(L1D_ALIAS_MOVE)
    csrr    t6, COUNTER(DTLB_MISS)
    csrr    a5, COUNTER(L1D_STALL)
    DIFFERENCE t0, s0, 0
    DIFFERENCE t1, s1, 4
    DIFFERENCE t2, s2, 8
    DIFFERENCE t3, s3, 12
    DIFFERENCE t4, s4, 16
    DIFFERENCE t5, s5, 20
    DIFFERENCE t6, s6, 24
    DIFFERENCE a5, s7, 28
    lw      s0, 0(sp)
    lw      s1, 4(sp)
    lw      s2, 8(sp)
    lw      s3, 12(sp)
    lw      s4, 16(sp)
    lw      s5, 20(sp)
    lw      s6, 24(sp)
    lw      s7, 28(sp)
    addi    sp, sp, 32
    ret
    .endm

    .section .user.text, "ax"
    .globl probe_loop
    .balign 64
probe_loop:
    PROBE   READ

    .globl probe_loop_empty
    .balign 64
probe_loop_empty:
    PROBE   NOTHING

    .globl probe_loop_work
    .balign 64
probe_loop_work:
    PROBE   READ_AND_WORK
