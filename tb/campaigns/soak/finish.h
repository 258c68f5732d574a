// What a failed check does: it says so, and the program decides what becomes of
// the run. Included by the one file that has `main`.
#pragma once

#include <cstdio>

#include "verilated.h"

// Verilator's own ends the program at the second check that fails.
void vl_finish(const char *, int, const char *) {
  Verilated::threadContextp()->gotFinish(true);
}

// Before its reset the MMU holds anything, so checks count from here on:
// tb/campaigns/soak/build.py reads this line.
inline void checks_begin() {
  Verilated::threadContextp()->gotFinish(false);
  std::puts("reset");
  std::fflush(stdout);
}
