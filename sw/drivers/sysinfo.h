/* What the hardware says about the machine as a whole. */
#ifndef DRIVERS_SYSINFO_H
#define DRIVERS_SYSINFO_H

#include "types.h"

bool sysinfo_present(void); /* the magic number is there */
u32 sysinfo_lowmem_bytes(void);
u32 sysinfo_highmem_bytes(void);
u32 sysinfo_clock_hz(void);
bool sysinfo_is_simulation(void);
bool sysinfo_has_dma(void);     /* and the MMU of devices */
bool sysinfo_posts_tlbis(void); /* drivers/mmu_post.h */
const char *sysinfo_name(void); /* configuration, such as "teaching" */

#endif
