// FST trace of all signals. A model that can be traced keeps every signal in
// memory and is a fifth slower, so it is a program of its own (make sim-trace):
// the plain simulator becomes it on --trace and --trace-mmu.
#pragma once
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <string>
#include <unistd.h>

#include "Vsimsoc.h"
#include "error.h"

#if VM_TRACE
#include "verilated_fst_c.h"

class Trace {
public:
  static void ensure_possible(char **) {}

  void open(Vsimsoc &top, const std::string &path, uint64_t first_cycle,
            uint64_t cycles) {
    // The FST writer itself reports nothing.
    fclose(open_for_writing("--trace", path));
    top.trace(&file_, 99);
    file_.open(path.c_str());
    first_cycle_ = first_cycle;
    cycles_ = cycles;
    active_ = true;
  }
  void close() {
    if (active_)
      file_.close();
  }
  bool active() const { return active_; }
  // The signals in the first (clock low) or second half of a cycle.
  void dump(uint64_t cycle, unsigned half) {
    if (active_ && cycle >= first_cycle_ && cycle - first_cycle_ < cycles_)
      file_.dump(2 * cycle + half);
  }

private:
  bool active_ = false;
  uint64_t first_cycle_ = 0, cycles_ = 0;
  VerilatedFstC file_;
};

#else

class Trace {
public:
  // Replaces this process by its twin that can trace.
  [[noreturn]] static void ensure_possible(char **argv) {
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const std::string twin =
        std::string(self, length > 0 ? length : 0) + "-trace";
    execv(twin.c_str(), argv);
    throw SimError(format(
        "a trace needs the program %s (%s): build it with 'make sim-trace'",
        twin.c_str(), strerror(errno)));
  }
  void open(Vsimsoc &, const std::string &, uint64_t, uint64_t) {}
  void close() {}
  bool active() const { return false; }
  void dump(uint64_t, unsigned) {}
};

#endif
