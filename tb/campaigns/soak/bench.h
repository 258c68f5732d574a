// The Verilated MMU with its memory, and the script that it plays.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "script.h"
#include "transcript.h"
#include "walk_memory.h"

// What a failed check does: it says so, and the bench decides what becomes of
// the run. Verilator's own ends the program at the second check that fails.
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

const unsigned kPatience = 20000; // cycles without an answer that are too many

// `untranslated`: 1 of M-mode, 2 in Bare.
struct Access {
  bool fetch;
  uint64_t kind, el1, pan, mxr, untranslated, va;
};

class Bench {
public:
  virtual ~Bench() { std::fclose(out_); }
  Bench(const Bench &) = delete;
  Bench &operator=(const Bench &) = delete;

  void play() {
    while (script_.advance()) {
      transcript_.command(script_.line());
      command(script_.letter());
    }
  }

protected:
  Vmmu top_;
  WalkMemory memory_;
  Script script_;
  Transcript transcript_;
  std::FILE *out_;
  bool goes_on_;        // after a check in the RTL has failed
  bool sweeps_ = false; // an invalidation is offered that nobody waits for

  Bench(const char *script, const char *answers, bool goes_on)
      : script_(script), out_(std::fopen(answers, "w")), goes_on_(goes_on) {
    if (!out_)
      throw std::runtime_error("answers cannot be opened");
    top_.reset = 1;
    quiet(top_);
    top_.io_fetch_ahead_valid = top_.io_data_ahead_valid = 1; // in every cycle
    for (int i = 0; i < 4; i++)
      idle();
    checks_begin();
    top_.reset = 0;
    idle();
  }

  virtual void command(char name) = 0;

  uint64_t number() { return script_.number(); }

  Registers registers() {
    Registers words;
    for (uint64_t &word : words)
      word = number();
    return words;
  }

  // Outputs must be those of the inputs, as they are sampled; afterwards they
  // are not, until somebody evaluates again.
  void cycle() {
    transcript_.sample(top_);
    memory_.sample(top_);
    const bool taken = sweeps_ && top_.INVALIDATE(cmd_ready);
    top_.clk = 1;
    top_.eval();
    if (Verilated::threadContextp()->gotFinish() && !top_.reset && !goes_on_)
      throw std::runtime_error("a check in the RTL has failed");
    memory_.drive(top_);
    top_.clk = 0;
    if (taken)
      sweeps_ = top_.INVALIDATE(cmd_valid) = 0;
  }

  void idle() {
    top_.eval();
    cycle();
  }

  // ---- a port of accesses

  CData &valid(bool fetch) {
    return fetch ? top_.io_fetch_cmd_valid : top_.io_data_cmd_valid;
  }
  bool ready(bool fetch) const {
    return fetch ? top_.io_fetch_cmd_ready : top_.io_data_cmd_ready;
  }
  void announce(bool fetch, uint64_t va) {
    (fetch ? top_.io_fetch_ahead_payload : top_.io_data_ahead_payload) = va;
  }

  void ask(const Access &access) {
#define GRANULE_COMMAND(side)                                                  \
  top_.io_##side##_cmd_payload_access = access.kind;                           \
  top_.io_##side##_cmd_payload_el1 = access.el1;                               \
  top_.io_##side##_cmd_payload_pan = access.pan;                               \
  top_.io_##side##_cmd_payload_untranslated = access.untranslated != 0;        \
  top_.io_##side##_cmd_payload_va = access.va;                                 \
  PUT(top_, side##_cmd_payload_mxr, access.mxr);                               \
  PUT(top_, side##Machine, access.untranslated == 1)
    if (access.fetch) {
      GRANULE_COMMAND(fetch);
    } else {
      GRANULE_COMMAND(data);
    }
    valid(access.fetch) = 1;
  }

#define GRANULE_ANSWER(fetch, name)                                            \
  (fetch ? get(top_.io_fetch_rsp_##name) : get(top_.io_data_rsp_##name)).low

  // ---- invalidations

  void offer(uint64_t kind, uint64_t last, uint64_t operand, uint64_t ds) {
    top_.INVALIDATE(cmd_payload_kind) = kind;
    top_.INVALIDATE(cmd_payload_lastLevelOnly) = last;
    top_.INVALIDATE(cmd_payload_operand) = operand;
    top_.INVALIDATE(cmd_payload_ds) = ds;
  }

  // What is offered, until it is done: that takes so many cycles.
  unsigned invalidate() {
    top_.INVALIDATE(cmd_valid) = 1;
    bool accepted = false;
    for (unsigned cycles = 1; cycles < kPatience; cycles++) {
      top_.eval();
      const bool fires = !accepted && top_.INVALIDATE(cmd_ready);
      const bool done = accepted && top_.INVALIDATE(done);
      cycle();
      if (fires) {
        accepted = true;
        top_.INVALIDATE(cmd_valid) = 0;
      }
      if (done)
        return cycles;
    }
    throw std::runtime_error("an invalidation does not end");
  }

  // The sweep of the last one is over. The block with registers is ready for
  // who asks.
  void settle() {
#ifndef GRANULE_IP
    for (unsigned cycles = 0; cycles < kPatience; cycles++) {
      top_.eval();
      if (top_.INVALIDATE(cmd_ready))
        return;
      cycle();
    }
    throw std::runtime_error("a sweep does not end");
#endif
  }
};
