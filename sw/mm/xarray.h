/* An array of pointers or small numbers, indexed by 32 bits, that costs memory only where it is
 * used: a tree of nodes with 64 slots (Linux's XArray, as far as a mapping's index needs it).
 *
 * An entry is a pointer (even) or a value (xa_mk_value: tagged by its lowest bit, so that neither
 * can be taken for the other). NULL is no entry. Entries carry one mark. */
#ifndef MM_XARRAY_H
#define MM_XARRAY_H

#include "types.h"

#define XA_CHUNK_SHIFT 6
#define XA_CHUNK_SIZE  (1u << XA_CHUNK_SHIFT)
#define XA_CHUNK_MASK  (XA_CHUNK_SIZE - 1)

struct xa_node {
    u8 shift;  /* index bits below the ones that this node resolves */
    u8 offset; /* its slot in the parent */
    u8 count;  /* slots in use */
    struct xa_node *parent;
    void *slots[XA_CHUNK_SIZE];
    u32 marks[XA_CHUNK_SIZE / 32]; /* of the entries; used in leaves only */
};

struct xarray {
    struct xa_node *head;
    u32 nodes;
};

/* A place in an array. The leaf is remembered, so that a load and the stores that follow it walk
 * the tree once; any other change of the array in between makes the place invalid. */
struct xa_state {
    struct xarray *xa;
    u32 index;
    struct xa_node *node; /* leaf, once it was found */
};

#define XA_STATE(name, array, at) struct xa_state name = {.xa = (array), .index = (at)}

static inline void *xa_mk_value(uintptr_t value)
{
    return (void *)(value << 1 | 1);
}

static inline bool xa_is_value(const void *entry)
{
    return (uintptr_t)entry & 1;
}

static inline uintptr_t xa_to_value(const void *entry)
{
    return (uintptr_t)entry >> 1;
}

void *xas_load(struct xa_state *xas);
/* 0 or -ENOMEM, after which nothing has changed. NULL erases, together with nodes that it empties.
 * A new entry has no mark; replacing one keeps it. */
int xas_store(struct xa_state *xas, void *entry);
bool xas_get_mark(struct xa_state *xas); /* all three: of an entry that exists */
void xas_set_mark(struct xa_state *xas);
void xas_clear_mark(struct xa_state *xas);

void *xa_load(struct xarray *xa, u32 index);
int xa_store(struct xarray *xa, u32 index, void *entry);
void *xa_erase(struct xarray *xa, u32 index); /* the entry that was there */

/* The first entry at *index or above, but not above `max`; *index becomes its own. */
void *xa_find(struct xarray *xa, u32 *index, u32 max);

#define xa_for_each_range(xa, index, entry, start, max) \
    for ((index) = (start); ((entry) = xa_find(xa, &(index), max)) != NULL; (index)++)

/* Nodes that all arrays hold now, and pages that they take. */
u32 xa_total_nodes(void);
u32 xa_total_pages(void);
u32 xa_nodes_per_page(void);

#endif
