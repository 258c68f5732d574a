// Scripts of accesses: reads commands, writes one line for each answer.
//
// The script has one command a line, numbers in hexadecimal
// (tb/campaigns/soak/player.py writes it):
// clang-format off
//   F                        forget memory, errors and everything else of the last case
//   L min max ready seed     delays of memory in cycles; ready: of 16 cycles, how many accept
//   R 13 words               registers, in the order of `put_context`
//   P entry address mask flags
//                            an entry of PMP, as `PmpWords`
//   K cycle R ... / P ... / I ...
//                            such a change, or an invalidation that nobody waits for, in this
//                            cycle of the next access, which may be negative (decimal); answers
//                            "C waits signals...": of that cycle, whether fetch (1),
//                            data (2) and AT (4) wait, and each signal of watched.h
//   W address value          memory holds this 64-bit word
//   D first end [value]      words from `first` on, up to `end`, become 0 or this
//   E address / B / N        word that has bus errors / only for swaps / that cannot swap
//   X address value          before the next swap of the word in the next access it becomes this
//   I kind last operand ds   invalidation; answers "I cycles"
//   S                        waits until the next invalidation would be accepted
//   T va write el1 pan       AT; answers "T low high cycles / address low high ...", which is PAR
//   A fetch kind el1 pan mxr untranslated va
//                            access, as `Access`; answers
//     "A fault status wnr dirty pa mair cycles reads... / address low high ..."
//     (swaps that were won)
// clang-format on
#pragma once

#include "bench.h"
#include "schedule.h"
#include "verilated_syms.h"

// Signals inside of the Verilated MMU: those of watched.h, which
// tb/campaigns/soak/watched.py writes.
struct Place {
  const char *scope, *name;
};
#include "watched.h"

class Observer {
public:
  Observer() {
    for (const Place &place : kPlaces) {
      const VerilatedScope *scope =
          Verilated::threadContextp()->scopeFind(place.scope);
      const VerilatedVar *found = scope ? scope->varFind(place.name) : nullptr;
      if (!found || found->entSize() != 1)
        throw std::runtime_error(std::string("no small signal ") + place.scope +
                                 "." + place.name);
      values_.push_back(static_cast<const CData *>(found->datap()));
    }
  }

  // Each of them, with a space before it.
  void write(std::FILE *out) const {
    for (const CData *value : values_)
      std::fprintf(out, " %x", unsigned(*value));
  }

private:
  std::vector<const CData *> values_;
};

class Accesses : public Bench {
public:
  Accesses(const char *script, const char *answers)
      : Bench(script, answers, false) {}

private:
  Observer observer_;
  Schedule schedule_;
  Context context_{top_};
  Protection protection_ = open_memory();
  bool asks_at_ = false;
  bool changes_ = false;   // the change of the schedule is made in this cycle
  bool announced_ = false; // the next access, while the last one was made
  uint64_t accesses_ = 0;

  // An entry changes a cycle after `changes` says so.
  void protect_at(int cycle) {
    const unsigned entry = number();
    PmpWords words{number(), number(), number()};
    if (entry >= kEntries)
      throw std::runtime_error("no entry of PMP: " + script_.line());
    schedule_.at(cycle - 1, [this] { PUT(top_, pmp_changes, 1); });
    schedule_.at(cycle, [this, entry, words] {
      PUT(top_, pmp_changes, 0);
      protection_[entry] = words;
      protect(top_, protection_);
    });
  }

  void change() {
    const int cycle = script_.decimal();
    const char what = script_.letter();
    if (what != 'I')
      schedule_.at(cycle, [this] { changes_ = true; });
    switch (what) {
    case 'I': // one, whose command nothing else follows before it is accepted
      offer_next();
      schedule_.at(cycle, [this] { sweeps_ = top_.INVALIDATE(cmd_valid) = 1; });
      break;
    case 'R':
      context_.change(schedule_, cycle, registers());
      break;
    case 'P':
      protect_at(cycle);
      break;
    default:
      throw std::runtime_error("unknown change: " + script_.line());
    }
  }

  // What was said for one cycle is done, and a cycle passes.
  void pass(int now) {
    schedule_.run(now);
    top_.eval();
    observe();
    cycle();
  }

  void settle_changes() {
    for (int now = schedule_.first(0); !schedule_.empty(); now++)
      pass(now);
  }

  void observe() {
    if (!changes_)
      return;
    changes_ = false;
    const bool at = GET(top_, at_ready, 1).low;
    const unsigned waits =
        (top_.io_fetch_cmd_valid && !top_.io_fetch_cmd_ready) |
        (top_.io_data_cmd_valid && !top_.io_data_cmd_ready) << 1 |
        (asks_at_ && !at) << 2;
    std::fprintf(out_, "C %x", waits);
    observer_.write(out_);
    std::fputc('\n', out_);
  }

  // ---- invalidations

  void offer_next() {
    const uint64_t kind = number(), last = number(), operand = number();
    offer(kind, last, operand, number());
  }

  // What a change of the schedule began is accepted.
  void accept() {
    for (unsigned cycles = 0; sweeps_ && cycles < kPatience; cycles++)
      idle();
  }

  // ---- accesses

  // From the cycle `now` on, what is asked waits until `fires`, which reports
  // the answer; `waited` says so after each cycle in which it was not.
  template <class Fires, class Waited>
  void await(int now, Fires fires, Waited waited) {
    for (; now < int(kPatience); now++) {
      schedule_.run(now);
      top_.eval();
      observe();
      const bool ends = fires(unsigned(now));
      cycle();
      if (!ends) {
        waited();
        continue;
      }
      top_.io_fetch_cmd_valid = top_.io_data_cmd_valid = 0;
      PUT(top_, at_valid, 0);
      asks_at_ = false;
      while (!schedule_.empty())
        pass(++now);
      return;
    }
    throw std::runtime_error("no answer: " + script_.line());
  }

  void access() {
    const Access access{number() != 0, number(), number(), number(),
                        number(),      number(), number()};
    const bool fetch = access.fetch;
    int now = 0;
    if (!announced_) {
      for (now = schedule_.first(-1); now < -1; now++)
        pass(now);
      announce(fetch, access.va);
      pass(now++);
    }
    announced_ = follows(fetch);
    if (announced_)
      announce(fetch, next_va());
    ask(access);
    const auto fires = [&](unsigned cycles) {
      if (ready(fetch))
        report(fetch, cycles);
      return ready(fetch);
    };
    await(now, fires, [&] { // it waits, and is announced again
      announce(fetch, access.va);
      announced_ = false;
    });
  }

  void translate_address() {
    PUT(top_, at_payload_va, number());
    PUT(top_, at_payload_write, number());
    PUT(top_, at_payload_el1, number());
    PUT(top_, at_payload_pan, number());
    int now = schedule_.first(0);
    for (; now < 0; now++)
      pass(now);
    PUT(top_, at_valid, 1);
    asks_at_ = true;
    const auto fires = [&](unsigned cycles) {
      const bool ready = GET(top_, at_ready, 0).low;
      if (ready) {
        const Wide par = GET(top_, par, 0);
        std::fprintf(out_, "T %" PRIx64 " %" PRIx64 " %x", par.low, par.high,
                     cycles);
        report_memory();
      }
      return ready;
    };
    await(now, fires, [] {});
  }

  // Every other access comes in the cycle after the last one, where the script
  // has them in a row at one port and the last one did not wait. All others are
  // announced one cycle before, when the port is idle.
  bool follows(bool fetch) {
    const std::string &next = script_.next();
    const bool same_port = next[0] == 'A' && (next[2] == '1') == fetch;
    return same_port && accesses_++ % 2;
  }

  uint64_t next_va() const {
    const std::string &next = script_.next();
    return std::strtoull(&next[next.rfind(' ')], nullptr, 16);
  }

  void report(bool fetch, unsigned cycles) {
    std::fprintf(out_, "A %x %x %x %x %" PRIx64 " %x %x",
                 unsigned(GRANULE_ANSWER(fetch, fault)),
                 unsigned(GRANULE_ANSWER(fetch, status)),
                 unsigned(GRANULE_ANSWER(fetch, wnr)),
                 unsigned(GRANULE_ANSWER(fetch, dirty)),
                 GRANULE_ANSWER(fetch, pa),
                 unsigned(GRANULE_ANSWER(fetch, attributes_mair)), cycles);
    report_memory();
  }

  void report_memory() {
    for (uint64_t address : memory_.reads)
      std::fprintf(out_, " %" PRIx64, address);
    std::fputs(" /", out_);
    for (const auto &write : memory_.writes)
      std::fprintf(out_, " %" PRIx64 " %" PRIx64 " %" PRIx64, write.address,
                   write.value.low, write.value.high);
    std::fputc('\n', out_);
    memory_.forget_access();
  }

  void command(char name) override {
    switch (name) {
    case 'F':
      memory_.forget_case();
      break;
    case 'L':
      memory_.min_delay = number();
      memory_.max_delay = number();
      memory_.ready_of_16 = number();
      memory_.random = number() | 1;
      break;
    case 'R':
      context_.change(schedule_, 0, registers());
      settle_changes();
      break;
    case 'P':
      protect_at(0);
      settle_changes();
      break;
    case 'K':
      change();
      break;
    case 'D': {
      const uint64_t first = number(), end = number(), value = number();
      for (uint64_t word = first; word < end; word += 8)
        memory_.words[word] = value;
      break;
    }
    case 'T':
      translate_address();
      break;
    case 'W': {
      const uint64_t address = number();
      memory_.words[address] = number();
      break;
    }
    case 'E':
      memory_.errors.insert(number());
      break;
    case 'B':
      memory_.swap_errors.insert(number());
      break;
    case 'N':
      memory_.no_swap.insert(number());
      break;
    case 'X': {
      const uint64_t address = number();
      memory_.races[address] = number();
      break;
    }
    case 'I':
      accept();
      offer_next();
      std::fprintf(out_, "I %x\n", invalidate());
      break;
    case 'S':
      accept();
      settle();
      break;
    case 'A':
      access();
      break;
    default:
      throw std::runtime_error("unknown command: " + script_.line());
    }
  }
};
