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
  unsigned found = 0;
  if (r.MMU(io_events_walk))
    found |= kWalk;
  if (r.MMU(io_events_dtlbMiss) || r.MMU(io_events_itlbMiss))
    found |= kMiss;
  if (r.MMU(io_invalidate_cmd_valid) && r.MMU(io_invalidate_cmd_ready))
    found |= kInvalidation;
  if ((r.MMU(io_data_cmd_valid) && r.MMU(io_data_cmd_ready) &&
       r.MMU(io_data_rsp_fault)) ||
      (r.MMU(io_fetch_cmd_valid) && r.MMU(io_fetch_cmd_ready) &&
       r.MMU(io_fetch_rsp_fault)))
    found |= kFault;
  if (r.ENGINE(io_events_aliasMove))
    found |= kMove;
  return found;
}
} // namespace

extern "C" {

// The program is the file /program.elf; the text of an error, or an empty one.
EMSCRIPTEN_KEEPALIVE const char *boot(const char *arguments) {
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
EMSCRIPTEN_KEEPALIVE int advance(unsigned count, unsigned of) {
  bool met = false;
  if (of)
    simulation->watch([of, &met](const Vsimsoc &top) {
      return met = (events(*top.rootp) & of) != 0;
    });
  else
    simulation->watch(nullptr);
  simulation->advance(count);
  return met;
}

EMSCRIPTEN_KEEPALIVE void drop_frames() { frames.clear(); }

// Behind the frames that there are.
EMSCRIPTEN_KEEPALIVE void record(unsigned count) {
  simulation->watch([](const Vsimsoc &top) {
    frames.capture(*top.rootp);
    return false;
  });
  simulation->advance(count);
  simulation->watch(nullptr);
}

EMSCRIPTEN_KEEPALIVE void drain_console() {
  simulation->watch(nullptr);
  simulation->drain_console();
}

EMSCRIPTEN_KEEPALIVE void type_text(const char *typed) {
  simulation->uart().type(typed);
}

EMSCRIPTEN_KEEPALIVE double cycles() { return double(simulation->cycles()); }
EMSCRIPTEN_KEEPALIVE int finished() { return simulation->finished(); }
EMSCRIPTEN_KEEPALIVE int status() { return simulation->status(); }
EMSCRIPTEN_KEEPALIVE unsigned program_counter() { return simulation->pc(); }
EMSCRIPTEN_KEEPALIVE const char *console_text() { return console.c_str(); }
EMSCRIPTEN_KEEPALIVE unsigned heap_end() {
  return unsigned(uintptr_t(sbrk(0)));
}

EMSCRIPTEN_KEEPALIVE const char *signal_names() {
  text = Frames::names(*simulation->top().rootp);
  return text.c_str();
}
EMSCRIPTEN_KEEPALIVE const uint64_t *frame_words() { return frames.words(); }
EMSCRIPTEN_KEEPALIVE unsigned frame_count() { return frames.count(); }
EMSCRIPTEN_KEEPALIVE unsigned frame_size() { return frames.size(); }
}
