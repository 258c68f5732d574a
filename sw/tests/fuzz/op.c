#include "fuzz/op.h"
#include "errno.h"
#include "fuzz/judge.h"
#include "machine/machine.h"

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted)
        machine_failed("%s returned %d, expected %d", what, got, wanted);
}

bool no_memory(int error)
{
    return error == -ENOMEM && (alloc_failed || pgtable_ctor_fails);
}

int run_map(const struct op *o)
{
    int wanted = model_map(o->m, o->start, o->length, o->flags, false);
    int error = mm_map(o->m->mm, o->start, o->length, o->flags);

    expect("mm_map", error, wanted);
    model_map(o->m, o->start, o->length, o->flags, true);
    return error;
}

int run_unmap(const struct op *o)
{
    int wanted = model_unmap(o->m, o->start, o->length, false);
    int error = mm_unmap(o->m->mm, o->start, o->length);

    expect("mm_unmap", error, wanted);
    model_unmap(o->m, o->start, o->length, true);
    return error;
}

int run_protect(const struct op *o)
{
    int wanted = model_protect(o->m, o->start, o->length, o->flags, false);
    int error = mm_protect(o->m->mm, o->start, o->length, o->flags);

    expect("mm_protect", error, wanted); /* it needs no memory */
    model_protect(o->m, o->start, o->length, o->flags, true);
    return error;
}

int run_move(const struct op *o)
{
    int wanted = model_move(o->m, o->start, o->length, o->to, false);
    int error = mm_move(o->m->mm, o->start, o->length, o->to);

    if (no_memory(error))
        return error;
    expect("mm_move", error, wanted);
    model_move(o->m, o->start, o->length, o->to, true);
    return error;
}

int run_fork(const struct op *o)
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
    o->child->mm = mm;
    model_fork(o->child, o->m);
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
    const struct model_content *old = &o->m->content[o->page];
    vaddr_t va = sample_va(o->page);
    u32 words = kind == STORE && old->last ? WORDS - 1 : WORDS;

    for (u32 n = 0; n < words; n++) {
        u32 word = o->value;
        int error = cpu_access(va + word_offset(n), kind, &word);

        if (error && n == 0)
            return error;
        expect("an access to a page that is there", error, 0);
        if (kind != STORE && word != word_of(old, n))
            machine_failed("0x%08x: word %u reads 0x%08x, 0x%08x was written", va, n, word,
                           word_of(old, n));
    }
    return 0;
}

int run_touch(const struct op *o)
{
    static const u32 needs[] = {[LOAD] = VM_READ, [STORE] = VM_WRITE, [FETCH] = VM_EXEC};
    enum access kind = o->flags;
    bool allowed = model_flags(o->m, sample_va(o->page)) & needs[kind];
    int error = access_page(o, kind);

    if (no_memory(error))
        return error;
    expect("a user access", error, allowed ? 0 : -EFAULT);
    if (kind == STORE && !error) {
        struct model_content *content = &o->m->content[o->page];

        if (!content->last)
            content->first = o->value;
        content->last = o->value;
    }
    return error;
}
