// The Verilated MMU with its memory, and what a script does to it beside
// accesses: its inputs change, at once or in a given cycle of an access, and
// invalidations are made.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "finish.h"
#include "memory.h"
#include "observer.h"
#include "schedule.h"
#include "script.h"

const unsigned kPatience = 20000; // cycles without an answer that are too many

class Bench {
protected:
  Bench(const char *script, const char *answers)
      : script_(script), out_(std::fopen(answers, "w")) {
    if (!out_)
      throw std::runtime_error("answers cannot be opened");
    reset();
  }
  ~Bench() { std::fclose(out_); }
  Bench(const Bench &) = delete;
  Bench &operator=(const Bench &) = delete;

  Vmmu top_;
  WalkMemory memory_;
  Script script_;
  std::FILE *out_;
  Observer observer_;
  Schedule schedule_;
  Context context_{top_};
  Protection protection_ = open_memory();
  bool asks_at_ = false;
  bool sweeps_ = false;  // an invalidation of the schedule is offered
  bool changes_ = false; // the change of the schedule is made in this cycle

  uint64_t number() { return script_.number(); }

  // Outputs must be those of the inputs, as they are sampled; afterwards they
  // are not, until somebody evaluates again.
  void cycle() {
    memory_.sample(top_);
    const bool taken = sweeps_ && top_.io_invalidate_cmd_ready;
    top_.clk = 1;
    top_.eval();
    if (Verilated::threadContextp()->gotFinish() && !top_.reset)
      throw std::runtime_error("a check in the RTL has failed");
    memory_.drive(top_);
    top_.clk = 0;
    if (taken)
      sweeps_ = top_.io_invalidate_cmd_valid = 0;
  }

  void idle() {
    top_.eval();
    cycle();
  }

  void reset() {
    top_.reset = 1;
    quiet(top_);
    top_.io_fetch_ahead_valid = top_.io_data_ahead_valid = 1; // in every cycle
    for (int i = 0; i < 4; i++)
      idle();
    checks_begin();
    top_.reset = 0;
    idle();
  }

  Context::Words registers() {
    Context::Words words;
    for (uint64_t &word : words)
      word = number();
    return words;
  }

  // An entry changes a cycle after `changes` says so.
  void protect_at(int cycle) {
    const unsigned entry = number();
    PmpWords words;
    words.address = number();
    words.mask = number();
    words.flags = number();
    if (entry >= kEntries)
      throw std::runtime_error("no entry of PMP: " + script_.line());
    schedule_.at(cycle - 1, [this] { put_pmp_changes(top_, {1, 0}, 0); });
    schedule_.at(cycle, [this, entry, words] {
      put_pmp_changes(top_, {}, 0);
      protection_[entry] = words;
      protect(top_, protection_);
    });
  }

  void change() {
    const int cycle = script_.decimal();
    const char what = script_.letter();
    if (what != 'I')
      schedule_.at(cycle, [this] { changes_ = true; });
    switch (what) {
    case 'I': // one, whose command nothing else follows before it is accepted
      offer();
      schedule_.at(cycle,
                   [this] { sweeps_ = top_.io_invalidate_cmd_valid = 1; });
      break;
    case 'R':
      context_.change(schedule_, cycle, registers());
      break;
    case 'P':
      protect_at(cycle);
      break;
    default:
      throw std::runtime_error("unknown change: " + script_.line());
    }
  }

  // What was said for one cycle is done, and a cycle passes.
  void settle_changes() {
    for (int now = schedule_.first(0); !schedule_.empty(); now++)
      pass(now);
  }

  void pass(int now) {
    schedule_.run(now);
    top_.eval();
    observe();
    cycle();
  }

  void observe() {
    if (!changes_)
      return;
    changes_ = false;
    const bool at = get_at_ready(top_, {1, 0}, 0).low;
    const unsigned waits =
        (top_.io_fetch_cmd_valid && !top_.io_fetch_cmd_ready) |
        (top_.io_data_cmd_valid && !top_.io_data_cmd_ready) << 1 |
        (asks_at_ && !at) << 2;
    std::fprintf(out_, "C %x", waits);
    observer_.write(out_);
    std::fputc('\n', out_);
  }

  void offer() {
    top_.io_invalidate_cmd_payload_kind = number();
    top_.io_invalidate_cmd_payload_lastLevelOnly = number();
    top_.io_invalidate_cmd_payload_operand = number();
    top_.io_invalidate_cmd_payload_ds = number();
  }

  void invalidate() {
    accept();
    offer();
    top_.io_invalidate_cmd_valid = 1;
    bool accepted = false;
    for (unsigned cycles = 1; cycles < kPatience; cycles++) {
      top_.eval();
      const bool fires = !accepted && top_.io_invalidate_cmd_ready;
      const bool done = accepted && top_.io_invalidate_done;
      cycle();
      if (fires) {
        accepted = true;
        top_.io_invalidate_cmd_valid = 0;
      }
      if (done) {
        std::fprintf(out_, "I %x\n", cycles);
        return;
      }
    }
    throw std::runtime_error("an invalidation does not end");
  }

  // What a change of the schedule began is accepted.
  void accept() {
    for (unsigned cycles = 0; sweeps_ && cycles < kPatience; cycles++)
      idle();
  }

  void settle() {
    accept();
#ifdef GRANULE_IP // it is ready for who asks
    return;
#endif
    for (unsigned cycles = 0; cycles < kPatience; cycles++) {
      top_.eval();
      if (top_.io_invalidate_cmd_ready)
        return;
      cycle();
    }
    throw std::runtime_error("a sweep does not end");
  }
};
