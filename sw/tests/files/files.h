/* What the tests of files have in common: a file, its store, and a few address spaces. */
#ifndef FILES_FILES_H
#define FILES_FILES_H

#include "check.h"
#include "fs/block_store.h"
#include "fs/dax_index.h"
#include "machine/machine.h"

#define LIVE        3u
#define STORE_ORDER 4u

extern struct mm *mms[LIVE];
extern struct inode *file;

/* Opens the store and makes a file of so many bytes; ends, and looks whether everything came back.
 */
void files_start(u64 bytes);
void files_end(void);
/* What holds whenever no fault is under way. */
void settled(void);

/* One word, by user code of that address space; the access must succeed, or says why not. */
u32 load(struct mm *mm, vaddr_t va);
void store(struct mm *mm, vaddr_t va, u32 value);
int access_error(struct mm *mm, vaddr_t va, enum access kind);
u32 faults_of_store(struct mm *mm, vaddr_t va, u32 value);

void *entry_at(u32 index);
u32 flags_at(u32 index); /* of the entry; all ones: there is none, or it is no value */

struct named_test {
    const char *name;
    void (*run)(void);
};
/* Runs them on a machine in a process of its own: the mm's state outlives a test. */
bool run_on(const struct machine *m, const struct named_test *tests, u32 count,
            void (*setup)(void));

#endif
