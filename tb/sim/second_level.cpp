// A second-level cache in front of another memory: unified, physically indexed,
// 8 ways, true LRU, write-back. It knows where lines are and how long they
// take; their data stays in Memory, where all kinds of memory have it.
//
// One burst at a time. The first word of a read comes `hit_cycles` after its
// command when the line is there. Otherwise a dirty line is written back if it
// is in the way, and the whole line is fetched, before words are given. A burst
// that writes a whole line needs no fetch.
#include "axi_memory.h"
#include "error.h"
#include "line_tags.h"

namespace {

constexpr unsigned kLine = LineTags::kLineBytes;
constexpr unsigned kWords = kLine / 4, kLength = kWords - 1;
constexpr unsigned kWord = 2, kIncrement = 1; // size and kind of its bursts

class SecondLevel final : public AxiMemory {
public:
  SecondLevel(Memory &memory, uint64_t bytes, unsigned hit_cycles,
              std::unique_ptr<AxiMemory> below)
      : AxiMemory(memory), tags_(bytes), hit_cycles_(hit_cycles),
        below_(std::move(below)) {}

  void reset(MemoryPins &pins) override {
    below_->reset(pins_);
    pins_.r.ready = pins_.b.ready = true;
    drive(pins);
  }
  void drive(MemoryPins &pins) override {
    now_++;
    pins_.w.valid = state_ == State::write_back && dirty_words_ < kWords;
    if (pins_.w.valid)
      pins_.w = {true, false, dirty_words_ == kLength,
                 *memory_.word(dirty_line_ + 4 * dirty_words_), 15};
    below_->drive(pins_);

    const bool idle = state_ == State::idle, ready = now_ >= ready_at_;
    pins.aw.ready =
        idle && pins.aw.valid && !(pins.ar.valid && last_was_write_);
    pins.ar.ready = idle && pins.ar.valid && !pins.aw.ready;
    pins.w.ready = state_ == State::write;
    pins.r.valid = state_ == State::read && ready;
    if (pins.r.valid)
      give(pins.r, burst_);
    pins.b.valid = state_ == State::answer && ready;
    pins.b.id = uint8_t(burst_.id);
    pins.b.resp = uint8_t(response_);
  }
  void sample(const MemoryPins &pins) override {
    sample_below();
    if (pins.ar.valid && pins.ar.ready)
      accept(burst(pins.ar), false);
    else if (pins.aw.valid && pins.aw.ready)
      accept(burst(pins.aw), true);
    else if (pins.w.valid && pins.w.ready) {
      response_ |= write(burst_.next(), pins.w.data, pins.w.strb);
      if (pins.w.last) {
        ready_at_ = now_ + hit_cycles_;
        state_ = State::answer;
      }
    } else if (pins.r.valid && pins.r.ready) {
      read_beats++;
      burst_.next();
      if (burst_.beats_left == 0)
        state_ = State::idle;
    } else if (pins.b.valid && pins.b.ready) {
      state_ = State::idle;
    }
  }
  std::string stats() const override {
    return format(
        "granule-sim: second level: %llu hits, %llu misses, %llu lines "
        "written back\n",
        (unsigned long long)hits_, (unsigned long long)misses_,
        (unsigned long long)write_backs_);
  }
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

  // The tags change at once; what that costs comes in the steps.
  void accept(const Burst &burst, bool write) {
    burst_ = burst;
    write_ = last_was_write_ = write;
    response_ = kOkay;
    ready_at_ = now_ + hit_cycles_;
    (write ? write_bursts : read_bursts)++;
    const uint64_t line = burst.address & ~uint64_t(kLine - 1);
    const bool outside = !memory_.word(burst.address);
    fetches_ = false;
    if (outside || tags_.use(line, write)) {
      hits_ += !outside;
      return next_step();
    }
    misses_++;
    fetches_ = !(write && burst.address == line && burst.bytes == kLine);
    const auto dirty = tags_.install(line);
    tags_.use(line, write);
    if (!dirty)
      return next_step();
    write_backs_++;
    dirty_line_ = *dirty;
    dirty_words_ = 0;
    pins_.aw = {true, false, *dirty, 0, kLength, kWord, kIncrement};
    state_ = State::write_back;
  }
  void next_step() {
    if (fetches_) {
      fetches_ = false;
      const uint64_t line = burst_.address & ~uint64_t(kLine - 1);
      pins_.ar = {true, false, line, 0, kLength, kWord, kIncrement};
      state_ = State::fetch;
    } else {
      state_ = write_ ? State::write : State::read;
    }
  }
  void sample_below() {
    below_->sample(pins_);
    if (pins_.aw.valid && pins_.aw.ready)
      pins_.aw.valid = false;
    if (pins_.w.valid && pins_.w.ready)
      dirty_words_++;
    if (pins_.ar.valid && pins_.ar.ready)
      pins_.ar.valid = false;
    if (state_ == State::write_back && pins_.b.valid)
      next_step();
    else if (state_ == State::fetch && pins_.r.valid && pins_.r.last)
      next_step();
  }

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

} // namespace

std::unique_ptr<AxiMemory> second_level(Memory &memory, uint64_t bytes,
                                        unsigned hit_cycles,
                                        std::unique_ptr<AxiMemory> below) {
  return std::make_unique<SecondLevel>(memory, bytes, hit_cycles,
                                       std::move(below));
}
