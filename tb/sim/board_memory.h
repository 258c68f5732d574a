// The memory of the ULX3S as it answers there: one channel for commands, a
// 16-bit SDRAM behind its controller (sdram_timing.h). Written after
// board/BoardMemory.scala: a command takes a clock to the controller, a line
// is 32 half words, a write is answered one clock after its last word.
#pragma once
#include <deque>

#include "axi_memory.h"
#include "sdram_timing.h"

class BoardMemory final : public AxiMemory {
public:
  BoardMemory(Memory &memory, unsigned megahertz);

  void reset(MemoryPins &pins) override;

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

  void clock(MemoryPins &pins);
  void accept(MemoryPins &pins);
  void half_word(MemoryPins &pins);
  void word_done(MemoryPins &pins, Burst &burst, bool write);
  void set_answers(MemoryPins &pins);
  void take_answers(const MemoryPins &pins);
  uint64_t chip_address(uint64_t address) const;

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
