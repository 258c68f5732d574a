/* What document 002's reviewer objected to: "You cannot make any inference about the actual sizes
 * of caches based on these parameters". Four sources of the data cache's size, side by side: both
 * formats of CCSIDR, the device tree, and timing, which finds the ways. */
#include "drivers/sysinfo.h"
#include "experiments/e002.h"
#include "experiments/experiment.h"
#include "lib/fdt.h"

extern char machine_trees[], machine_trees_end[];

/* All zero: the image has no tree of this machine. */
static struct cache_geometry described(void)
{
    char *tree = fdt_of(machine_trees, machine_trees_end, sysinfo_name());
    struct cache_geometry found = {0};

    if (!tree)
        return found;
    found.sets = fdt_get_cell(tree, "cpu@0", "d-cache-sets", 0);
    found.line_bytes = fdt_get_cell(tree, "cpu@0", "d-cache-block-size", 0);
    if (cache_way_bytes(&found))
        found.ways = fdt_get_cell(tree, "cpu@0", "d-cache-size", 0) / cache_way_bytes(&found);
    return found;
}

void e002_sources(u32 knee)
{
    struct cache_geometry narrow, tree = described(), timed = tree.ways ? tree : e002_cache;
    u32 differ = 0;

    cache_get_info_narrow(CACHE_DATA, &narrow);
    timed.ways = knee - 1;
    const struct {
        const char *name;
        const struct cache_geometry *says;
    } sources[] = {{"CCSIDR, 64 bits", &e002_cache},
                   {"CCSIDR, 32 bits", &narrow},
                   {"device tree", &tree},
                   {"timing (A-9)", &timed}};

    kprintf("  data cache by    sets  ways  line   bytes\n");
    for (u32 i = 0; i < ARRAY_SIZE(sources); i++) {
        const struct cache_geometry *g = sources[i].says;

        if (!g->ways) {
            kprintf("  %-15s  none for this machine\n", sources[i].name);
            continue;
        }
        kprintf("  %-15s  %4u  %4u  %4u  %6u\n", sources[i].name, g->sets, g->ways, g->line_bytes,
                cache_bytes(g));
        differ += cache_bytes(g) != cache_bytes(&e002_cache);
    }
    figure("H2.narrow", "data cache by CCSIDR, 32 bits", (s64)cache_bytes(&narrow) * E6, "bytes");
    figure("H2.tree", "data cache by the device tree", (s64)cache_bytes(&tree) * E6, "bytes");
    figure("H2.sources", "sources that say another size than CCSIDR, 64 bits", differ * E6,
           "sources");
}
