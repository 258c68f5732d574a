/* Accesses with the rights of the interrupted mode. A trap would come back here: mtvec points
 * behind the access meanwhile. mstatus is put back, but for MPP and MPIE, which a trap changes: the
 * frame has those (trap.S). */
#include "lib/csr.h"

    .macro ACCESS name, instruction
    .globl \name
\name:                              /* a0 address, a1 bits of mstatus, a2 fault, a3 byte */
    la      t0, 1f
    csrrw   t0, mtvec, t0
    csrrs   t1, mstatus, a1
    \instruction
    csrw    mstatus, t1
    csrw    mtvec, t0
    ret
    .balign 4
1:  csrw    mstatus, t1
    csrw    mtvec, t0
    csrr    t0, mcause
    sw      t0, 0(a2)
    csrr    t0, mtval
    sw      t0, 4(a2)
    li      a0, 0
    ret
    .endm

    .text
    ACCESS load_byte, "lbu a0, (a0)"
    ACCESS load_word, "lw a0, (a0)"
    ACCESS store_byte, "sb a3, (a0)"

    .globl pmp_exists
pmp_exists:
    la      t0, 1f
    csrrw   t0, mtvec, t0
    li      a0, 0
    csrr    t1, pmpaddr0
    li      a0, 1
    .balign 4
1:  csrw    mtvec, t0
    ret
