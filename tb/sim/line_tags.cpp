#include "line_tags.h"

#include <algorithm>

LineTags::LineTags(uint64_t bytes)
    : sets_(bytes / (kWays * kLineBytes)), ways_(sets_ * kWays) {}

bool LineTags::use(uint64_t address, bool write) {
  const uint64_t line = address / kLineBytes;
  Way *set = set_of(line);
  for (Way *way = set; way < set + kWays; way++)
    if (way->line == line) {
      way->used_at = ++now_;
      way->dirty |= write;
      return true;
    }
  return false;
}

std::optional<uint64_t> LineTags::install(uint64_t address) {
  const uint64_t line = address / kLineBytes;
  Way *set = set_of(line);
  Way *oldest =
      std::min_element(set, set + kWays, [](const Way &a, const Way &b) {
        return a.used_at < b.used_at;
      });
  const Way gone = *oldest;
  *oldest = {line, ++now_, false};
  return gone.dirty ? std::optional(gone.line * kLineBytes) : std::nullopt;
}
