/* Reset in M-mode, the way into S-mode, and the way between process and kernel. */
#include "granule_map.h"

	.section .text.start
	.globl	_start
_start:
	csrr	a0, mhartid
1:	bnez	a0, 1b
	la	sp, kernel_stack_top
	la	t0, machine_trap
	csrw	mtvec, t0
	li	t0, GRANULE_UART_BASE
	li	t1, 1
	sw	t1, 8(t0)	/* txctrl: send */
	la	t0, 1f
	csrrw	t1, mtvec, t0
	li	t2, -1
	csrw	pmpaddr0, t2	/* a core without PMP traps to the next line */
	li	t2, 0x1f
	csrw	pmpcfg0, t2
	.balign 4
1:	csrw	mtvec, t1
	la	t0, trap_entry
	csrw	stvec, t0
	csrw	mie, zero
	li	t0, 0xb1ff	/* all but ecalls of S-mode */
	csrw	medeleg, t0
	csrw	mideleg, zero
	call	make_tables	/* returns satp */
	csrw	satp, a0
	sfence.vma
	li	t0, 3 << 11
	csrc	mstatus, t0
	li	t0, 1 << 11
	csrs	mstatus, t0
	la	t0, run_process
	csrw	mepc, t0
	mret

	/* void finish(uint32_t code): the finisher is not mapped, and M-mode needs no mapping. */
	.globl	finish
finish:
	ecall

	/* Nothing else should trap here. */
	.balign 4
machine_trap:
	csrr	t0, mcause
	li	t1, 9
	beq	t0, t1, 1f
	addi	a0, t0, 300
1:	li	t0, GRANULE_FINISHER_BASE
	li	t1, GRANULE_FINISHER_PASS
	beqz	a0, 1f
	slli	a0, a0, 16
	li	t1, GRANULE_FINISHER_FAIL
	or	t1, t1, a0
1:	sw	t1, 0(t0)

	/* void resume(struct frame *): the process goes on, until its next trap */
	.globl	resume
resume:
	csrw	sscratch, a0
	lw	t0, 0(a0)
	csrw	sepc, t0
	li	t0, 1 << 8
	csrc	sstatus, t0	/* to U-mode */
	.irp	r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16
	lw	x\r, 4*\r(a0)
	.endr
	.irp	r, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	lw	x\r, 4*\r(a0)
	.endr
	lw	a0, 4*10(a0)
	sret

	.balign 4
trap_entry:
	csrrw	a0, sscratch, a0
	.irp	r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16
	sw	x\r, 4*\r(a0)
	.endr
	.irp	r, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	sw	x\r, 4*\r(a0)
	.endr
	csrr	t0, sscratch
	sw	t0, 4*10(a0)
	csrr	t0, sepc
	sw	t0, 0(a0)
	la	sp, kernel_stack_top
	mv	s0, a0
	csrr	a1, scause
	csrr	a2, stval
	call	handle_trap
	mv	a0, s0
	j	resume

	.section .data
	.globl	boot_command_line
	.type	boot_command_line, @object
	.size	boot_command_line, 64
boot_command_line:
	.zero	64
