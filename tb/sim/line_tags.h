// Which lines a set-associative cache holds, and which of them are dirty. True
// LRU. It holds no data.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "snapshot.h"

class LineTags {
public:
  static constexpr unsigned kLineBytes = 64, kWays = 8;
  static constexpr uint64_t kMinBytes = 2 * kWays * kLineBytes;

  // `bytes`: a power of two of at least kMinBytes.
  explicit LineTags(uint64_t bytes)
      : sets_(bytes / (kWays * kLineBytes)), ways_(sets_ * kWays) {}

  // A use of the line that holds `address`; false when it is not there.
  bool use(uint64_t address, bool write) {
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
  // Makes room for it and puts it there, clean; the address of a dirty line
  // that had to go.
  std::optional<uint64_t> install(uint64_t address) {
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

  void state(Snapshot &s) { s(ways_, now_); }

private:
  struct Way {
    uint64_t line = UINT64_MAX;
    uint64_t used_at = 0;
    bool dirty = false;
  };
  Way *set_of(uint64_t line) { return &ways_[(line & (sets_ - 1)) * kWays]; }

  const uint64_t sets_;
  std::vector<Way> ways_;
  uint64_t now_ = 0;
};
