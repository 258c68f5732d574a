#include "console/info.h"
#include "drivers/cache.h"
#include "drivers/mmu.h"
#include "drivers/sysinfo.h"
#include "image.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/zero_page.h"

static void print_cache(const char *name, enum cache_kind kind, const char *note)
{
    struct cache_geometry c;

    if (!cache_get_info(kind, &c)) {
        kprintf("  %-12s none\n", name);
        return;
    }
    kprintf("  %-12s %s: %u sets x %u ways x %u B lines, way %s%s\n", name,
            bytes_text(cache_bytes(&c)), c.sets, c.ways, c.line_bytes,
            bytes_text(cache_way_bytes(&c)), note);
}

static void print_caches(void)
{
    char note[64];

    ksnprintf(note, sizeof note, ", %s, %s", cache_policy_name(cache_policy()),
              l1d_alias_name(l1d_alias_mode()));
    print_cache("L1D", CACHE_DATA, note);
    print_cache("L1I", CACHE_INSTRUCTION, "");
}

void print_banner(void)
{
    const struct geometry *u = &user_geometry;

    kprintf("  machine      %s, %u kHz%s\n", sysinfo_name(), sysinfo_clock_hz() / 1000,
            sysinfo_is_simulation() ? ", simulated" : "");
    kprintf("  granule      %s\n", bytes_text(PAGE_SIZE));
    kprintf("  VA bits      user %u, kernel %u; PA bits %u\n", u->va_bits, kernel_geometry.va_bits,
            mmu_pa_bits());
    kprintf("  levels       %u (L%u to L3), %u entries a table, one PTE page maps %s\n",
            geometry_levels(u), u->start_level, geometry_entries(u),
            bytes_text(geometry_pte_page_reach(u)));
    if (ENTRY_CHOICE || ENTRY_WIDE)
        kprintf("  entries      %u bits\n", 8u << u->entry_shift);
    print_caches();
    kprintf("  colours      %u, zero pages %u\n", kmap_colours, zero_colours());
    kprintf("  memory       lowmem %s, highmem %s\n", bytes_text(sysinfo_lowmem_bytes()),
            bytes_text(sysinfo_highmem_bytes()));
    kprintf("  user PTEs    in %s\n", __userpte_alloc_gfp & __GFP_HIGHMEM ? "highmem" : "lowmem");
    kprintf("  boot args    \"");
    console_write(saved_command_line, (u32)strlen(saved_command_line)); /* longer than a line */
    kprintf("\"\n");
}

void print_memory(void)
{
    for (const struct zone *z = zones; z < zones + NR_ZONES; z++)
        kprintf("  zone %-7s %u pages, %u free\n", z->name, z->pages, z->free);
    kprintf("  page tables  %u pages\n", nr_pagetable);
}
