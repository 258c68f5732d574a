// What the page's worker calls (docs/web/worker-soc.js): the whole machine with
// a program. All of its state is in the memory of the WebAssembly, so a copy of
// that is a snapshot.
#include <emscripten/emscripten.h>
#include <memory>
#include <unistd.h>

#include "Vsimsoc___024root.h"
#include "error.h"
#include "frames.h"
#include "options.h"
#include "program.h"
#include "simulation.h"

#define CALLED extern "C" EMSCRIPTEN_KEEPALIVE
#define MMU(NAME) simsoc__DOT__mmu_1__DOT__mmu_1__DOT__##NAME
#define ENGINE(NAME) simsoc__DOT__caches__DOT__data__DOT__engine__DOT__##NAME

namespace {
Options options;
std::unique_ptr<Memory> memory;
std::unique_ptr<Simulation> simulation;
std::string console, text;
Frames frames;

// In the order of the page's list (docs/web/soc.js).
enum Event { kWalk = 1, kMiss = 2, kInvalidation = 4, kFault = 8, kMove = 16 };

unsigned events(const Vsimsoc___024root &r) {
  const bool fault = (r.MMU(io_data_cmd_valid) && r.MMU(io_data_cmd_ready) &&
                      r.MMU(io_data_rsp_fault)) ||
                     (r.MMU(io_fetch_cmd_valid) && r.MMU(io_fetch_cmd_ready) &&
                      r.MMU(io_fetch_rsp_fault));
  const bool invalidation =
      r.MMU(io_invalidate_cmd_valid) && r.MMU(io_invalidate_cmd_ready);
  const bool miss = r.MMU(io_events_dtlbMiss) || r.MMU(io_events_itlbMiss);
  return (r.MMU(io_events_walk) ? kWalk : 0) | (miss ? kMiss : 0) |
         (invalidation ? kInvalidation : 0) | (fault ? kFault : 0) |
         (r.ENGINE(io_events_aliasMove) ? kMove : 0);
}
} // namespace

// The program is the file /program.elf; the text of an error, or an empty one.
CALLED const char *boot(const char *arguments) {
  try {
    text.clear();
    console.clear();
    simulation.reset();
    memory = std::make_unique<Memory>(options.lowmem, options.highmem);
    const Program program("/program.elf", *memory);
    program.append(arguments, *memory);
    simulation = std::make_unique<Simulation>(options, *memory, program);
    simulation->uart().on_character([](char c) { console += c; });
    simulation->reset();
  } catch (const std::exception &error) {
    text = error.what();
  }
  return text.c_str();
}

// `count` cycles, or fewer: to the end of the program, or with the first cycle
// in which one of the events `of` happens; then it is true.
CALLED int advance(unsigned count, unsigned of) {
  bool met = false;
  simulation->watch(nullptr);
  if (of)
    simulation->watch([of, &met](const Vsimsoc &top) {
      return met = (events(*top.rootp) & of) != 0;
    });
  simulation->advance(count);
  return met;
}

// Behind the frames that there are.
CALLED void record(unsigned count) {
  simulation->watch([](const Vsimsoc &top) {
    frames.capture(*top.rootp);
    return false;
  });
  simulation->advance(count);
  simulation->watch(nullptr);
}

CALLED void drain_console() {
  simulation->watch(nullptr);
  simulation->drain_console();
}

CALLED void type_text(const char *typed) { simulation->uart().type(typed); }
CALLED double cycles() { return double(simulation->cycles()); }
CALLED int finished() { return simulation->finished(); }
CALLED int status() { return simulation->status(); }
CALLED unsigned program_counter() { return simulation->pc(); }
CALLED const char *console_text() { return console.c_str(); }
CALLED unsigned heap_end() { return unsigned(uintptr_t(sbrk(0))); }
CALLED const char *signal_names() {
  text = Frames::names(*simulation->top().rootp);
  return text.c_str();
}
CALLED void drop_frames() { frames.clear(); }
CALLED const uint64_t *frame_words() { return frames.words(); }
CALLED unsigned frame_count() { return frames.count(); }
CALLED unsigned frame_size() { return frames.size(); }
