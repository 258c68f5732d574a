/* How an unmapping tells the MMUs that remember its pages. */
#ifndef EXPERIMENTS_TLB_MODES_H
#define EXPERIMENTS_TLB_MODES_H

#include "mm/mm.h"

struct tlb_mode {
    const char *name;
    void (*page)(struct mm *mm, vaddr_t address);           /* after each entry is cleared */
    void (*all)(struct mm *mm, vaddr_t start, vaddr_t end); /* after the last one */
    void (*wait)(void);                                     /* until all of that is complete */
    bool reaches_cpu, reaches_devices;                      /* what was invalidated there */
};

#define NR_TLB_MODES 6
extern const struct tlb_mode tlb_modes[NR_TLB_MODES];

/* Boot argument tlb=NAME: only this one; else all. */
bool tlb_mode_wanted(const struct tlb_mode *mode);

#endif
