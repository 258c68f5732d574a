#include "board_memory.h"

#include "granule_map.h"

namespace {
constexpr unsigned kRegisters = 2; // on the way of read data, beside CAS
} // namespace

BoardMemory::BoardMemory(Memory &memory, unsigned megahertz)
    : AxiMemory(memory), controller_(SdramTiming::at(megahertz)),
      read_delay_(SdramTiming::at(megahertz).cas + kRegisters),
      lowmem_bytes_(memory.lowmem_bytes()) {}

void BoardMemory::reset(MemoryPins &pins) {
  pins.ar.ready = pins.aw.ready = pins.w.ready = 0;
  pins.r.valid = pins.b.valid = 0;
}

uint64_t BoardMemory::chip_address(uint64_t address) const {
  return address >= GRANULE_HIGHMEM_BASE
             ? address - GRANULE_HIGHMEM_BASE + lowmem_bytes_
             : address - GRANULE_LOWMEM_BASE;
}

void BoardMemory::clock(MemoryPins &pins) {
  pins.ar.ready = pins.aw.ready = pins.w.ready = 0;
  const bool full = waiting_;
  half_word(pins);
  if (!full)
    accept(pins);
  set_answers(pins);
  wake_ = controller_.next_refresh();
  busy_ = waiting_ || bursting_ || staged_ || !words_.empty() ||
          !answers_.empty() || !controller_.idle();
}

// The shared channel and the half-rate register after it.
void BoardMemory::accept(MemoryPins &pins) {
  const bool read = pins.ar.valid, write = pins.aw.valid;
  if (!read && !write)
    return;
  const bool chose_write = write && !(read && last_was_write_);
  if (chose_write) {
    pins.aw.ready = 1;
    write_bursts++;
    command_ = {write_burst(pins), true};
  } else {
    pins.ar.ready = 1;
    read_bursts++;
    command_ = {read_burst(pins), false};
  }
  last_was_write_ = chose_write;
  waiting_ = true;
  arrived_ = now_ + 1;
}

void BoardMemory::half_word(MemoryPins &pins) {
  Command &head = bursting_ ? current_ : command_;
  bool offered = bursting_ || waiting_;
  // The decoder lets data pass only a clock after their command came.
  if (offered && head.write)
    offered = pins.w.valid && now_ > arrived_;
  const uint64_t word = chip_address(head.burst.address) >> 2;
  const SdramController::Access access = {word << 1 | second_half_, head.write};
  const bool taken = controller_.clock(now_, offered ? &access : nullptr);
  if (controller_.issued() && staged_) {
    word_.ready_at = now_ + read_delay_;
    words_.push_back(word_);
    staged_ = false;
  }
  if (!taken)
    return;
  if (second_half_) {
    word_done(pins, head.burst, head.write);
    const bool more = head.burst.beats_left != 0;
    if (!bursting_) {
      waiting_ = false;
      current_ = command_;
    }
    bursting_ = more;
  }
  second_half_ = !second_half_;
}

void BoardMemory::word_done(MemoryPins &pins, Burst &burst, bool is_write) {
  const uint64_t address = burst.next();
  const bool last = burst.beats_left == 0;
  if (is_write) {
    pins.w.ready = 1;
    response_ |= write(address, pins.w.data, pins.w.strb);
    if (last) {
      answers_.push_back({now_ + 1, burst.id, response_});
      response_ = kOkay;
    }
    return;
  }
  read_beats++;
  const uint32_t *word = memory_.word(address);
  staged_ = true;
  word_ = {0, word ? *word : 0, burst.id, word ? kOkay : kDecodeError, last};
}

void BoardMemory::set_answers(MemoryPins &pins) {
  pins.r.valid = !words_.empty() && now_ >= words_.front().ready_at;
  if (pins.r.valid) {
    const Word &word = words_.front();
    pins.r.data = word.data;
    pins.r.id = word.id;
    pins.r.resp = word.response;
    pins.r.last = word.last;
  }
  pins.b.valid = !answers_.empty() && now_ >= answers_.front().ready_at;
  if (pins.b.valid) {
    pins.b.id = answers_.front().id;
    pins.b.resp = answers_.front().response;
  }
}

void BoardMemory::take_answers(const MemoryPins &pins) {
  if (pins.r.valid && pins.r.ready)
    words_.pop_front();
  if (pins.b.valid && pins.b.ready)
    answers_.pop_front();
}
