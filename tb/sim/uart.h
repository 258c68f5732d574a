// The far end of the serial line: one start bit, eight data bits, one stop bit,
// `cycles_per_bit` clock cycles each. Characters from the program go to stdout,
// stdin goes to the program. The receiver's `rts` pin (high: its FIFO is full)
// holds the next character back, so none is lost.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "snapshot.h"

class Uart {
public:
  explicit Uart(unsigned cycles_per_bit = 8);
  ~Uart();

  // One clock cycle: looks at txd and rts, answers the new rxd.
  bool step(bool txd, bool rts) {
    if (receiving_ || !txd)
      receive(txd);
    if (++poll_ >= poll_interval_)
      poll_input();
    return sending_ || !pending_.empty() ? send(rts) : true;
  }
  void flush();
  // As if it had come from stdin.
  void type(const std::string &text) { pending_ += text; }
  void set_speed(unsigned cycles_per_bit) { cycles_per_bit_ = cycles_per_bit; }
  // Called at the end of each line that arrives, with the line.
  void on_line(std::function<void(const std::string &)> action) {
    on_line_ = std::move(action);
  }
  // Called with each character that arrives.
  void on_character(std::function<void(char)> action) {
    on_character_ = std::move(action);
  }
  // Cycles since the last start bit: long enough means that the line is quiet.
  bool quiet() const { return !receiving_; }

  // What has come goes out first; what was typed and not taken is part of it.
  void state(Snapshot &s) {
    flush();
    s(received, sent, cycles_per_bit_, receiving_, sending_, receive_cycle_,
      receive_bits_, send_cycle_, send_frame_, poll_, pending_, line_);
  }

  uint64_t received = 0, sent = 0;

private:
  void receive(bool txd);
  bool send(bool rts);
  void poll_input();

  unsigned cycles_per_bit_;
  std::function<void(const std::string &)> on_line_;
  std::function<void(char)> on_character_;
  bool receiving_ = false, sending_ = false, input_open_ = true,
       terminal_ = false;
  unsigned receive_cycle_ = 0, receive_bits_ = 0;
  unsigned send_cycle_ = 0, send_frame_ = 0;
  unsigned poll_ = 0, poll_interval_ = 1000;
  std::string output_, pending_, line_;
};
