#include "board_memory.h"

#include "granule_map.h"

namespace {
constexpr unsigned kRegisters = 2; // on the way of read data, beside CAS
} // namespace

BoardMemory::BoardMemory(Memory &memory, unsigned megahertz)
    : AxiMemory(memory), controller_(SdramTiming::at(megahertz)),
      read_delay_(SdramTiming::at(megahertz).cas + kRegisters),
      lowmem_bytes_(memory.lowmem_bytes()) {}

void BoardMemory::reset(Vsimsoc &top) {
  top.memory_ar_ready = top.memory_aw_ready = top.memory_w_ready = 0;
  top.memory_r_valid = top.memory_b_valid = 0;
}

uint64_t BoardMemory::chip_address(uint64_t address) const {
  return address >= GRANULE_HIGHMEM_BASE
             ? address - GRANULE_HIGHMEM_BASE + lowmem_bytes_
             : address - GRANULE_LOWMEM_BASE;
}

void BoardMemory::clock(Vsimsoc &top) {
  top.memory_ar_ready = top.memory_aw_ready = top.memory_w_ready = 0;
  const bool full = waiting_;
  half_word(top);
  if (!full)
    accept(top);
  set_answers(top);
  wake_ = controller_.next_refresh();
  busy_ = waiting_ || bursting_ || staged_ || !words_.empty() ||
          !answers_.empty() || !controller_.idle();
}

// The shared channel and the half-rate register after it.
void BoardMemory::accept(Vsimsoc &top) {
  const bool read = top.memory_ar_valid, write = top.memory_aw_valid;
  if (!read && !write)
    return;
  const bool chose_write = write && !(read && last_was_write_);
  if (chose_write) {
    top.memory_aw_ready = 1;
    write_bursts++;
    command_ = {write_burst(top), true};
  } else {
    top.memory_ar_ready = 1;
    read_bursts++;
    command_ = {read_burst(top), false};
  }
  last_was_write_ = chose_write;
  waiting_ = true;
  arrived_ = now_ + 1;
}

void BoardMemory::half_word(Vsimsoc &top) {
  Command &head = bursting_ ? current_ : command_;
  bool offered = bursting_ || waiting_;
  // The decoder lets data pass only a clock after their command came.
  if (offered && head.write)
    offered = top.memory_w_valid && now_ > arrived_;
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
    word_done(top, head.burst, head.write);
    const bool more = head.burst.beats_left != 0;
    if (!bursting_) {
      waiting_ = false;
      current_ = command_;
    }
    bursting_ = more;
  }
  second_half_ = !second_half_;
}

void BoardMemory::word_done(Vsimsoc &top, Burst &burst, bool is_write) {
  const uint64_t address = burst.next();
  const bool last = burst.beats_left == 0;
  if (is_write) {
    top.memory_w_ready = 1;
    response_ |=
        write(address, top.memory_w_payload_data, top.memory_w_payload_strb);
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

void BoardMemory::set_answers(Vsimsoc &top) {
  top.memory_r_valid = !words_.empty() && now_ >= words_.front().ready_at;
  if (top.memory_r_valid) {
    const Word &word = words_.front();
    top.memory_r_payload_data = word.data;
    top.memory_r_payload_id = word.id;
    top.memory_r_payload_resp = word.response;
    top.memory_r_payload_last = word.last;
  }
  top.memory_b_valid = !answers_.empty() && now_ >= answers_.front().ready_at;
  if (top.memory_b_valid) {
    top.memory_b_payload_id = answers_.front().id;
    top.memory_b_payload_resp = answers_.front().response;
  }
}

void BoardMemory::take_answers(const Vsimsoc &top) {
  if (top.memory_r_valid && top.memory_r_ready)
    words_.pop_front();
  if (top.memory_b_valid && top.memory_b_ready)
    answers_.pop_front();
}
