/* Between kernel and user.
 *
 * enter_user(context) runs the task until its next trap and then returns to its caller: seen from
 * the kernel, user mode is a function call. sscratch holds the context while a task runs, and 0 in
 * the kernel, which is how trap_entry knows where it comes from. Both ways clear SUM: whatever was
 * interrupted, a handler reaches user memory only when it says so itself.
 */
#include "lib/csr.h"
#include "lib/regs.h"

#define CONTEXT_KERNEL_SP FRAME_BYTES /* struct user_context: after the registers */
#define CALLEE_BYTES      64

    .text
    .globl enter_user
enter_user:
    addi    sp, sp, -CALLEE_BYTES
    sw      ra, 0(sp)
    sw      gp, 4(sp)
    sw      tp, 8(sp)
    sw      s0, 12(sp)
    sw      s1, 16(sp)
    sw      s2, 20(sp)
    sw      s3, 24(sp)
    sw      s4, 28(sp)
    sw      s5, 32(sp)
    sw      s6, 36(sp)
    sw      s7, 40(sp)
    sw      s8, 44(sp)
    sw      s9, 48(sp)
    sw      s10, 52(sp)
    sw      s11, 56(sp)
    sw      sp, CONTEXT_KERNEL_SP(a0)
    csrw    sscratch, a0
    li      t0, SSTATUS_SPP
    csrc    sstatus, t0
    lw      t0, 0(a0)
    csrw    sepc, t0
    mv      t6, a0
    lw      sp, 8(t6)
    RESTORE_ALL t6                  /* x31 = t6 is the last one */
    sret

    .globl trap_entry
    .balign 4
trap_entry:
    csrrw   t6, sscratch, t6
    beqz    t6, from_kernel
    SAVE_ALL t6
    sw      sp, 8(t6)
    csrr    t0, sscratch            /* the task's t6 */
    sw      t0, 124(t6)
    csrr    t0, sepc
    sw      t0, 0(t6)
    csrw    sscratch, zero
    li      t0, SSTATUS_SUM
    csrc    sstatus, t0
    lw      sp, CONTEXT_KERNEL_SP(t6)
    lw      ra, 0(sp)
    lw      gp, 4(sp)
    lw      tp, 8(sp)
    lw      s0, 12(sp)
    lw      s1, 16(sp)
    lw      s2, 20(sp)
    lw      s3, 24(sp)
    lw      s4, 28(sp)
    lw      s5, 32(sp)
    lw      s6, 36(sp)
    lw      s7, 40(sp)
    lw      s8, 44(sp)
    lw      s9, 48(sp)
    lw      s10, 52(sp)
    lw      s11, 56(sp)
    addi    sp, sp, CALLEE_BYTES
    ret

from_kernel:
    addi    sp, sp, -FRAME_BYTES
    la      t6, kernel_stack
    bltu    sp, t6, stack_overflow
    csrrw   t6, sscratch, zero      /* back: sscratch is 0 again */
    SAVE_ALL sp
    addi    t0, sp, FRAME_BYTES
    sw      t0, 8(sp)
    csrr    t0, sepc
    sw      t0, 0(sp)
    li      t0, SSTATUS_SUM
    csrrc   t0, sstatus, t0
    sw      t0, FRAME_STATUS(sp)
    mv      a0, sp
    call    kernel_trap
    lw      t0, FRAME_STATUS(sp)
    csrw    sstatus, t0
    lw      t0, 0(sp)
    csrw    sepc, t0
    RESTORE_ALL sp
    addi    sp, sp, FRAME_BYTES
    sret

/* The stack has no room for a frame: the function that trapped ran into the guard page, or is about
 * to. Nothing can go on; a stack of its own serves to say so. */
stack_overflow:
    addi    a0, sp, FRAME_BYTES
    la      sp, overflow_stack_top
    call    kernel_stack_overflow

    .section .bss
    .balign 16
    .space  2048
overflow_stack_top:
