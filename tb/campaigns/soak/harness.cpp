// Plays scripts of accesses on the Verilated MMU: reads commands, writes one
// line for each answer.
//
//   harness SCRIPT ANSWERS
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
//                            access; untranslated: 1 of M-mode, 2 in Bare; answers
//     "A fault status wnr dirty pa mair cycles reads... / address low high ..."
//     (swaps that were won)
// clang-format on
// Ends with status 1 and a sentence when the MMU breaks a protocol or does not
// answer.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "bench.h"

namespace {
class Harness : Bench {
public:
  Harness(const char *script, const char *answers) : Bench(script, answers) {}

  void play() {
    while (script_.advance())
      command(script_.letter());
  }

private:
  bool announced_ = false; // the next access, while the last one was made
  uint64_t accesses_ = 0;

  void access() {
    const bool fetch = number();
    auto &valid = fetch ? top_.io_fetch_cmd_valid : top_.io_data_cmd_valid;
    auto &ready = fetch ? top_.io_fetch_cmd_ready : top_.io_data_cmd_ready;
    const uint64_t kind = number(), el1 = number(), pan = number(),
                   mxr = number();
    const uint64_t untranslated = number(), va = number();
    const bool machine = untranslated == 1;
#define GRANULE_COMMAND(side)                                                  \
  top_.io_##side##_cmd_payload_access = kind;                                  \
  top_.io_##side##_cmd_payload_el1 = el1;                                      \
  top_.io_##side##_cmd_payload_pan = pan;                                      \
  top_.io_##side##_cmd_payload_untranslated = untranslated != 0;               \
  top_.io_##side##_cmd_payload_va = va;                                        \
  put_##side##_cmd_payload_mxr(top_, {mxr, 0}, 0);                             \
  put_##side##Machine(top_, {machine, 0}, 0)
    if (fetch) {
      GRANULE_COMMAND(fetch);
    } else {
      GRANULE_COMMAND(data);
    }
    uint64_t &ahead =
        fetch ? top_.io_fetch_ahead_payload : top_.io_data_ahead_payload;
    int now = 0;
    if (!announced_) {
      for (now = schedule_.first(-1); now < -1; now++)
        pass(now);
      ahead = va;
      pass(now++);
    }
    announced_ = follows(fetch);
    if (announced_)
      ahead = next_va();
    valid = 1;
    for (; now < int(kPatience); now++) {
      schedule_.run(now);
      top_.eval();
      observe();
      const bool fires = ready;
      if (fires) {
        report(fetch, now);
        memory_.forget_access();
      }
      cycle();
      if (fires) {
        valid = 0;
        while (!schedule_.empty())
          pass(++now);
        return;
      }
      ahead = va; // it waits, and is announced again
      announced_ = false;
    }
    throw std::runtime_error("an access is not answered: " + script_.line());
  }

  void translate_address() {
    put_at_payload_va(top_, {number(), 0}, 0);
    put_at_payload_write(top_, {number(), 0}, 0);
    put_at_payload_el1(top_, {number(), 0}, 0);
    put_at_payload_pan(top_, {number(), 0}, 0);
    int now = schedule_.first(0);
    for (; now < 0; now++)
      pass(now);
    put_at_valid(top_, {1, 0}, 0);
    asks_at_ = true;
    for (; now < int(kPatience); now++) {
      schedule_.run(now);
      top_.eval();
      observe();
      const bool fires = get_at_ready(top_, {}, 0).low;
      if (fires) {
        const Wide par = get_par(top_, {}, 0);
        std::fprintf(out_, "T %" PRIx64 " %" PRIx64 " %x", par.low, par.high,
                     unsigned(now));
        report_memory();
        memory_.forget_access();
      }
      cycle();
      if (fires) {
        put_at_valid(top_, {}, 0);
        asks_at_ = false;
        while (!schedule_.empty())
          pass(++now);
        return;
      }
    }
    throw std::runtime_error("AT is not answered: " + script_.line());
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
#define GRANULE_ANSWER(name)                                                   \
  (fetch ? get(top_.io_fetch_rsp_##name) : get(top_.io_data_rsp_##name)).low
    std::fprintf(
        out_, "A %x %x %x %x %" PRIx64 " %x %x",
        unsigned(GRANULE_ANSWER(fault)), unsigned(GRANULE_ANSWER(status)),
        unsigned(GRANULE_ANSWER(wnr)), unsigned(GRANULE_ANSWER(dirty)),
        GRANULE_ANSWER(pa), unsigned(GRANULE_ANSWER(attributes_mair)), cycles);
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
  }

  void command(char name) {
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
    case 'R': {
      const auto words = registers();
      context_.change(schedule_, 0, words);
      settle_changes();
      break;
    }
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
      invalidate();
      break;
    case 'S':
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
} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s SCRIPT ANSWERS [+verilator+...]\n",
                 argv[0]);
    return 2;
  }
  Verilated::commandArgs(argc, argv);
  try {
    auto bench = std::make_unique<Harness>(argv[1], argv[2]);
    bench->play();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "harness: %s\n", error.what());
    return 1;
  }
  return 0;
}
