/* The way between process and kernel, and the end of the process's image: this file is linked
 * behind it. */
	.section .data.user
	.balign	4096
	.globl	user_image_end
user_image_end:

	.macro	registers_but_a0 instruction
	.irp	r, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16
	\instruction x\r, 4*\r(a0)
	.endr
	.irp	r, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\instruction x\r, 4*\r(a0)
	.endr
	.endm

	/* void resume(struct frame *): the process goes on, until its next trap */
	.text
	.globl	resume
resume:
	csrw	sscratch, a0
	lw	t0, 0(a0)
	csrw	sepc, t0
	li	t0, 1 << 8
	csrc	sstatus, t0	/* to U-mode */
	registers_but_a0 lw
	lw	a0, 4*10(a0)
	sret

	.balign 4
	.globl	trap_from_process
trap_from_process:
	csrrw	a0, sscratch, a0
	registers_but_a0 sw
	csrr	t0, sscratch
	sw	t0, 4*10(a0)
	csrr	t0, sepc
	sw	t0, 0(a0)
	la	sp, lower_stack_top
	mv	s0, a0
	csrr	a1, scause
	csrr	a2, stval
	call	handle_trap
	mv	a0, s0
	j	resume
