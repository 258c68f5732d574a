/* Which CSRs exist, and which bits they keep (WARL). */
#include "test.h"
	.macro keeps csr, value, kept
	li	a0, \value
	csrw	\csr, a0
	csrr	a0, \csr
	expect	a0, \kept
	.endm
main:
	/* Read-only ones: reading by set with x0 is fine, writing is not. */
	csrr	a0, mvendorid
	expect	a0, 0
	csrr	a0, mhartid
	expect	a0, 0
	csrrsi	a0, marchid, 0
	expect	a0, 0
	csrr	a0, misa
	expect	a0, 0x40141101
	traps_illegal csrw mhartid, zero
	traps_illegal csrrsi a0, mhartid, 1
	traps_illegal csrrs a0, cycle, a1
	traps_illegal csrw time, zero

	/* No triggers: tselect has no other value, and tdata1 tells no type. */
	keeps	tselect, 0xffffffff, 0
	keeps	tdata1, 0xffffffff, 0
	keeps	tdata2, 0xffffffff, 0

	/* Bits that stay. */
	keeps	mip, 0xffffffff, 0x00000222
	csrw	mip, zero
	csrw	mie, zero
	keeps	mstatus, 0xffffffff, 0x007e19aa
	keeps	sstatus, 0, 0
	csrr	a0, mstatus
	expect	a0, 0x00721888
	keeps	mstatus, 0, 0
	keeps	sstatus, 0xffffffff, 0x000c0122
	csrr	a0, mstatus
	expect	a0, 0x000c0122
	keeps	mstatus, 0x00000800, 0x00000800
	keeps	mstatus, 0x00001000, 0x00000800	/* mode 2 does not exist */
	keeps	mstatus, 0, 0
	keeps	misa, 0, 0x40141101
	keeps	mhpmevent3, 0, 1
	keeps	mhpmevent3, 0xffffffff, 1
	keeps	mhpmevent17, 32, 15
	keeps	mhpmevent18, 0xffffffff, 48	/* the first counter with a second event */
	keeps	mhpmevent18, 16, 16
	keeps	mhpmevent28, 32, 58	/* and the last */
	keeps	mhpmevent28, 0, 26
	keeps	mhpmevent29, 0xffffffff, 27
	csrr	a0, mhpmevent31	/* every counter has an event */
	expect	a0, 29

	/* sie and sip show only what is delegated. */
	keeps	mideleg, 0x002, 0x002
	keeps	mie, 0xaaa, 0xaaa
	csrr	a0, sie
	expect	a0, 0x002
	csrw	sie, zero
	csrr	a0, mie
	expect	a0, 0xaa8
	csrw	mie, zero
	keeps	mip, 0x222, 0x222
	csrr	a0, sip
	expect	a0, 0x002
	keeps	mideleg, 0x222, 0x222
	csrw	sip, zero	/* of these, S-mode owns only SSIP */
	csrr	a0, mip
	expect	a0, 0x220
	csrw	mip, zero
	csrw	mideleg, zero
	csrw	medeleg, zero
	pass
