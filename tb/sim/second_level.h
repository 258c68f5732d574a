// A second-level cache in front of another memory: unified, physically indexed,
// 8 ways, true LRU, write-back. It knows where lines are and how long they
// take; their data stays in Memory, where all kinds of memory have it.
//
// One burst at a time. The first word of a read comes `hit_cycles` after its
// command when the line is there. Otherwise a dirty line is written back if it
// is in the way, and the whole line is fetched, before words are given. A burst
// that writes a whole line needs no fetch.
#pragma once
#include <memory>

#include "axi_memory.h"
#include "line_tags.h"

class SecondLevel final : public AxiMemory {
public:
  SecondLevel(Memory &memory, uint64_t bytes, unsigned hit_cycles,
              std::unique_ptr<AxiMemory> below);

  void reset(MemoryPins &pins) override;
  void drive(MemoryPins &pins) override;
  void sample(const MemoryPins &pins) override;
  std::string stats() const override;
  void state(Snapshot &s) override {
    AxiMemory::state(s);
    tags_.state(s);
    below_->state(s);
    s(pins_, state_, burst_, write_, last_was_write_, fetches_, dirty_line_,
      dirty_words_, response_, now_, ready_at_, hits_, misses_, write_backs_);
  }

private:
  // What is done for the burst, in this order; not each needs all.
  enum class State { idle, write_back, fetch, read, write, answer };

  void accept(const Burst &burst, bool write);
  void next_step();
  void sample_below();

  LineTags tags_;
  const unsigned hit_cycles_;
  std::unique_ptr<AxiMemory> below_;
  MemoryPins pins_ = {}; // of the memory below

  State state_ = State::idle;
  Burst burst_ = {};
  bool write_ = false, last_was_write_ = true;
  bool fetches_ = false;    // the line must come from below
  uint64_t dirty_line_ = 0; // that goes down, and its words that have gone
  unsigned dirty_words_ = 0;
  unsigned response_ = kOkay;
  uint64_t now_ = 0, ready_at_ = 0;
  uint64_t hits_ = 0, misses_ = 0, write_backs_ = 0;
};
