/* One access that may fault: the signal handler notes what the kernel says and leaves the access.
 */
#include <setjmp.h>
#include <signal.h>

#include "arch.h"
#include "test.h"

static sigjmp_buf out;
static volatile uintptr_t expected, slack;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    CHECK((uintptr_t)info->si_addr - expected <= slack);
    siglongjmp(out, (number == SIGBUS ? PROBE_BUS : 0) + info->si_code);
}

/* The old handlers come back after each access: a fault elsewhere ends the test. */
struct handlers {
    struct sigaction segv, bus;
};

static void take(struct handlers *old, volatile void *at)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

    expected = (uintptr_t)at;
    CHECK(sigaction(SIGSEGV, &action, &old->segv) == 0);
    CHECK(sigaction(SIGBUS, &action, &old->bus) == 0);
}

static int give_back(const struct handlers *old, int code)
{
    CHECK(sigaction(SIGSEGV, &old->segv, NULL) == 0);
    CHECK(sigaction(SIGBUS, &old->bus, NULL) == 0);
    return code;
}

int probe_read(volatile uint32_t *at, uint32_t *value)
{
    struct handlers old;
    int code;

    take(&old, at);
    code = sigsetjmp(out, 1);
    if (code == 0)
        *value = *at;
    return give_back(&old, code);
}

int probe_write(volatile uint32_t *at, uint32_t value)
{
    struct handlers old;
    int code;

    take(&old, at);
    code = sigsetjmp(out, 1);
    if (code == 0)
        *at = value;
    return give_back(&old, code);
}

int probe_call(void *at)
{
    struct handlers old;
    int code;

    take(&old, at);
    code = sigsetjmp(out, 1);
    if (code == 0)
        ((void (*)(void))at)();
    return give_back(&old, code);
}

int probe_misaligned(void *at, uint32_t *value)
{
    struct handlers old;
    int code;

    take(&old, at);
    slack = sizeof(*value) - 1;
    code = sigsetjmp(out, 1);
    if (code == 0)
        *value = load_u32(at);
    slack = 0;
    return give_back(&old, code);
}
