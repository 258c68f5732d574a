// What a script wants to happen in a given cycle of the next access: 0 is the
// first cycle of its command.
#pragma once

#include <algorithm>
#include <functional>
#include <map>

#include "ports.h"

class Schedule {
public:
  bool empty() const { return due_.empty(); }
  // The first cycle in which something happens, or `otherwise` if that is
  // earlier.
  int first(int otherwise) const {
    return due_.empty() ? otherwise : std::min(otherwise, due_.begin()->first);
  }
  void at(int cycle, std::function<void()> action) {
    due_.emplace(cycle, std::move(action));
  }
  void run(int cycle) {
    while (!due_.empty() && due_.begin()->first <= cycle) {
      const auto action = std::move(due_.begin()->second);
      due_.erase(due_.begin());
      action();
    }
  }

private:
  std::multimap<int, std::function<void()>> due_;
};

// The registers of the MMU. They change as a whole in one cycle; in the block
// with registers, satp does and the others are written through APB, of which
// the last word of each makes it count.
class Context {
public:
  explicit Context(Vmmu &top) : top_(top) {}

  void change(Schedule &schedule, int cycle, const Registers &words) {
#ifdef GRANULE_IP
    int at = cycle - kTransfer * 2 * moved(words);
    for (unsigned i = 0; i < kPorted; i++)
      if (!known_ || words[i] != words_[i])
        for (unsigned half = 0; half < 2; half++, at += kTransfer)
          transfer(schedule, at, kAddress[i] + 4 * half,
                   words[i] >> 32 * half & 0xffffffff);
    schedule.at(cycle, [this] { PUT(top_, apb_PSEL, 0); });
    schedule.at(cycle,
                [this, satp = words[kPorted]] { PUT(top_, satp, satp); });
#else
    schedule.at(cycle, [this, words] { put_context(top_, words); });
#endif
    words_ = words;
    known_ = true;
  }

private:
  static const unsigned kPorted = 11; // registers before satp
  static const int kTransfer = 2;     // cycles of a transfer
  Vmmu &top_;
  Registers words_{};
  bool known_ = false;

  int moved(const Registers &words) const {
    int count = 0;
    for (unsigned i = 0; i < kPorted; i++)
      count += !known_ || words[i] != words_[i];
    return count;
  }

  // Of the registers in their order.
  static constexpr uint64_t kAddress[kPorted] = {
      0x20, 0x28, 0x30, 0xb0, 0x38, 0xb8, 0x40, 0xa8, 0x90, 0x98, 0xa0};

  void transfer(Schedule &schedule, int at, uint64_t address, uint64_t word) {
    schedule.at(at, [this, address, word] {
      PUT(top_, apb_PSEL, 1);
      PUT(top_, apb_PENABLE, 0);
      PUT(top_, apb_PWRITE, 1);
      PUT(top_, apb_PADDR, address);
      PUT(top_, apb_PWDATA, word);
    });
    schedule.at(at + 1, [this] { PUT(top_, apb_PENABLE, 1); });
  }
};
