#include "mmu_trace.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>

#include "error.h"

namespace {
constexpr size_t kBuffer = 1 << 20;

// The name of every word: of a memory with its index.
std::vector<std::string> words_of(const std::string &names) {
  std::vector<std::string> found;
  for (size_t at = 0; (at = names.find('"', at)) != std::string::npos;) {
    const size_t end = names.find('"', at + 1);
    const std::string name = names.substr(at + 1, end - at - 1);
    const unsigned words = strtoul(&names[end + 2], nullptr, 10);
    for (unsigned i = 0; i < words; i++)
      found.push_back(words == 1 ? name : name + format("[%u]", i));
    at = end + 1;
  }
  return found;
}
} // namespace

void MmuTrace::open(const std::string &path, const std::string &machine,
                    const std::string &names, const char *reading,
                    uint64_t first_cycle, uint64_t cycles) {
  path_ = path;
  file_ = open_for_writing("--trace-mmu", path);
  setvbuf(file_, nullptr, _IOFBF, kBuffer);
  first_cycle_ = first_cycle;
  cycles_ = cycles;
  names_ = words_of(names);
  fprintf(file_,
          "{\"trace\":\"granule-mmu\",\"version\":1,\"machine\":\"%s\","
          "\"names\":%s,\"reading\":%s}\n",
          machine.c_str(), names.c_str(), reading);
}

MmuTrace::~MmuTrace() {
  if (!file_)
    return;
  if (!before_.empty() && written_cycle_ != last_cycle_)
    line(last_cycle_, "");
  if (fclose(file_) != 0)
    fprintf(stderr, "--trace-mmu: %s is not complete: %s\n", path_.c_str(),
            strerror(errno));
}

void MmuTrace::write(uint64_t cycle, const Frames &frames) {
  const uint64_t *now = frames.words();
  const bool first = before_.empty();
  if (first)
    before_.assign(frames.size(), 0);
  std::string set;
  char value[24];
  for (unsigned i = 0; i < frames.size(); i++) {
    if (now[i] == before_[i])
      continue;
    snprintf(value, sizeof value, "\":\"%" PRIx64 "\"", now[i]);
    set += (set.empty() ? "\"" : ",\"") + names_[i] + value;
    before_[i] = now[i];
  }
  last_cycle_ = cycle;
  if (first || !set.empty())
    line(cycle, set);
}

void MmuTrace::line(uint64_t cycle, const std::string &set) {
  written_cycle_ = cycle;
  if (fprintf(file_, "{\"cycle\":%" PRIu64 ",\"set\":{%s}}\n", cycle,
              set.c_str()) < 0)
    cannot_write("--trace-mmu", path_);
}
