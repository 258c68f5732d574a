// The memory of the ULX3S as it answers there: one channel for commands, a
// 16-bit SDRAM behind its controller (sdram_timing.h). Written after
// board/BoardMemory.scala: a command takes a clock to the controller, a line
// is 32 half words, a write is answered one clock after its last word.
#include <deque>

#include "axi_memory.h"
#include "granule_map.h"
#include "sdram_timing.h"

namespace {

constexpr unsigned kRegisters = 2; // on the way of read data, beside CAS

class BoardMemory final : public AxiMemory {
public:
  BoardMemory(Memory &memory, unsigned megahertz)
      : AxiMemory(memory), controller_(SdramTiming::at(megahertz)),
        read_delay_(SdramTiming::at(megahertz).cas + kRegisters),
        lowmem_bytes_(memory.lowmem_bytes()) {}

  void reset(MemoryPins &pins) override {
    pins.ar.ready = pins.aw.ready = pins.w.ready = 0;
    pins.r.valid = pins.b.valid = 0;
  }

  // The system's outputs towards memory are registers: what it will offer at
  // the coming edge is known before its inputs are.
  void drive(MemoryPins &pins) override {
    now_++;
    if (pins.ar.valid | pins.aw.valid | pins.w.valid | busy_ | (now_ >= wake_))
      clock(pins);
  }
  void sample(const MemoryPins &pins) override {
    if (busy_)
      take_answers(pins);
  }

  void state(Snapshot &s) override {
    AxiMemory::state(s);
    controller_.state(s);
    s(now_, wake_, busy_, last_was_write_, waiting_, bursting_, arrived_,
      command_, current_, second_half_, staged_, word_, response_, words_,
      answers_);
  }

private:
  struct Command {
    Burst burst;
    bool write;
  };
  struct Word { // of a read
    uint64_t ready_at;
    uint32_t data;
    unsigned id, response;
    bool last;
  };
  struct Answer { // to a write
    uint64_t ready_at;
    unsigned id, response;
  };

  void clock(MemoryPins &pins) {
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
  void accept(MemoryPins &pins) {
    const bool read = pins.ar.valid, write = pins.aw.valid;
    if (!read && !write)
      return;
    const bool chose_write = write && !(read && last_was_write_);
    if (chose_write) {
      pins.aw.ready = 1;
      write_bursts++;
      command_ = {burst(pins.aw), true};
    } else {
      pins.ar.ready = 1;
      read_bursts++;
      command_ = {burst(pins.ar), false};
    }
    last_was_write_ = chose_write;
    waiting_ = true;
    arrived_ = now_ + 1;
  }
  void half_word(MemoryPins &pins) {
    Command &head = bursting_ ? current_ : command_;
    bool offered = bursting_ || waiting_;
    // The decoder lets data pass only a clock after their command came.
    if (offered && head.write)
      offered = pins.w.valid && now_ > arrived_;
    const uint64_t word = chip_address(head.burst.address) >> 2;
    const SdramController::Access access = {word << 1 | second_half_,
                                            head.write};
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
  void word_done(MemoryPins &pins, Burst &burst, bool is_write) {
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
  void set_answers(MemoryPins &pins) {
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
  void take_answers(const MemoryPins &pins) {
    if (pins.r.valid && pins.r.ready)
      words_.pop_front();
    if (pins.b.valid && pins.b.ready)
      answers_.pop_front();
  }
  uint64_t chip_address(uint64_t address) const {
    return address >= GRANULE_HIGHMEM_BASE
               ? address - GRANULE_HIGHMEM_BASE + lowmem_bytes_
               : address - GRANULE_LOWMEM_BASE;
  }

  SdramController controller_;
  const unsigned read_delay_; // clocks from the command to the word at the bus
  const uint64_t lowmem_bytes_; // highmem follows in the chip
  uint64_t now_ = 0, wake_ = 0;
  bool busy_ = false;

  // Both ports share one channel, in turns.
  bool last_was_write_ = true;
  // What came through it, and the burst of which words are being taken.
  bool waiting_ = false, bursting_ = false;
  uint64_t arrived_ = 0;
  Command command_ = {}, current_ = {};
  bool second_half_ = false;
  // A word that was read last, until its command is given.
  bool staged_ = false;
  Word word_ = {};
  unsigned response_ = kOkay; // of the write burst under way
  std::deque<Word> words_;
  std::deque<Answer> answers_;
};

} // namespace

std::unique_ptr<AxiMemory> board_memory(Memory &memory, unsigned megahertz) {
  return std::make_unique<BoardMemory>(memory, megahertz);
}
