/* document-004 FILE BYTES: makes FILE a hole of BYTES, reads each page of it through a mapping, and
 * prints what the mapping is in /proc/self/smaps, as the document does, and the time of a page. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096u

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static unsigned long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ull + (unsigned long long)time.tv_nsec;
}

/* The lines of the mapping that begins at an address: its own begins with it in hex, the others
 * with a capital letter. */
static void print_smaps(const volatile char *mapping)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char start[16], line[256];
    int ours = 0;

    if (!file)
        fail("/proc/self/smaps");
    snprintf(start, sizeof(start), "%08lx-", (unsigned long)mapping);
    while (fgets(line, sizeof(line), file)) {
        if (line[0] < 'A' || line[0] > 'Z')
            ours = !strncmp(line, start, strlen(start));
        if (ours)
            fputs(line, stdout);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    size_t bytes = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
    volatile char *mapping;
    unsigned long long ns;
    int file, sum = 0;

    if (!bytes || bytes % PAGE) {
        fprintf(stderr, "usage: document-004 FILE BYTES, in whole pages\n");
        return 2;
    }
    file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, (off_t)bytes))
        fail(argv[1]);
    mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapping == MAP_FAILED)
        fail("mmap");
    ns = now();
    for (size_t at = 0; at < bytes; at += PAGE)
        sum |= mapping[at];
    ns = now() - ns;
    if (sum) {
        fprintf(stderr, "document-004: a hole is not zero\n");
        return 1;
    }
    print_smaps(mapping);
    printf("RESULT id=L4.page run=holes class=figure value=%llu unit=ns what=a_page_as_read\n",
           ns / (bytes / PAGE));
    return 0;
}
