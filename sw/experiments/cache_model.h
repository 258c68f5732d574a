/* What a data cache should do with a loop of a few reads: the model that measured misses stand
 * beside. It knows sets, ways and a replacement policy, and nothing of the hardware. */
#ifndef EXPERIMENTS_CACHE_MODEL_H
#define EXPERIMENTS_CACHE_MODEL_H

#include "drivers/cache.h"

struct cache_model {
    u32 ways; /* at most MODEL_WAYS */
    enum cache_policy policy;
    bool one_copy; /* a line that is filled leaves every other set */
};

#define MODEL_WAYS   16u
#define MODEL_PLACES 32u /* reads of one pass */

/* One read: the set that it looks into and the physical line that it wants. */
struct model_place {
    u32 set, line;
};

struct model_misses {
    u32 first; /* of the first pass, over an empty cache */
    u32 later; /* of the others */
};

/* `passes` passes. A few are played; the rest is as many as the last of those let expect. */
struct model_misses model_run(const struct cache_model *model, const struct model_place *places,
                              u32 n, u32 passes);

#endif
