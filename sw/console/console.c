/* The command loop. */
#include "console/console.h"
#include "console/commands.h"
#include "console/input.h"
#include "console/line.h"
#include "image.h"
#include "lib/printf.h"

static struct history history KEPT;

/* False: Ctrl-C. */
static bool read_line(struct line *line)
{
    enum line_event event = LINE_EDITING;
    u32 dropped = input_dropped();

    if (dropped)
        kprintf("%u characters of what was typed meanwhile had no room and are gone\n", dropped);
    line_begin(line, "granule> ");
    while (event == LINE_EDITING) {
        int c = input_getc();

        if (c >= 0)
            event = line_key(line, &history, c);
    }
    return event == LINE_DONE;
}

void console_loop(void)
{
    struct line line;

    if (machine_restarts)
        kprintf("\nstopped; the kernel began again, so nothing is left half done\n");
    else
        kprintf("\nGranule console, `help` lists the commands. First steps: `walk 0x80000000` (an "
                "address of\nthe kernel), `walk 0x100000` (of a process), `tlb`, `mem`\n");
    while (!read_line(&line) || run_command(line.text))
        ;
}
