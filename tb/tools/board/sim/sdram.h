// A single data rate SDRAM chip, clock by clock, that checks what is done to
// it: the order of the start, the times between commands, refresh (without it
// the chip forgets all, and needs a new start), and that only one side drives
// the data. Written from the data sheets of MT48LC16M16A2, AS4C32M16SB and
// W9825G6JH6.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

struct SdramPart {
  const char *name;
  unsigned row_bits, column_bits;
  // Nanoseconds.
  double power_up, refresh_window, rc, rfc, ras, rp, rcd, wr;
  unsigned mrd; // cycles
};

// Throws SimError, with the known names, when there is no such part.
const SdramPart &sdram_part(const std::string &name);

class Sdram {
public:
  // What the chip sees at a rising edge.
  struct Pins {
    bool cke, csn, rasn, casn, wen;
    unsigned bank, address, dqm;
    uint16_t data, driven; // a bit of `driven`: the other side drives it
  };

  Sdram(const SdramPart &part, double megahertz);

  // One rising edge. Throws SimError on a violation.
  void clock(const Pins &pins);
  // What the chip drives until the next edge; all lines or none.
  bool drives() const { return drives_; }
  uint16_t data() const { return data_; }

  // Puts bytes into the chip without the bus.
  void store(uint64_t address, const void *bytes, uint64_t length);
  uint64_t capacity() const { return memory_.size() * 2; }

  uint64_t reads = 0, writes = 0, activates = 0, refreshes = 0;

private:
  static constexpr unsigned kBanks = 4;
  static constexpr uint64_t kLongAgo = 0;
  struct Bank {
    bool active = false;
    unsigned row = 0;
    uint64_t activated = kLongAgo, precharged = kLongAgo, written = kLongAgo;
  };
  struct Read {
    unsigned edges;
    uint16_t data;
  };

  void command(const Pins &pins);
  void activate(const Pins &pins);
  void access(const Pins &pins, bool write);
  void precharge(const Pins &pins);
  void refresh();
  void set_mode(const Pins &pins);
  void output(const Pins &pins);
  void need(const char *what, uint64_t since, double nanoseconds);
  void need_started();
  void forget(double due);
  [[noreturn]] void violation(const std::string &what) const;

  const SdramPart &part_;
  const double period_; // ns
  std::vector<uint16_t> memory_;
  Bank banks_[kBanks];
  std::vector<Read> pending_;
  uint64_t cycle_ = 1;
  uint64_t refreshed_ = kLongAgo, mode_set_ = kLongAgo, started_ = 0;
  unsigned start_refreshes_ = 0;
  unsigned cas_ = 0;   // 0: mode register not written
  std::string forgot_; // why that was so again
  unsigned earlier_dqm_ = 0;
  bool all_precharged_ = false, enabled_ = false, drives_ = false;
  uint16_t data_ = 0;
};
