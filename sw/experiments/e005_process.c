#include "drivers/cache.h"
#include "experiments/e005.h"
#include "image.h"
#include "kernel/task.h"
#include "lib/csr.h"
#include "panic.h"
#include "user/user.h"

#define STEP   256u
#define RANDOM 4096u

static const struct {
    u32 mask, count, factor, step;
} patterns[] = {
    [IN_ORDER] = {E005_BYTES - STEP, E005_BYTES / STEP, 1, STEP},
    [AT_RANDOM] = {E005_BYTES - STEP, RANDOM, 1664525, 1013904223},
    [FAR_APART] = {E005_BYTES - E005_STRIDE, E005_WORDS, 1, E005_STRIDE},
};

void sized_process_begin(struct process *p, unsigned page_shift)
{
    *p = (struct process){0};
    BUG_ON(sized_init(&p->space, page_shift, USER_CODE, E005_BASE + E005_BYTES));
    BUG_ON(sized_load(&p->space, USER_CODE, __user_start, (u32)(__user_end - __user_start)));
    flush_icache();
}

void sized_process_fork(struct process *child, struct process *parent)
{
    *child = (struct process){0};
    BUG_ON(sized_init(&child->space, parent->space.geometry.page_shift, parent->space.start,
                      parent->space.end));
    BUG_ON(sized_fork(&child->space, &parent->space));
}

void sized_process_end(struct process *p)
{
    sized_switch(NULL);
    sized_exit(&p->space);
}

static u32 run(struct process *p, u32 pattern, u32 count, u32 key, bool write)
{
    const u32 args[] = {E005_BASE,
                        patterns[pattern].mask,
                        count,
                        patterns[pattern].factor,
                        patterns[pattern].step,
                        key,
                        write};
    u32 *x = p->context.regs.x;

    x[REG_PC] = USER_CODE + ((u32)(uintptr_t)user_touch - (u32)(uintptr_t)__user_start);
    x[REG_SP] = USER_STACK_TOP - 64;
    for (u32 i = 0; i < ARRAY_SIZE(args); i++)
        x[REG_A0 + i] = args[i];
    sized_switch(&p->space);
    for (;;) {
        enter_user(&p->context);
        u32 cause = csr_read_named(scause), value = csr_read_named(stval);

        if (cause == CAUSE_ECALL_U)
            return x[REG_A0];
        bool fault = cause == CAUSE_LOAD_PAGE || cause == CAUSE_STORE_PAGE;
        u32 kind = cause == CAUSE_STORE_PAGE ? FAULT_WRITE : 0;

        if (!fault || sized_fault(&p->space, value, kind))
            panic("e005: %s at 0x%08x, pc 0x%08x", trap_cause_name(cause), value, x[REG_PC]);
    }
}

u32 sized_process_write(struct process *p, enum pattern pattern, u32 key)
{
    return run(p, pattern, patterns[pattern].count, key, true);
}

u32 sized_process_read(struct process *p, enum pattern pattern, u32 key)
{
    return run(p, pattern, patterns[pattern].count, key, false);
}

u32 sized_process_few(struct process *p, u32 words, u32 key, bool write)
{
    return run(p, FAR_APART, words, key, write);
}
