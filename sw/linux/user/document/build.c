/* document-build TARGET BUILDS WORD...: documents 000 and 001, which measure a kernel while it
 * compiles: /build has a makefile, and TARGET is `library` or `release`. After a file that warms
 * up, for each of BUILDS rounds and each WORD: writes WORD to /proc/pkmap (sw/linux/patches/0004;
 * "-" writes nothing), runs `make -j4`, and prints what the document's kernbench prints of it, and
 * what /proc/pkmap counted. WORDs alternate, so that time favours none. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PKMAP "/proc/pkmap"

static char round_name[40];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void choose(const char *word)
{
    int file = open(PKMAP, O_WRONLY);

    if (file < 0 || write(file, word, strlen(word)) < 0)
        fail(word);
    close(file);
}

static void print(const char *name, unsigned long long value, const char *unit)
{
    printf("RESULT id=L.%s.%s run=build class=figure value=%llu unit=%s what=%s\n", round_name,
           name, value, unit, name);
}

static unsigned long long microseconds(struct timeval time)
{
    return time.tv_sec * 1000000ull + (unsigned long long)time.tv_usec;
}

static unsigned long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000ull + (unsigned long long)time.tv_nsec / 1000;
}

/* A build that fails measures nothing; what warms up has no name. */
static void build(const char *target)
{
    static int copies;
    unsigned long long start;
    struct rusage used;
    char copy[20];
    pid_t child;
    int status = -1;

    snprintf(copy, sizeof(copy), "COPY=copy%d", copies++);
    if (system("cd /build && rm -rf objects library.a && mkdir objects"))
        fail("rm");
    start = now();
    child = fork();
    if (child == 0) {
        execl("/bin/bmake", "bmake", "-rs", "-j4", "-C", "/build", target, copy, NULL);
        perror("bmake");
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        fail("build");
    if (status) {
        fprintf(stderr, "document-build: the build ended with status %#x\n", status);
        exit(1);
    }
    if (!*round_name)
        return;
    print("elapsed", now() - start, "us");
    print("user", microseconds(used.ru_utime), "us");
    print("system", microseconds(used.ru_stime), "us");
    print("switches", (unsigned long long)used.ru_nivcsw, "switches");
    print("sleeps", (unsigned long long)used.ru_nvcsw, "switches");
    print("faults", (unsigned long long)used.ru_minflt, "faults");
}

static const char *unit_of(const char *name)
{
    if (!strcmp(name, "maps") || !strcmp(name, "pages"))
        return "pages";
    return strcmp(name, "sweeps") ? "ticks" : "sweeps";
}

/* Its lines are a name and a number each. */
static void counts(void)
{
    FILE *file = fopen(PKMAP, "r");
    unsigned long long value;
    char name[20];

    if (!file)
        fail(PKMAP);
    while (fscanf(file, "%19s %llu", name, &value) == 2)
        print(name, value, unit_of(name));
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc < 4 || atoi(argv[2]) < 1) {
        fprintf(stderr, "usage: document-build TARGET BUILDS WORD...\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOFBF, 1 << 16); /* the console's interrupts come after the builds */
    build("first");
    for (int i = 1; i <= atoi(argv[2]); i++)
        for (char **word = argv + 3; *word; word++) {
            int kernel_has_it = strcmp(*word, "-");

            snprintf(round_name, sizeof(round_name), "%s.%d", kernel_has_it ? *word : "none", i);
            if (kernel_has_it)
                choose(*word);
            build(argv[1]);
            if (kernel_has_it)
                counts();
        }
    return 0;
}
