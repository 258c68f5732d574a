// What the MMU does, as lines of JSON: what the page of docs/web/viewer.html
// opens. The first line names the signals and says how they are read; each of
// the others has the signals that changed in a cycle:
//   {"cycle":1200,"set":{"walker.state":"1","tables.pointers[3]":"40001"}}
// Values are hexadecimal. A cycle in which nothing changed has no line; the
// first and the last that were traced always have one.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "frames.h"

class MmuTrace {
public:
  ~MmuTrace();

  // `names`: Frames::names; `reading`: what tb/tools/web/signals.py wrote.
  void open(const std::string &path, const std::string &machine,
            const std::string &names, const char *reading, uint64_t first_cycle,
            uint64_t cycles);
  // The only frame of `frames`, in the middle of `cycle`.
  void write(uint64_t cycle, const Frames &frames);
  bool active(uint64_t cycle) const {
    return file_ && cycle >= first_cycle_ && cycle - first_cycle_ < cycles_;
  }

private:
  void line(uint64_t cycle, const std::string &set);

  FILE *file_ = nullptr;
  std::string path_;
  uint64_t first_cycle_ = 0, cycles_ = 0;
  uint64_t last_cycle_ = 0, written_cycle_ = 0;
  std::vector<std::string> names_;
  std::vector<uint64_t> before_;
};
