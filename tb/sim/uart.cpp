#include "uart.h"

#include <cerrno>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace {
constexpr unsigned kFrameBits = 10;
constexpr unsigned kPause =
    2; // idle bits between characters, for the receiver's rts to settle
constexpr cc_t kEndKey = 0x1d; // Ctrl-]
termios original_terminal;
} // namespace

Uart::Uart(unsigned cycles_per_bit) : cycles_per_bit_(cycles_per_bit) {
  // A terminal passes characters as they are typed, Ctrl-C among them; Ctrl-]
  // ends the simulator.
  terminal_ = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
              tcgetattr(STDIN_FILENO, &original_terminal) == 0;
  if (terminal_) {
    termios raw = original_terminal;
    raw.c_lflag &= ~(ICANON | ECHO);
    raw.c_iflag &= ~ICRNL;
    raw.c_cc[VINTR] = kEndKey;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
}

Uart::~Uart() {
  flush();
  if (terminal_)
    tcsetattr(STDIN_FILENO, TCSANOW, &original_terminal);
}

void Uart::flush() {
  size_t done = 0;
  while (done < output_.size()) {
    const ssize_t n =
        write(STDOUT_FILENO, output_.data() + done, output_.size() - done);
    if (n < 0 && errno != EINTR && errno != EAGAIN)
      break; // nobody listens: the program's exit status still counts
    if (n > 0)
      done += n;
  }
  output_.clear();
}

// Counts from the falling edge of the start bit and samples the middle of each
// bit.
void Uart::receive(bool txd) {
  if (!receiving_) {
    receiving_ = true;
    receive_cycle_ = 0;
    receive_bits_ = 0;
    return;
  }
  receive_cycle_++;
  if (receive_cycle_ % cycles_per_bit_ != cycles_per_bit_ / 2)
    return;
  const unsigned bit = receive_cycle_ / cycles_per_bit_;
  if (bit >= 1 && bit <= 8)
    receive_bits_ |= unsigned(txd) << (bit - 1);
  if (bit >= kFrameBits - 1) { // beyond: the speed rose within the frame
    receiving_ = false;
    received++;
    output_ += char(receive_bits_);
    if (on_character_)
      on_character_(char(receive_bits_));
    if (on_line_)
      line_ += char(receive_bits_);
    if (receive_bits_ == '\n' && on_line_) {
      on_line_(line_);
      line_.clear();
    }
    if (receive_bits_ == '\n' || output_.size() > 4096)
      flush();
  }
}

bool Uart::send(bool rts) {
  if (!sending_) {
    if (rts)
      return true;
    sending_ = true;
    send_cycle_ = 0;
    const auto character = static_cast<unsigned char>(pending_.front());
    send_frame_ = 0xe00u | unsigned(character)
                               << 1; // start bit, data, stop bit, pause
    pending_.erase(0, 1);
    sent++;
  }
  const unsigned bit = send_cycle_++ / cycles_per_bit_;
  if (bit >= kFrameBits + kPause) {
    sending_ = false;
    return true;
  }
  return send_frame_ >> bit & 1;
}

void Uart::poll_input() {
  poll_ = 0;
  if (!output_.empty() && terminal_)
    flush();
  if (!input_open_ || !pending_.empty())
    return;
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, 0) <= 0)
    return;
  char buffer[256];
  const ssize_t n = read(STDIN_FILENO, buffer, sizeof buffer);
  if (n > 0)
    pending_.assign(buffer, n);
  else if (n == 0 || (errno != EINTR && errno != EAGAIN))
    input_open_ = false;
}
