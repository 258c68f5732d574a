/* Deliberate crashes, to see what a panic says. Never part of `all`. */
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "mm/highmem.h"
#include "panic.h"
#include "user/user.h"

static volatile u32 *volatile nowhere = (volatile u32 *)0xd0000000u;

static void crash_load(void)
{
    kprintf("read %u\n", *nowhere);
}
EXPERIMENT(crash_load, "crash-load", "kernel load from an unmapped address", crash_load, 9);

static void crash_text(void)
{
    *(volatile u32 *)(uintptr_t)&crash_load = 0;
}
EXPERIMENT(crash_text, "crash-text", "kernel store to its own text", crash_text, 9);

static void crash_bug(void)
{
    struct page *page = alloc_page(GFP_HIGHUSER);

    kunmap(page);
    put_page(page);
}
EXPERIMENT(crash_bug, "crash-bug", "kunmap of a page that is not mapped", crash_bug, 9);

static volatile u32 bottom = 1;

/* Not inlined and no tail call: each level has its frame. */
static __attribute__((noinline)) u32 dig(u32 depth)
{
    volatile u32 frame[16] = {depth};

    return bottom ? dig(depth + 1) + frame[0] : 0;
}

static void crash_stack(void)
{
    kprintf("dug %u\n", dig(0));
}
EXPERIMENT(crash_stack, "crash-stack", "recursion without end in the kernel", crash_stack, 9);

static void crash_user_stack(void)
{
    struct task *task = task_create(user_stack_overflow, 0, NULL);

    BUG_ON(!task);
    kprintf("exit code %d\n", task_run(task));
}
EXPERIMENT(crash_user_stack, "crash-user-stack", "a task's stack overflows", crash_user_stack, 9);

/* A task that reads the kernel's half is ended; the kernel goes on. */
static void crash_user(void)
{
    const u32 args[] = {0x80000000u, 4096, 1, 2, 0, 0};
    struct task *task = task_create((void (*)(void))user_probe, ARRAY_SIZE(args), args);

    BUG_ON(!task);
    kprintf("exit code %d\n", task_run(task));
}
EXPERIMENT(crash_user, "crash-user", "user load from kernel memory", crash_user, 9);
