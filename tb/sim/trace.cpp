#include "trace.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "error.h"

#if VM_TRACE

void Trace::ensure_possible(char **) {}

void Trace::open(Vsimsoc &top, const std::string &path, uint64_t first_cycle,
                 uint64_t cycles) {
  FILE *probe =
      fopen(path.c_str(), "w"); // the FST writer itself reports nothing
  if (!probe)
    throw SimError(format("--trace: %s cannot be written: %s", path.c_str(),
                          strerror(errno)));
  fclose(probe);
  top.trace(&file_, 99);
  file_.open(path.c_str());
  first_cycle_ = first_cycle;
  cycles_ = cycles;
  active_ = true;
}

void Trace::close() {
  if (active_)
    file_.close();
}

void Trace::dump(uint64_t cycle, unsigned half) {
  if (active_ && cycle >= first_cycle_ && cycle - first_cycle_ < cycles_)
    file_.dump(2 * cycle + half);
}

#else

void Trace::ensure_possible(char **argv) {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  const std::string twin =
      std::string(self, length > 0 ? length : 0) + "-trace";
  execv(twin.c_str(), argv);
  throw SimError(format(
      "a trace needs the program %s (%s): build it with 'make sim-trace'",
      twin.c_str(), strerror(errno)));
}

void Trace::open(Vsimsoc &, const std::string &, uint64_t, uint64_t) {}
void Trace::close() {}
void Trace::dump(uint64_t, unsigned) {}

#endif
