/* Processes count in one word, by amoadd and by lr/sc, and swap words: nothing is lost, wherever
 * the timer takes the processor away between lr and sc. */
#include "test.h"

#include <sched.h>
#include <unistd.h>

#define PROCESSES 3
#define COUNT     4000

struct counters {
    uint32_t added, exchanged, ored;
};

static void count(struct counters *shared, uint32_t key)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t seen = __atomic_load_n(&shared->exchanged, __ATOMIC_RELAXED);

        __atomic_fetch_add(&shared->added, key, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(&shared->exchanged, &seen, seen + (key ^ i), 1,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            ;
        __atomic_fetch_or(&shared->ored, 1u << ((key + i) % 32), __ATOMIC_RELAXED);
        if (i % 1000 == 999)
            sched_yield();
    }
}

uint32_t test_atomic(struct random *r)
{
    struct counters *shared = map_pages(1, 1);
    uint32_t keys[PROCESSES], added = 0, exchanged = 0, sum;
    int children[PROCESSES];

    for (int i = 0; i < PROCESSES; i++) {
        keys[i] = random_next(r);
        for (uint32_t n = 0; n < COUNT; n++) {
            added += keys[i];
            exchanged += keys[i] ^ n;
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            count(shared, keys[i]);
            _exit(0);
        }
    }
    for (int i = 0; i < PROCESSES; i++)
        CHECK(wait_for(children[i]) == 0);
    CHECK(shared->added == added);
    CHECK(shared->exchanged == exchanged);
    CHECK(shared->ored == ~0u);
    sum = mix(mix(added, exchanged), shared->ored);
    unmap_pages(shared, 1);
    return sum;
}
