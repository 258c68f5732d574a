/* What the self-tests share. A test makes one round of random work and returns a checksum of what
 * it saw; the checksum depends on the random numbers and on nothing else, so that another machine
 * with the same kernel interface must find the same.
 */
#ifndef TEST_H
#define TEST_H

#include <stddef.h>
#include <stdint.h>

#define PAGE 4096u

struct random {
    uint32_t state;
};

uint32_t random_next(struct random *r);
uint32_t random_below(struct random *r, uint32_t limit);

/* Order counts: mix(mix(0, a), b) differs from mix(mix(0, b), a). */
uint32_t mix(uint32_t sum, uint32_t value);
uint32_t mix_words(uint32_t sum, const volatile uint32_t *words, size_t count);

/* Ends the process with a message and status 1; a parent that waits for it does the same. */
#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))
void check_failed(const char *file, int line, const char *condition) __attribute__((noreturn));

/* Anonymous pages that may be read and written; `shared` says by whom. */
void *map_pages(size_t pages, int shared);
void unmap_pages(void *at, size_t pages);

/* A file of so many pages of zeros that has no name any more. */
int scratch_file(size_t pages);

/* Waits for a child that must have ended with exit(): its status. */
uint32_t wait_for(int child);

/* One access that may fault. 0, or what the kernel says: si_code of the SIGSEGV, or PROBE_BUS plus
 * si_code of a SIGBUS; its si_addr is checked. */
#define PROBE_BUS 0x100
int probe_read(volatile uint32_t *at, uint32_t *value);
int probe_write(volatile uint32_t *at, uint32_t value);
int probe_call(void *at);
/* si_addr is that of the first or of any other byte: machines differ. */
int probe_misaligned(void *at, uint32_t *value);

uint32_t test_alias(struct random *r);
uint32_t test_atomic(struct random *r);
uint32_t test_code(struct random *r);
uint32_t test_cow(struct random *r);
uint32_t test_exec(struct random *r);
uint32_t test_fault(struct random *r);
uint32_t test_fork(struct random *r);
uint32_t test_misaligned(struct random *r);
uint32_t test_mmap(struct random *r);
uint32_t test_mprotect(struct random *r);
uint32_t test_mremap(struct random *r);
uint32_t test_shared(struct random *r);
uint32_t test_stress(struct random *r);

#endif
