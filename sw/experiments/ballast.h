/* Memory that an experiment takes away, to see what happens when little is left. */
#ifndef EXPERIMENTS_BALLAST_H
#define EXPERIMENTS_BALLAST_H

#include "mm/page.h"

/* Allocates until no more than `leave` pages are free; the answer is for ballast_drop. */
u32 ballast_take(u32 leave);
void ballast_drop(u32 ballast);

#endif
