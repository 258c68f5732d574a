// The SDRAM controller of a board, as far as its time goes: which command it
// gives in which clock. Written after SpinalHDL's SdramCtrl, whose structure it
// has: a front end that turns half words into commands, a register, and timers
// that hold a command back.
#pragma once
#include <cstdint>

#include "snapshot.h"

// In clocks, rounded up as the controller does.
struct SdramTiming {
  unsigned refresh, rc, rfc, ras, rp, rcd, wr, cas;
  unsigned bank_bits, column_bits; // a column is a half word

  // Of the board's chip (granule_sdram.h) at this clock.
  static SdramTiming at(unsigned megahertz);
};

class SdramController {
public:
  explicit SdramController(const SdramTiming &timing);

  // A half word to read or write, by its place in the chip.
  struct Access {
    uint64_t half_word;
    bool write;
  };

  // One clock; `access` is what waits at the controller, or nullptr. True when
  // it is taken in this clock.
  bool clock(uint64_t now, const Access *access);
  // A half word that was taken before has come to the pins in this clock.
  bool issued() const { return issued_; }
  bool idle() const { return !stage_.valid && !refresh_due_; }
  // When it has to be clocked even without an access.
  uint64_t next_refresh() const { return next_refresh_; }

  void state(Snapshot &s) {
    s(banks_, stage_, may_read_, may_write_, may_precharge_, may_activate_,
      next_refresh_, refresh_due_, issued_);
  }

private:
  static constexpr unsigned kBanks = 4;
  enum Task { kPrechargeAll, kPrecharge, kRefresh, kActivate, kRead, kWrite };
  struct Stage {
    bool valid;
    Task task;
    unsigned bank;
  };
  struct Bank {
    bool active;
    uint64_t row;
  };

  bool held_back(uint64_t now) const;
  void give(uint64_t now);

  const SdramTiming timing_;
  Bank banks_[kBanks] = {};
  Stage stage_ = {};
  // The first clock in which each kind of command may be given again.
  uint64_t may_read_ = 0, may_write_ = 0;
  uint64_t may_precharge_[kBanks] = {}, may_activate_[kBanks] = {};
  uint64_t next_refresh_;
  bool refresh_due_ = false, issued_ = false;
};
