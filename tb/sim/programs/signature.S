/* As a program of RISC-V's official suites ends: words from begin_signature on, in a cache that
 * writes back, then `tohost`. */
#ifdef FINISHER
#include "granule_map.h"
#endif

	.option norelax	/* nobody sets gp */
	.globl _start
_start:
	la t0, begin_signature
	li t1, 0x12345678
	sw t1, 0(t0)
	li t1, 0xab
	sb t1, 5(t0)
	li t1, 0xcdef
	sh t1, 10(t0)
	li t1, 3
	addi t2, t0, 12
	amoadd.w zero, t1, (t2)
	sw t1, 16(t0)	/* beyond the end */
#ifdef COMPRESSED
	la t3, 2f
	csrw mtvec, t3
	.half 0x4501, 0x0001
	.balign 4
2:
#endif
#ifdef FINISHER
	li t0, GRANULE_FINISHER_BASE
	li t1, GRANULE_FINISHER_PASS
	sw t1, 0(t0)
#endif
	la t0, tohost
	li t1, TOHOST
	sw t1, 0(t0)
	sw zero, 4(t0)
1:	j 1b

#ifdef ALIGNED
	/* What the suites' macro does; it sets the flag of the file, and nothing else. */
	.option push
	.option rvc
	.align 6
	.option pop
#endif

	.data
	.balign 8
	.globl tohost, begin_signature, end_signature
tohost:	.dword 0
begin_signature:
	.word 0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 40
end_signature:
	.word 0
