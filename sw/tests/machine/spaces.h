/* A few address spaces on the machine, and a file that they may map. */
#ifndef TESTS_SPACES_H
#define TESTS_SPACES_H

#include "check.h"
#include "fs/block_store.h"
#include "fs/dax_index.h"
#include "machine/machine.h"

#define STORE_ORDER 4u

extern struct mm *mms[LIVE];
extern struct inode *file; /* NULL: none was made */

struct mm *new_mm(u32 slot); /* it runs from now on */
void drop_mm(u32 slot);      /* if there is one */
void file_start(u64 bytes);  /* opens the store and makes a file of so many bytes */
void settled(void);          /* what holds whenever no fault is under way */
void spaces_end(void);       /* frees all, and looks whether everything came back */
u32 flushes(void);           /* of several pages; those of kmap_local are of single ones */

/* One word, by user code of that address space; the access must succeed, or says why not. */
u32 load(struct mm *mm, vaddr_t va);
void store(struct mm *mm, vaddr_t va, u32 value);
int access_error(struct mm *mm, vaddr_t va, enum access kind);
bool refused(struct mm *mm, vaddr_t va, enum access kind);
u32 faults_of_store(struct mm *mm, vaddr_t va, u32 value);
bool has_block(struct mm *mm, vaddr_t va); /* a large page maps it */

void *entry_at(u32 index); /* of the file */
u32 flags_at(u32 index);   /* of the entry; all ones: there is none, or it is no value */

/* A small file that two address spaces map, each shared and privately, at the same places. */
#define PAGES 8u
extern vaddr_t shared, private;
void map_twice(void); /* sets everything up */

static inline vaddr_t page(vaddr_t area, u32 i)
{
    return area + i * PAGE_SIZE;
}

/* All tests of a file on each machine, in a process of its own: the mm's state outlives a test.
 * `setup` comes before each, spaces_end after it. For main. */
int run_on(const struct machine *machines, u32 count, void (*setup)(void));
int run_on_every_machine(void (*setup)(void));

#endif
