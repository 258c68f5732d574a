/* Loads and stores over more pages than a process gets at once. */
#include "environment.h"
#define PAGES 16
	begin
	/* A word in each page, at places that differ: written, then read in another order. */
	la	s1, pages
	li	s2, 0
1:	slli	a0, s2, 12
	slli	a1, s2, 7
	add	a0, a0, a1
	add	a0, a0, s1
	sw	a0, 0(a0)
	sb	s2, 5(a0)
	addi	s2, s2, 1
	li	a2, PAGES
	bne	s2, a2, 1b
	li	s3, 0
2:	addi	s3, s3, 7	/* 7 and 16 have no divisor in common */
	andi	s3, s3, PAGES - 1
	slli	a0, s3, 12
	slli	a1, s3, 7
	add	a0, a0, a1
	add	a0, a0, s1
	lw	a1, 0(a0)
	check_equal a0, a1
	lbu	a1, 5(a0)
	check_equal a1, s3
	lw	a1, 8(a0)	/* what nobody wrote */
	check	a1, 0
	bnez	s3, 2b

	/* Every word of four pages, by a stride that changes the page with each access. */
	li	s2, 0
	li	s3, 0
3:	add	a0, s1, s3
	lw	a1, 1024(a0)
	add	a1, a1, s2
	sw	a1, 1024(a0)
	li	a2, 0x1004
	add	s3, s3, a2
	li	a2, 0x3fff & ~3
	and	s3, s3, a2
	addi	s2, s2, 1
	li	a2, 96
	bne	s2, a2, 3b
	li	s2, 0
	li	s3, 0
	li	s4, 0
4:	add	a0, s1, s3
	lw	a1, 1024(a0)
	add	s4, s4, a1
	li	a2, 0x1004
	add	s3, s3, a2
	li	a2, 0x3fff & ~3
	and	s3, s3, a2
	addi	s2, s2, 1
	li	a2, 96
	bne	s2, a2, 4b
	check	s4, 4560
	end
	data
	.balign	4096
pages:	.zero	4096 * (PAGES + 1)
