// Which lines a second-level cache holds: LRU within a set, and who was dirty.
#include "line_tags.h"

#include <cstdio>

namespace {
int failures;

void check(bool condition, const char *what) {
  if (!condition) {
    printf("failed: %s\n", what);
    failures++;
  }
}
} // namespace

int main() {
  const uint64_t kBytes = 16 << 10, kWay = kBytes / LineTags::kWays;
  LineTags tags(kBytes);
  check(!tags.use(0x80000000, false), "empty at first");
  for (unsigned i = 0; i < LineTags::kWays; i++)
    check(!tags.install(0x80000000 + i * kWay), "nothing dirty goes");
  for (unsigned i = 0; i < LineTags::kWays; i++)
    check(tags.use(0x8000003c + i * kWay, i == 1), "as many lines as ways");
  check(tags.use(0x80000000, false), "the first one is used again");
  check(tags.install(0x80000000 + 8 * kWay) == 0x80000000 + kWay,
        "the second one is the oldest now, and dirty");
  check(!tags.use(0x80000000 + kWay, false), "it has gone");
  check(tags.use(0x80000000, false), "the first one has not");
  check(!tags.install(0x80000000 + 9 * kWay), "the third one is clean");
  check(!tags.install(0x80000040), "another set has room");
  check(tags.use(0x80000000, false), "and does not disturb");
  check(!tags.use(0x180000000, false), "all address bits count");
  return failures != 0;
}
