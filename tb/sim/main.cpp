// granule-sim: runs a program on the Verilated system. See --help.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>

#include "error.h"
#include "options.h"
#include "program.h"
#include "simulation.h"
#include "trace.h"

namespace {
volatile sig_atomic_t interrupted = 0;
}

int main(int argc, char **argv) {
  try {
    Options options = parse_options(argc, argv);
    if (options.help) {
      fputs(help_text("granule-sim").c_str(), stdout);
      return 0;
    }
    if (!options.trace.empty() || !options.trace_mmu.empty())
      Trace::ensure_possible(argv);
    std::signal(SIGPIPE,
                SIG_IGN); // console output to nobody does not end the run
    for (int signal : {SIGINT, SIGTERM})
      std::signal(signal, [](int number) { interrupted = number; });
    std::optional<Snapshot> from;
    if (!options.restore.empty()) {
      from.emplace(options.restore);
      options.machine(*from);
    }
    Memory memory(options.lowmem, options.highmem);
    const Program program = from ? Program() : Program(options.elf, memory);
    if (options.append)
      program.append(*options.append, memory);
    Simulation simulation(options, memory, program);
    if (from)
      simulation.restore(*from);

    const auto start = std::chrono::steady_clock::now();
    const int status = simulation.run(interrupted);
    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;

    if (options.stats)
      simulation.print_stats();
    if (!options.quiet)
      fprintf(stderr, "granule-sim: %llu cycles in %.2f s: %.0f cycles/s\n",
              (unsigned long long)simulation.cycles(), seconds.count(),
              simulation.cycles() / seconds.count());
    return status;
  } catch (const std::exception &error) {
    fprintf(stderr, "granule-sim: %s\n", error.what());
    return kExitError;
  }
}
