/* User tasks: cooperative, round robin, one kernel stack for all. */
#ifndef KERNEL_TASK_H
#define KERNEL_TASK_H

#include "kernel/trap.h"
#include "mm/mm.h"

#define NR_TASKS     8u
#define REPORT_WORDS 32u
#define MAX_ARGS     8u /* of a program, in a0 to a7 */

/* Layout of a task's lower half. Page 0 is never mapped. */
#define USER_CODE 0x00010000u
#define USER_STACK_TOP                                                            \
    (USER_CODE + 0x40000u)    /* one page below it is mapped, and none below that \
                               */
#define USER_DATA 0x00100000u /* programs place their areas from here on */

enum task_state { TASK_UNUSED, TASK_RUNNABLE, TASK_WAITING, TASK_ZOMBIE };

struct task {
    enum task_state state;
    u32 pid;
    struct task *parent; /* NULL: nobody waits for it, or the caller of task_run */
    bool orphan;         /* its parent has ended */
    struct mm *mm;
    s32 exit_code;
    struct user_context context;
};

extern struct task tasks[NR_TASKS];

/* A new task that will start at `entry`, a function of user/, with the arguments in a0 ... NULL
 * when there is no room. The caller may prepare its mm before it calls task_run. */
struct task *task_create(void (*entry)(void), u32 nr_args, const u32 *args);

/* Runs this task and what it started until all have ended, orphans too: what comes next has the
 * machine for itself. Returns its exit code and frees it. */
s32 task_run(struct task *task);

/* Handlers of system calls use these. */
struct task *task_fork(struct task *parent);
void task_exit(struct task *task, s32 code);
void task_free(struct task *task);
struct task *task_child(const struct task *parent, bool zombie);

/* What the last task reported (SYS_REPORT), and hooks that experiments set (SYS_MARK). */
extern u32 task_report[REPORT_WORDS];
extern void (*task_mark_hook)(u32 mark);
extern bool task_yields; /* the running task lets the next one run */

void handle_syscall(struct task *task);

#endif
