/* /init, the first process: mounts the kernel's file systems and runs the shell on the console,
 * again whenever it ends. The kernel passes on the words that follow `--` on its command line; if
 * there are any, init hands them to the shell as one command, prints that command's exit status as
 * `init: exit status N`, and switches the machine off.
 *
 * The signals are those that busybox's poweroff, reboot and halt send.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "granule_map.h"

#define TERMINAL "/dev/terminal"

static void end(int how)
{
    sync();
    reboot(how);
    perror("init: reboot");
    for (;;)
        pause();
}

/* Ends the machine with a failure's status, which reboot(2) cannot take along: by the finisher,
 * which QEMU's `virt` machine has at the same address. Returns if there is no /dev/mem. */
static void fail(int status)
{
    int fd = open("/dev/mem", O_RDWR | O_SYNC);
    volatile uint32_t *finisher = mmap(NULL, GRANULE_FINISHER_SIZE, PROT_READ | PROT_WRITE,
                                       MAP_SHARED, fd, GRANULE_FINISHER_BASE);

    if (finisher == MAP_FAILED)
        return;
    usleep(10000); /* the UART sends what it has */
    *finisher = (uint32_t)status << 16 | GRANULE_FINISHER_FAIL;
}

static void on_signal(int number)
{
    end(number == SIGUSR2 ? RB_POWER_OFF : number == SIGTERM ? RB_AUTOBOOT : RB_HALT_SYSTEM);
}

/* The kernel's own quotes are gone; what the shell needs of them comes as ' in the words. */
static char *joined(char **words)
{
    static char line[4096]; /* the kernel's command line is shorter */
    size_t length = 0;

    for (; *words && length < sizeof(line); words++)
        length += (size_t)snprintf(line + length, sizeof(line) - length, "%s%s", length ? " " : "",
                                   *words);
    return line;
}

/* A kernel may be without one of them. */
static void mount_or_say(const char *type, const char *where)
{
    if (mount(type, where, type, 0, NULL) && errno != EBUSY && errno != ENODEV)
        fprintf(stderr, "init: %s cannot be mounted: %s\n", where, strerror(errno));
}

/* Job control needs a controlling terminal, which /dev/console cannot be; the kernel tells which
 * device is behind it. */
static void take_terminal(void)
{
    unsigned device;
    int fd;

    setsid();
    if (ioctl(0, TIOCGDEV, &device))
        return;
    mknod(TERMINAL, S_IFCHR | 0600, makedev((device >> 8) & 0xfff, device & 0xff));
    fd = open(TERMINAL, O_RDWR);
    if (fd < 0)
        return;
    ioctl(fd, TIOCSCTTY, 1);
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    if (fd > 2)
        close(fd);
}

/* Orphans of others end here, too. */
static int wait_for(pid_t child)
{
    int status = 0;

    for (pid_t pid; (pid = wait(&status)) != child;)
        if (pid < 0 && errno != EINTR)
            return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static pid_t start_shell(char *const *arguments)
{
    pid_t child = fork();

    if (child == 0) {
        execv("/bin/sh", arguments);
        perror("init: /bin/sh");
        _exit(127);
    }
    return child;
}

/* When the leader of a session ends, Linux throws away what its terminal has not sent. So the shell
 * is not the leader but its child, and the leader waits until all is sent. */
static int run(char *const *arguments)
{
    pid_t leader = fork();

    if (leader == 0) {
        take_terminal();

        pid_t shell = start_shell(arguments);

        signal(SIGINT, SIG_IGN);
        signal(SIGQUIT, SIG_IGN);

        int status = wait_for(shell);

        tcdrain(1);
        _exit(status);
    }
    return wait_for(leader);
}

int main(int argc, char **argv)
{
    char *shell[] = {"sh", argc > 1 ? "-c" : "-l", argc > 1 ? joined(argv + 1) : NULL, NULL};

    mount_or_say("proc", "/proc");
    mount_or_say("sysfs", "/sys");
    mount_or_say("devtmpfs", "/dev");
    setenv("HOME", "/", 1);
    setenv("PATH", "/bin", 1);
    setenv("PS1", "\\w # ", 1);
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, on_signal);
    signal(SIGTERM, on_signal);

    if (argc > 1) {
        int status = run(shell);

        printf("init: exit status %d\n", status);
        fflush(stdout);
        tcdrain(1);
        if (status)
            fail(status);
        end(RB_POWER_OFF);
    }
    for (;;)
        run(shell);
}
