#include "sdram_timing.h"

#include <algorithm>

#include "granule_sdram.h"

namespace {
// Clocks of a time, at least one.
unsigned clocks(uint64_t picoseconds, unsigned megahertz) {
  const uint64_t n = (picoseconds * megahertz + 999999) / 1000000;
  return unsigned(std::max<uint64_t>(n, 1));
}
} // namespace

SdramTiming SdramTiming::at(unsigned megahertz) {
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

SdramController::SdramController(const SdramTiming &timing)
    : timing_(timing), next_refresh_(timing.refresh) {}

bool SdramController::held_back(uint64_t now) const {
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
void SdramController::give(uint64_t now) {
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
    later(may_write_, timing_.cas + 2); // the data lines change their direction
    break;
  case kWrite:
    later(may_precharge_[bank], timing_.wr);
    break;
  }
}

bool SdramController::clock(uint64_t now, const Access *access) {
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
