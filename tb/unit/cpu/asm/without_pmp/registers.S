/* Without an entry no register of physical memory protection exists. */
#include "../test.h"
main:
	traps_illegal csrr a0, pmpcfg0
	traps_illegal csrr a0, pmpcfg3
	traps_illegal csrr a0, pmpaddr0
	traps_illegal csrr a0, pmpaddr15
	traps_illegal csrw pmpaddr0, zero
	pass
