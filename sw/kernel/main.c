/* The kernel after boot: memory, banner, experiments, verdict. */
#include "console/console.h"
#include "console/info.h"
#include "errno.h"
#include "experiments/dma.h"
#include "experiments/experiment.h"
#include "image.h"
#include "kernel/dma_pages.h"
#include "kernel/exit.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/flush_policy.h"
#include "mm/paging.h"
#include "panic.h"

#define CONSOLE "console"

static const char *wanted_run = "all";

/* run=NAME: which experiment; "all" is the default, "console" reads commands instead. */
static int setup_run(char *arg)
{
    if (!arg || (strcmp(arg, CONSOLE) != 0 && !experiment_exists(arg))) {
        kprintf("run='%s' is no experiment. There are: all, console and\n", arg ? arg : "");
        list_experiments();
        return -EINVAL;
    }
    wanted_run = arg;
    return 0;
}
early_param("run", setup_run);

void kernel_main(void)
{
    mem_init();
    if (!machine_restarts)
        print_banner();
    tlb_flush_policy_calibrate();
    if (strcmp(wanted_run, CONSOLE) == 0) {
        console_loop();
    } else {
        dma_pages_init();
        run_experiments(wanted_run);
        dma_pages_report();
    }
    kprintf("\n%u results, %u failed, %u warnings\n", results_printed, results_failed, warn_count);
    machine_exit(results_failed || warn_count ? EXIT_FAILED : EXIT_OK);
}
