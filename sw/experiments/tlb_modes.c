/* Six ways. `each` is what this firmware does page by page: the next page when the one before is
 * complete. The others are the modes of a patch for arm64 (docs/invalidation-modes.md):
 *
 *   local      only the CPU is told: for address spaces that no device uses
 *   broadcast  every MMU is told of each page, and one wait is at the end
 *   ipi        the CPU does its own; a software interrupt lets a handler do that of devices
 *   none       nobody is told: what the others cost beyond it is the price of the invalidation
 *   range      every MMU is told once, of all pages
 */
#include "experiments/tlb_modes.h"
#include "errno.h"
#include "kernel/ipi.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/tlb.h"
#include "mm/tlb_post.h"

static void post_local(struct mm *mm, vaddr_t address)
{
    flush_tlb_page_nosync(mm, address, MMU_POST_NOT_DEVICES);
}

static void post_broadcast(struct mm *mm, vaddr_t address)
{
    flush_tlb_page_nosync(mm, address, 0);
}

static void range(struct mm *mm, vaddr_t start, vaddr_t end)
{
    flush_tlb_range(mm, start, end, false);
}

/* What the sender leaves for the handler, which stands for the other CPU's. */
static struct {
    struct mm *mm;
    vaddr_t start, end;
} request;

static void handle(void)
{
    for (vaddr_t at = request.start; at != request.end; at += PAGE_SIZE)
        flush_tlb_page_nosync(request.mm, at, MMU_POST_NOT_CPU);
    mmu_tlbi_sync();
}

static void send(struct mm *mm, vaddr_t start, vaddr_t end)
{
    request.mm = mm;
    request.start = start;
    request.end = end;
    ipi_send(handle);
}

static void wait_for_handler(void)
{
    ipi_wait();
    mmu_tlbi_sync(); /* its own, if the handler had waited for less */
}

const struct tlb_mode tlb_modes[NR_TLB_MODES] = {
    {"each", flush_tlb_page, NULL, NULL, true, true},
    {"local", post_local, NULL, mmu_tlbi_sync, true, false},
    {"broadcast", post_broadcast, NULL, mmu_tlbi_sync, true, true},
    {"ipi", post_local, send, wait_for_handler, true, true},
    {"none", NULL, NULL, NULL, false, false},
    {"range", NULL, range, NULL, true, true},
};

static const struct tlb_mode *only;

static int setup_tlb(char *arg)
{
    for (u32 i = 0; arg && i < NR_TLB_MODES; i++)
        if (strcmp(arg, tlb_modes[i].name) == 0) {
            only = &tlb_modes[i];
            return 0;
        }
    kprintf("tlb='%s' is no mode. There are:", arg ? arg : "");
    for (u32 i = 0; i < NR_TLB_MODES; i++)
        kprintf(" %s", tlb_modes[i].name);
    kprintf("\n");
    return -EINVAL;
}
early_param("tlb", setup_tlb);

bool tlb_mode_wanted(const struct tlb_mode *mode)
{
    return !only || mode == only;
}
