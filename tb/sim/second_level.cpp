#include "second_level.h"

#include "error.h"

namespace {
constexpr unsigned kLine = LineTags::kLineBytes;
constexpr unsigned kWords = kLine / 4, kLength = kWords - 1;
constexpr unsigned kWord = 2, kIncrement = 1; // size and kind of its bursts
} // namespace

SecondLevel::SecondLevel(Memory &memory, uint64_t bytes, unsigned hit_cycles,
                         std::unique_ptr<AxiMemory> below)
    : AxiMemory(memory), tags_(bytes), hit_cycles_(hit_cycles),
      below_(std::move(below)) {}

void SecondLevel::reset(MemoryPins &pins) {
  below_->reset(pins_);
  pins_.r.ready = pins_.b.ready = true;
  drive(pins);
}

// The tags change at once; what that costs comes in the steps.
void SecondLevel::accept(const Burst &burst, bool write) {
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

void SecondLevel::next_step() {
  if (fetches_) {
    fetches_ = false;
    const uint64_t line = burst_.address & ~uint64_t(kLine - 1);
    pins_.ar = {true, false, line, 0, kLength, kWord, kIncrement};
    state_ = State::fetch;
  } else {
    state_ = write_ ? State::write : State::read;
  }
}

void SecondLevel::drive(MemoryPins &pins) {
  now_++;
  pins_.w.valid = state_ == State::write_back && dirty_words_ < kWords;
  if (pins_.w.valid)
    pins_.w = {true, false, dirty_words_ == kLength,
               *memory_.word(dirty_line_ + 4 * dirty_words_), 15};
  below_->drive(pins_);

  const bool idle = state_ == State::idle, ready = now_ >= ready_at_;
  pins.aw.ready = idle && pins.aw.valid && !(pins.ar.valid && last_was_write_);
  pins.ar.ready = idle && pins.ar.valid && !pins.aw.ready;
  pins.w.ready = state_ == State::write;
  pins.r.valid = state_ == State::read && ready;
  if (pins.r.valid) {
    const uint32_t *word = memory_.word(burst_.address);
    pins.r = {true,
              pins.r.ready,
              burst_.beats_left == 1,
              word ? *word : 0,
              uint8_t(burst_.id),
              uint8_t(word ? kOkay : kDecodeError)};
  }
  pins.b.valid = state_ == State::answer && ready;
  pins.b.id = uint8_t(burst_.id);
  pins.b.resp = uint8_t(response_);
}

void SecondLevel::sample_below() {
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

void SecondLevel::sample(const MemoryPins &pins) {
  sample_below();
  if (pins.ar.valid && pins.ar.ready)
    accept(read_burst(pins), false);
  else if (pins.aw.valid && pins.aw.ready)
    accept(write_burst(pins), true);
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

std::string SecondLevel::stats() const {
  return format("granule-sim: second level: %llu hits, %llu misses, %llu lines "
                "written back\n",
                (unsigned long long)hits_, (unsigned long long)misses_,
                (unsigned long long)write_backs_);
}
