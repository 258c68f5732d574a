// The SDRAM controller of a board, as far as its time goes: which command it
// gives in which clock. Written after SpinalHDL's SdramCtrl, whose structure it
// has: a front end that turns half words into commands, a register, and timers
// that hold a command back.
#pragma once
#include <algorithm>
#include <cstdint>

#include "granule_sdram.h"
#include "snapshot.h"

// In clocks, rounded up as the controller does.
struct SdramTiming {
  unsigned refresh, rc, rfc, ras, rp, rcd, wr, cas;
  unsigned bank_bits, column_bits; // a column is a half word

  // Of the board's chip (granule_sdram.h) at this clock.
  static SdramTiming at(unsigned megahertz) {
    SdramTiming t;
    t.refresh = unsigned((uint64_t(GRANULE_SDRAM_REFRESH_PS) * megahertz +
                          GRANULE_SDRAM_ROWS * 1000000ull - 1) /
                         (GRANULE_SDRAM_ROWS * 1000000ull));
    t.rc = clocks(GRANULE_SDRAM_RC_PS, megahertz);
    t.rfc = clocks(GRANULE_SDRAM_RFC_PS, megahertz);
    t.ras = clocks(GRANULE_SDRAM_RAS_PS, megahertz);
    t.rp = clocks(GRANULE_SDRAM_RP_PS, megahertz);
    t.rcd = clocks(GRANULE_SDRAM_RCD_PS, megahertz);
    t.wr = GRANULE_SDRAM_WR_CLOCKS + clocks(GRANULE_SDRAM_WR_PS, megahertz);
    t.cas = GRANULE_SDRAM_CAS;
    t.bank_bits = GRANULE_SDRAM_BANK_BITS;
    t.column_bits = GRANULE_SDRAM_COLUMN_BITS;
    return t;
  }

private:
  // Clocks of a time, at least one.
  static unsigned clocks(uint64_t picoseconds, unsigned megahertz) {
    const uint64_t n = (picoseconds * megahertz + 999999) / 1000000;
    return unsigned(std::max<uint64_t>(n, 1));
  }
};

class SdramController {
public:
  explicit SdramController(const SdramTiming &timing)
      : timing_(timing), next_refresh_(timing.refresh) {}

  // A half word to read or write, by its place in the chip.
  struct Access {
    uint64_t half_word;
    bool write;
  };

  // One clock; `access` is what waits at the controller, or nullptr. True when
  // it is taken in this clock.
  bool clock(uint64_t now, const Access *access) {
    if (now >= next_refresh_) {
      refresh_due_ = true;
      next_refresh_ += timing_.refresh;
    }
    issued_ = false;
    if (stage_.valid && !held_back(now)) {
      give(now);
      issued_ = stage_.task == kRead || stage_.task == kWrite;
      stage_.valid = false;
    }
    if (stage_.valid)
      return false;
    if (refresh_due_) {
      bool any = false;
      for (Bank &bank : banks_) {
        any |= bank.active;
        bank.active = false;
      }
      stage_ = {true, any ? kPrechargeAll : kRefresh, 0};
      refresh_due_ = any;
      return false;
    }
    if (!access)
      return false;
    const uint64_t place = access->half_word >> timing_.column_bits;
    const unsigned number = unsigned(place & (kBanks - 1));
    const uint64_t row = place >> timing_.bank_bits;
    Bank &bank = banks_[number];
    if (bank.active && bank.row == row) {
      stage_ = {true, access->write ? kWrite : kRead, number};
      return true;
    }
    stage_ = {true, bank.active ? kPrecharge : kActivate, number};
    bank = {!bank.active, row};
    return false;
  }
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

  bool held_back(uint64_t now) const {
    const auto all = [now](const uint64_t *may) {
      return now < *std::max_element(may, may + kBanks);
    };
    switch (stage_.task) {
    case kPrechargeAll:
      return all(may_precharge_);
    case kPrecharge:
      return now < may_precharge_[stage_.bank];
    case kRefresh:
      return all(may_activate_);
    case kActivate:
      return now < may_activate_[stage_.bank];
    case kRead:
      return now < may_read_;
    default:
      return now < may_write_;
    }
  }
  // What a command keeps others from.
  void give(uint64_t now) {
    const auto later = [now](uint64_t &may, unsigned clocks) {
      may = std::max(may, now + clocks);
    };
    const unsigned bank = stage_.bank;
    switch (stage_.task) {
    case kPrechargeAll: // only a refresh can follow, which looks at all banks
      later(may_activate_[0], timing_.rp);
      break;
    case kPrecharge:
      later(may_activate_[bank], timing_.rp);
      break;
    case kRefresh:
      for (uint64_t &may : may_activate_)
        later(may, timing_.rfc);
      break;
    case kActivate:
      may_read_ = now + timing_.rcd;
      later(may_write_, timing_.rcd);
      later(may_precharge_[bank], timing_.ras);
      later(may_activate_[bank], timing_.rc);
      break;
    case kRead:
      later(may_write_,
            timing_.cas + 2); // the data lines change their direction
      break;
    case kWrite:
      later(may_precharge_[bank], timing_.wr);
      break;
    }
  }

  const SdramTiming timing_;
  Bank banks_[kBanks] = {};
  Stage stage_ = {};
  // The first clock in which each kind of command may be given again.
  uint64_t may_read_ = 0, may_write_ = 0;
  uint64_t may_precharge_[kBanks] = {}, may_activate_[kBanks] = {};
  uint64_t next_refresh_;
  bool refresh_due_ = false, issued_ = false;
};
