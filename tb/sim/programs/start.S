/* Reset, traps, and the way into S- and U-mode and back. Everything here runs in M-mode, which is
 * untranslated, so that it works whatever the tables say. Memory is zero at reset: no .bss loop.
 * What main returns is the status of the run.
 */
#include "granule_map.h"

	.section .text.start
	.globl _start
_start:
	la sp, stack_top
	la t0, 1f /* a machine without protection has no such registers, and traps */
	csrw mtvec, t0
	li t0, -1
	csrw pmpaddr0, t0
	li t0, 0x1f
	csrw pmpcfg0, t0
	.balign 4
1:	la t0, trap_entry
	csrw mtvec, t0
	li t0, GRANULE_UART_BASE
	li t1, 1
	sw t1, 8(t0)	/* txctrl and rxctrl: on */
	sw t1, 12(t0)
	call main
	.globl end_of_run
end_of_run:
	li t0, GRANULE_FINISHER_BASE
	li t1, GRANULE_FINISHER_PASS
	beqz a0, 1f
	slli a0, a0, 16
	li t1, GRANULE_FINISHER_FAIL
	or t1, t1, a0
1:	sw t1, 0(t0)

/* Records the trap in `trap` and goes on after the instruction; an ecall from below M-mode returns
 * from run_in(), and so does a fetch below M-mode that faults. A fetch of M-mode that faults goes
 * on at ra: it was a call. Interrupts are noted and masked. */
	.balign 4
	.globl trap_entry
trap_entry:
	csrw mscratch, sp
	la sp, trap_stack_top
	addi sp, sp, -16
	sw t0, 0(sp)
	sw t1, 4(sp)
	la t1, trap
	csrr t0, mcause
	bltz t0, interrupt
	addi t0, t0, -8
	beqz t0, leave
	addi t0, t0, -1
	beqz t0, leave
	csrr t0, mcause
	sw t0, 0(t1)
	csrr t0, mtval
	sw t0, 4(t1)
	csrr t0, mepc
	sw t0, 8(t1)
	lw t0, 12(t1)
	addi t0, t0, 1
	sw t0, 12(t1)
	csrr t0, mstatus
	sw t0, 20(t1)
	lw t0, 0(t1)
	li t1, 12
	beq t0, t1, fetch_fault
	li t1, 1
	beq t0, t1, fetch_fault
	csrr t0, mepc
	addi t0, t0, 4
	csrw mepc, t0
	j resume
fetch_fault:
	csrr t0, mstatus
	srli t0, t0, 11
	andi t0, t0, 3
	li t1, 3
	bne t0, t1, leave
	csrw mepc, ra
	j resume
interrupt:
	slli t0, t0, 1
	srli t0, t0, 1
	sw t0, 16(t1)
	li t1, 1
	sll t1, t1, t0
	csrc mie, t1
resume:
	lw t0, 0(sp)
	lw t1, 4(sp)
	csrr sp, mscratch
	mret
leave:
	la sp, saved
	lw sp, 0(sp)
	lw ra, 0(sp)
	.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	lw s\r, 4 + 4*\r(sp)
	.endr
	addi sp, sp, 64
	ret

/* uint32_t run_in(unsigned mode, uint32_t (*function)(uint32_t), uint32_t argument, void *stack) */
	.globl run_in
run_in:
	addi sp, sp, -64
	sw ra, 0(sp)
	.irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	sw s\r, 4 + 4*\r(sp)
	.endr
	la t0, saved
	sw sp, 0(t0)
	li t0, 3 << 11
	csrc mstatus, t0
	slli a0, a0, 11
	csrs mstatus, a0
	csrw mepc, a1
	mv a0, a2
	mv sp, a3
	la ra, back
	mret
	.globl back
back:	ecall

	.data
	.balign 4
	.globl trap
trap:	.word 0, 0, 0, 0, 0, 0
saved:	.word 0
	.weak failures	/* a program may have its own */
failures: .word 0
	.globl boot_command_line
	.type boot_command_line, @object
	.size boot_command_line, 64
boot_command_line:
	.zero 64

	.bss
	.balign 16
	.zero 256
trap_stack_top:
	.zero 4096
	.globl lower_stack_top
lower_stack_top:
