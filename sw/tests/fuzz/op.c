#include "check.h"
#include "errno.h"
#include "fuzz/fuzz.h"

/* ---- what they do ---- */
static int expect(const char *what, int got, int wanted)
{
    if (got != wanted)
        machine_failed("%s returned %d, expected %d", what, got, wanted);
    return got;
}

bool no_memory(int error)
{
    return error == -ENOMEM && (alloc_failed || pgtable_ctor_fails);
}

static int run_map(const struct op *o)
{
    const struct model_area a = {o->start, o->start + o->length, o->flags, o->of_file,
                                 o->of_file ? o->pgoff : 0};
    int error = o->of_file ? mm_map_file(o->m->mm, o->start, o->length, o->flags, file, o->pgoff)
                           : mm_map(o->m->mm, o->start, o->length, o->flags);

    return expect("mm_map", error, model_map(o->m, a));
}

static int run_unmap(const struct op *o)
{
    int error = mm_unmap(o->m->mm, o->start, o->length);

    return expect("mm_unmap", error, model_unmap(o->m, o->start, o->length));
}

static int run_protect(const struct op *o) /* it needs no memory */
{
    int error = mm_protect(o->m->mm, o->start, o->length, o->flags);

    return expect("mm_protect", error, model_protect(o->m, o->start, o->length, o->flags));
}

static int run_move(const struct op *o)
{
    int error = mm_move(o->m->mm, o->start, o->length, o->to);

    if (no_memory(error))
        return error;
    return expect("mm_move", error, model_move(o->m, o->start, o->length, o->to));
}

static int run_fork(const struct op *o)
{
    struct mm *mm = mm_alloc();

    if (!mm && !alloc_failed)
        machine_failed("mm_alloc fails although there is memory");
    if (!mm)
        return -ENOMEM;
    int error = mm_fork(mm, o->m->mm);

    if (error) {
        if (!no_memory(error))
            expect("mm_fork", error, 0);
        mmput(mm);
        return error;
    }
    *o->child = *o->m;
    o->child->mm = mm;
    return 0;
}

int run_free(const struct op *o)
{
    mmput(o->m->mm);
    *o->m = (struct model){0};
    return 0;
}

/* Only the first access can fault. */
static int access_page(const struct op *o, enum access kind)
{
    const struct model_page *old = model_page(o->m, o->page);
    vaddr_t va = sample_va(o->page);
    u32 words = kind == STORE && old->word[0] ? WORDS - 1 : WORDS;

    for (u32 n = 0; n < words; n++) {
        u32 word = o->value;
        int error = cpu_access(va + word_offset(n), kind, &word);

        if (error && n == 0)
            return error;
        expect("an access to a page that is there", error, 0);
        if (kind != STORE && word != old->word[n])
            machine_failed("0x%08x: word %u reads 0x%08x, 0x%08x was written", va, n, word,
                           old->word[n]);
    }
    return 0;
}

/* There is no block for a page that has none. */
static bool store_is_full(u32 index)
{
    return blocks_in_use() == BIT(STORE_ORDER) && !xa_load(&file->i_blocks, index);
}

int run_touch(const struct op *o)
{
    static const u32 needs[] = {[LOAD] = VM_READ, [STORE] = VM_WRITE, [FETCH] = VM_EXEC};
    enum access kind = o->flags;
    const struct model_area *a = model_area(o->m, sample_va(o->page));
    u32 flags = a ? a->flags : 0, index = a && a->of_file ? file_index(a, sample_va(o->page)) : 0;
    int wanted = !(flags & needs[kind]) ? -EFAULT : index < file_pages || !a->of_file ? 0 : -EIO;
    int error = access_page(o, kind);

    if (no_memory(error))
        return error;
    if (error == -EIO && !wanted && kind == STORE && flags & VM_SHARED && store_is_full(index))
        return error;
    expect("a user access", error, wanted);
    if (kind == STORE && !error)
        model_store(o->m, o->page, o->value);
    return error;
}

/* read(2) and write(2) of what is in the file. */
static int run_call(const struct op *o)
{
    bool write = o->flags;
    struct model_page *page = &file_page[o->pgoff];
    u32 words = write && page->word[0] ? WORDS - 1 : WORDS;

    for (u32 n = 0; n < words && o->pgoff < file_pages; n++) {
        u32 word = o->value;
        u64 at = ((u64)o->pgoff << PAGE_SHIFT) + word_offset(n);
        s32 got = dax_iomap_rw(file, at, &word, sizeof word, write);

        if (n == 0 && (no_memory(got) || (got == -ENOSPC && write && store_is_full(o->pgoff))))
            return got;
        expect("a call", got, sizeof word);
        if (!write && word != page->word[n])
            machine_failed("page %u of the file reads 0x%08x by a call, 0x%08x was written",
                           o->pgoff, word, page->word[n]);
    }
    if (write && o->pgoff < file_pages)
        model_write(page, o->value);
    return 0;
}

/* To an end within the last page, which is whole again afterwards: it must not show what was there.
 * Mostly all pages come back, as holes. */
static int run_truncate(const struct op *o)
{
    u64 size = (u64)o->pgoff << PAGE_SHIFT;
    bool within = o->value % 2 && o->pgoff <= file_pages;

    if (within && o->pgoff)
        inode_truncate(file, size - PAGE_SIZE + 4);
    inode_truncate(file, size);
    model_truncate(o->pgoff, within);
    if (o->value % 8)
        inode_truncate(file, (u64)(file_pages = FILE_PAGES) << PAGE_SHIFT);
    return 0;
}

/* ---- which ---- */
struct model *some_model(bool alive)
{
    for (u32 n = below(LIVE), i = 0; i < LIVE; i++)
        if (!models[(n + i) % LIVE].mm == !alive)
            return &models[(n + i) % LIVE];
    return NULL;
}

static const struct model_area *some_area(const struct model *m)
{
    for (u32 n = below(NR_VMAS), i = 0; i < NR_VMAS; i++)
        if (m->areas[(n + i) % NR_VMAS].flags)
            return &m->areas[(n + i) % NR_VMAS];
    return NULL;
}

/* A few pages; sometimes from one neighbourhood to another. */
static void pick_range(struct op *o)
{
    o->start = sample_va(below(SAMPLES));
    vaddr_t last = sample_va(below(SAMPLES));

    o->length =
        below(16) || last < o->start ? (1 + below(8)) << PAGE_SHIFT : last - o->start + PAGE_SIZE;
}

/* The whole of an area, its lower, upper or middle part, or more than it. */
static void pick_part(struct op *o)
{
    const struct model_area *a = some_area(o->m);

    if (!a || below(4) == 0) {
        pick_range(o);
        return;
    }
    u32 pages = (a->end - a->start) >> PAGE_SHIFT, skip = below(2) ? below(pages) : 0;

    o->start = a->start + (skip << PAGE_SHIFT);
    o->length = (1 + below(pages - skip + (below(4) == 0))) << PAGE_SHIFT;
}

static void spoil(struct op *o)
{
    u32 way = below(8);

    if (way == 0)
        o->start += 4;
    else if (way == 1)
        o->length = below(2) ? 0 : o->length + PAGE_SIZE / 2;
    else if (way == 2)
        o->start = 0;
    else if (way == 3)
        o->length = TASK_SIZE - o->start + PAGE_SIZE;
    else if (way == 4)
        o->flags = below(2) ? VM_WRITE | VM_EXEC : 0;
    else if (way == 5)
        o->flags |= VM_SHARED;
    else if (way == 6)
        o->pgoff = ~0u;
    else
        o->length = 0u - o->start;
}

static u32 some_flags(void)
{
    static const u32 flags[] = {VM_DATA, VM_DATA, VM_READ, VM_READ | VM_EXEC};

    return flags[below(ARRAY_SIZE(flags))];
}

/* Of the file mostly the same few pages, wherever they are mapped; sometimes where a block fits. */
static void pick_file(struct op *o)
{
    o->of_file = true;
    o->flags |= below(2) * VM_SHARED;
    if (below(3) == 0) {
        o->start &= HPAGE_PMD_MASK;
        o->length = HPAGE_PMD_SIZE << below(2);
    }
    o->pgoff = ((o->start >> PAGE_SHIFT) + FILE_PAGES / 2) % FILE_PAGES;
    if (below(6) == 0)
        o->pgoff = below(FILE_PAGES);
}

static u32 some_file_page(struct model *m)
{
    vaddr_t va = sample_va(below(SAMPLES));
    const struct model_area *a = model_area(m, va);

    return a && a->of_file ? file_index(a, va) % FILE_PAGES : below(FILE_PAGES);
}

static struct op call_op(struct model *m)
{
    return (struct op){"call",
                       run_call,
                       m,
                       .flags = below(2),
                       .pgoff = some_file_page(m),
                       .value = pseudo_random() | 1};
}

static struct op truncate_op(struct model *m)
{
    u32 pages = below(3) ? some_file_page(m) + below(2) : 0;

    return (struct op){"truncate", run_truncate, m, .pgoff = pages, .value = pseudo_random()};
}

static struct op map_op(struct model *m)
{
    struct op o = {"map", run_map, m, .flags = some_flags()};

    pick_range(&o);
    if (below(2))
        pick_file(&o);
    if (below(12) == 0)
        spoil(&o);
    return o;
}

static struct op unmap_op(struct model *m)
{
    struct op o = {"unmap", run_unmap, m, .flags = 0};

    pick_part(&o);
    if (below(200) == 0)
        o.start = PAGE_SIZE, o.length = TASK_SIZE - PAGE_SIZE;
    else if (below(12) == 0)
        spoil(&o);
    return o;
}

static struct op protect_op(struct model *m)
{
    struct op o = {"protect", run_protect, m, .flags = some_flags()};

    pick_part(&o);
    if (below(12) == 0)
        spoil(&o);
    return o;
}

/* Pages that count in the RSS must stay in the sample. */
static bool move_stays_in_sample(const struct op *o)
{
    bool cached = dax_hole_method == DAX_HOLE_PAGECACHE && model_area(o->m, o->start) &&
                  model_area(o->m, o->start)->of_file;

    for (u32 i = 0; i < SAMPLES; i++) {
        bool found = (!cached && !o->m->own[i].word[0]) || sample_va(i) - o->start >= o->length;

        for (u32 n = 0; n < SAMPLES && !found; n++)
            found = sample_va(n) == sample_va(i) - o->start + o->to;
        if (!found)
            return false;
    }
    return true;
}

static struct op touch_op(struct model *m)
{
    struct op o = {"touch", run_touch, m, .page = below(SAMPLES),
                   .flags = below(16) ? below(2) : 2};

    o.value = pseudo_random() | 1;
    for (u32 tries_left = 60; tries_left-- && !model_flags(m, sample_va(o.page));)
        o.page = below(SAMPLES);
    return o;
}

static struct op move_op(struct model *m)
{
    struct op o = {"move", run_move, m, .to = sample_va(below(SAMPLES))};
    const struct model_area *a = some_area(m);

    if (!a)
        return map_op(m);
    o.start = a->start;
    o.length = a->end - a->start;
    if (below(16) == 0)
        o.length += PAGE_SIZE;
    else if (below(16) == 0)
        o.start += PAGE_SIZE;
    return move_stays_in_sample(&o) ? o : touch_op(m);
}

static struct op fork_op(struct model *m)
{
    struct op o = {"fork", run_fork, m, .child = some_model(false)};

    return o.child ? o : touch_op(m);
}

static struct op free_op(struct model *m)
{
    return (struct op){"free", run_free, m, .flags = 0};
}

struct op some_op(void)
{
    static struct op (*const makers[])(struct model *) = {
        map_op,     map_op,     map_op,   unmap_op, unmap_op, move_op,  move_op,  fork_op,
        protect_op, protect_op, touch_op, touch_op, touch_op, touch_op, touch_op, touch_op,
        touch_op,   touch_op,   touch_op, touch_op, touch_op, touch_op, call_op,  truncate_op,
    };
    struct model *m = some_model(true);

    return below(48) ? makers[below(ARRAY_SIZE(makers))](m) : free_op(m);
}
