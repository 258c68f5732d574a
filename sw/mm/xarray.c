#include "mm/xarray.h"
#include "errno.h"
#include "lib/string.h"
#include "mm/slab.h"
#include "panic.h"

static struct kmem_cache node_cache = KMEM_CACHE("xa_node", struct xa_node);

u32 xa_total_nodes(void)
{
    return node_cache.objects;
}

u32 xa_total_pages(void)
{
    return node_cache.slabs;
}

u32 xa_nodes_per_page(void)
{
    return kmem_cache_objects_per_slab(&node_cache);
}

static u32 slot_of(const struct xa_node *node, u32 index)
{
    return index >> node->shift & XA_CHUNK_MASK;
}

/* Does a head like this reach the index? The highest node resolves fewer than six bits. */
static bool reaches(const struct xa_node *head, u32 index)
{
    unsigned above = head->shift + XA_CHUNK_SHIFT;

    return above >= 32 || index >> above == 0;
}

static struct xa_node *node_alloc(struct xarray *xa, struct xa_node *parent, u32 offset, u32 shift)
{
    struct xa_node *node = kmem_cache_alloc(&node_cache);

    if (!node)
        return NULL;
    memset(node, 0, sizeof *node);
    node->shift = (u8)shift;
    node->offset = (u8)offset;
    node->parent = parent;
    xa->nodes++;
    return node;
}

/* Frees the node if nothing is in it, then those above it that it was the last child of. */
static void free_if_empty(struct xarray *xa, struct xa_node *node)
{
    while (node && !node->count) {
        struct xa_node *parent = node->parent;

        if (parent) {
            parent->slots[node->offset] = NULL;
            parent->count--;
        } else {
            xa->head = NULL;
        }
        kmem_cache_free(&node_cache, node);
        xa->nodes--;
        node = parent;
    }
}

/* Puts heads on top until one reaches the index. */
static struct xa_node *grow(struct xarray *xa, u32 index)
{
    if (!xa->head) {
        u32 shift = 0;

        while (shift + XA_CHUNK_SHIFT < 32 && index >> (shift + XA_CHUNK_SHIFT))
            shift += XA_CHUNK_SHIFT;
        return xa->head = node_alloc(xa, NULL, 0, shift);
    }
    while (!reaches(xa->head, index)) {
        struct xa_node *old = xa->head,
                       *head = node_alloc(xa, NULL, 0, old->shift + XA_CHUNK_SHIFT);

        if (!head)
            return NULL;
        head->slots[0] = old;
        head->count = 1;
        old->parent = head;
        xa->head = head;
    }
    return xa->head;
}

static struct xa_node *create_leaf(struct xarray *xa, u32 index)
{
    struct xa_node *node = grow(xa, index);

    while (node && node->shift) {
        u32 slot = slot_of(node, index);

        if (!node->slots[slot]) {
            struct xa_node *child = node_alloc(xa, node, slot, node->shift - XA_CHUNK_SHIFT);

            if (!child) {
                free_if_empty(xa, node);
                return NULL;
            }
            node->slots[slot] = child;
            node->count++;
        }
        node = node->slots[slot];
    }
    return node;
}

static struct xa_node *find_leaf(const struct xarray *xa, u32 index)
{
    struct xa_node *node = xa->head;

    if (!node || !reaches(node, index))
        return NULL;
    while (node && node->shift)
        node = node->slots[slot_of(node, index)];
    return node;
}

void *xas_load(struct xa_state *xas)
{
    if (!xas->node)
        xas->node = find_leaf(xas->xa, xas->index);
    return xas->node ? xas->node->slots[xas->index & XA_CHUNK_MASK] : NULL;
}

static u32 mark_bit(const struct xa_state *xas)
{
    return BIT(xas->index & 31);
}

static u32 *mark_word(struct xa_state *xas)
{
    BUG_ON(!xas_load(xas));
    return &xas->node->marks[(xas->index & XA_CHUNK_MASK) / 32];
}

bool xas_get_mark(struct xa_state *xas)
{
    return *mark_word(xas) & mark_bit(xas);
}

void xas_set_mark(struct xa_state *xas)
{
    *mark_word(xas) |= mark_bit(xas);
}

void xas_clear_mark(struct xa_state *xas)
{
    *mark_word(xas) &= ~mark_bit(xas);
}

int xas_store(struct xa_state *xas, void *entry)
{
    u32 slot = xas->index & XA_CHUNK_MASK;
    void *old = xas_load(xas);

    if (!old && !entry)
        return 0;
    if (!xas->node && !(xas->node = create_leaf(xas->xa, xas->index)))
        return -ENOMEM;
    if (!entry)
        xas_clear_mark(xas);
    xas->node->slots[slot] = entry;
    if (!old)
        xas->node->count++;
    if (entry)
        return 0;
    xas->node->count--;
    free_if_empty(xas->xa, xas->node);
    xas->node = NULL;
    return 0;
}

void *xa_load(struct xarray *xa, u32 index)
{
    XA_STATE(xas, xa, index);

    return xas_load(&xas);
}

int xa_store(struct xarray *xa, u32 index, void *entry)
{
    XA_STATE(xas, xa, index);

    return xas_store(&xas, entry);
}

void *xa_erase(struct xarray *xa, u32 index)
{
    XA_STATE(xas, xa, index);
    void *old = xas_load(&xas);

    xas_store(&xas, NULL);
    return old;
}

/* Walks down as far as there are nodes; where none is, the whole span of the slot is skipped. */
void *xa_find(struct xarray *xa, u32 *index, u32 max)
{
    u32 at = *index;

    while (at <= max) {
        struct xa_node *node = xa->head;

        if (!node || !reaches(node, at))
            return NULL;
        while (node->shift && node->slots[slot_of(node, at)])
            node = node->slots[slot_of(node, at)];
        void *entry = node->slots[slot_of(node, at)];

        if (entry) {
            *index = at;
            return entry;
        }
        u32 next = ((at >> node->shift) + 1) << node->shift;

        if (next <= at) /* past the last index */
            return NULL;
        at = next;
    }
    return NULL;
}
