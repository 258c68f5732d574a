// A check of the RTL that fails ends the simulator of kind `checked`.
#ifdef VL_USER_FINISH
#include <cstdio>
#include <cstdlib>

#include "verilated.h"

void vl_finish(const char *file, int line, const char *) {
  std::fflush(stdout);
  std::fprintf(stderr, "granule-sim: a check of the RTL has failed, %s:%d\n",
               file, line);
  std::_Exit(3);
}
#endif
