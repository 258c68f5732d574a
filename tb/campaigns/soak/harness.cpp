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
//   R 12 words               registers, in the order of `context` below
//   W address value          memory holds this 64-bit word
//   E address / B / N        word that has bus errors / only for swaps / that cannot swap
//   X address value          before the next swap of the word in the next access it becomes this
//   I kind last operand ds   invalidation; answers "I cycles"
//   S                        waits until the next invalidation would be accepted
//   A fetch kind el1 pan mxr untranslated va
//                            access; answers
//     "A fault status wnr dirty pa mair cycles reads... / address low high ..."
//     (swaps that were won)
// clang-format on
// Ends with status 1 and a sentence when the MMU breaks a protocol or does not
// answer.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "memory.h"

namespace {
const unsigned kPatience = 20000; // cycles without an answer that are too many

class Bench {
public:
  Bench(const char *script, const char *answers)
      : in_(std::fopen(script, "r")), out_(std::fopen(answers, "w")) {
    if (!in_ || !out_)
      throw std::runtime_error("script or answers cannot be opened");
    reset();
  }
  ~Bench() {
    std::fclose(in_);
    std::fclose(out_);
  }

  void play() {
    read_line(next_);
    while (!next_.empty()) {
      line_ = next_;
      read_line(next_);
      at_ = &line_[1];
      command(line_[0]);
    }
  }

private:
  Vmmu top_;
  WalkMemory memory_;
  std::FILE *in_, *out_;
  std::string line_, next_;
  char *at_ = nullptr;
  bool announced_ = false; // the next access, while the last one was made
  uint64_t accesses_ = 0;

  uint64_t number() { return std::strtoull(at_, &at_, 16); }

  bool read_line(std::string &line) {
    char text[1024];
    const bool there = std::fgets(text, sizeof text, in_);
    line = there ? text : "";
    return there;
  }

  void cycle() {
    memory_.sample(top_);
    top_.clk = 1;
    top_.eval();
    if (Verilated::threadContextp()->gotFinish())
      throw std::runtime_error("a check in the RTL has failed");
    memory_.drive(top_);
    top_.clk = 0;
    top_.eval();
  }

  void reset() {
    top_.reset = 1;
    top_.io_fetch_cmd_valid = top_.io_data_cmd_valid =
        top_.io_invalidate_cmd_valid = 0;
    top_.io_fetch_ahead_valid = top_.io_data_ahead_valid = 1; // in every cycle
    open_memory(top_);
    for (int i = 0; i < 4; i++)
      cycle();
    top_.reset = 0;
    cycle();
  }

  void context() {
    std::array<uint64_t, kRegisters> words;
    for (uint64_t &word : words)
      word = number();
    put_context(top_, words);
    top_.eval();
    cycle();
  }

  void invalidate() {
    top_.io_invalidate_cmd_payload_kind = number();
    top_.io_invalidate_cmd_payload_lastLevelOnly = number();
    top_.io_invalidate_cmd_payload_operand = number();
    top_.io_invalidate_cmd_payload_ds = number();
    top_.io_invalidate_cmd_valid = 1;
    top_.eval();
    bool accepted = false;
    for (unsigned cycles = 1; cycles < kPatience; cycles++) {
      const bool fires = !accepted && top_.io_invalidate_cmd_ready;
      const bool done = top_.io_invalidate_done;
      cycle();
      if (fires) {
        accepted = true;
        top_.io_invalidate_cmd_valid = 0;
        top_.eval();
      }
      if (done) {
        std::fprintf(out_, "I %x\n", cycles);
        return;
      }
    }
    throw std::runtime_error("an invalidation does not end");
  }

  void settle() {
    for (unsigned cycles = 0; cycles < kPatience; cycles++) {
      if (top_.io_invalidate_cmd_ready)
        return;
      cycle();
    }
    throw std::runtime_error("a sweep does not end");
  }

  void access() {
    const bool fetch = number();
    auto &valid = fetch ? top_.io_fetch_cmd_valid : top_.io_data_cmd_valid;
    auto &ready = fetch ? top_.io_fetch_cmd_ready : top_.io_data_cmd_ready;
    const uint64_t kind = number(), el1 = number(), pan = number(),
                   mxr = number();
    const uint64_t untranslated = number(), va = number();
#define GRANULE_COMMAND(side)                                                  \
  top_.io_##side##_cmd_payload_access = kind;                                  \
  top_.io_##side##_cmd_payload_el1 = el1;                                      \
  top_.io_##side##_cmd_payload_pan = pan;                                      \
  top_.io_##side##_cmd_payload_untranslated = untranslated;                    \
  top_.io_##side##_cmd_payload_va = va;                                        \
  put_##side##_cmd_payload_mxr(top_, {mxr, 0}, 0);                             \
  put_##side##Machine(top_, {untranslated, 0}, 0)
    if (fetch) {
      GRANULE_COMMAND(fetch);
    } else {
      GRANULE_COMMAND(data);
    }
    uint64_t &ahead =
        fetch ? top_.io_fetch_ahead_payload : top_.io_data_ahead_payload;
    if (!announced_) {
      ahead = va;
      top_.eval();
      cycle();
    }
    announced_ = follows(fetch);
    if (announced_)
      ahead = next_va();
    valid = 1;
    top_.eval();
    for (unsigned cycles = 0; cycles < kPatience; cycles++) {
      const bool fires = ready;
      if (fires)
        report(fetch, cycles);
      cycle();
      if (fires) {
        valid = 0;
        if (!announced_)
          top_.eval();
        memory_.forget_access();
        return;
      }
      ahead = va; // it waits, and is announced again
      announced_ = false;
    }
    throw std::runtime_error("an access is not answered: " + line_);
  }

  // Every other access comes in the cycle after the last one, where the script
  // has them in a row at one port and the last one did not wait. All others are
  // announced one cycle before, when the port is idle.
  bool follows(bool fetch) {
    const bool same_port = next_[0] == 'A' && (next_[2] == '1') == fetch;
    return same_port && accesses_++ % 2;
  }

  uint64_t next_va() const {
    return std::strtoull(&next_[next_.rfind(' ')], nullptr, 16);
  }

  void report(bool fetch, unsigned cycles) {
#define GRANULE_ANSWER(name)                                                   \
  (fetch ? get(top_.io_fetch_rsp_##name) : get(top_.io_data_rsp_##name)).low
    std::fprintf(
        out_, "A %x %x %x %x %" PRIx64 " %x %x",
        unsigned(GRANULE_ANSWER(fault)), unsigned(GRANULE_ANSWER(status)),
        unsigned(GRANULE_ANSWER(wnr)), unsigned(GRANULE_ANSWER(dirty)),
        GRANULE_ANSWER(pa), unsigned(GRANULE_ANSWER(attributes_mair)), cycles);
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
    case 'R':
      context();
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
      throw std::runtime_error("unknown command: " + line_);
    }
  }
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SCRIPT ANSWERS\n", argv[0]);
    return 2;
  }
  try {
    auto bench = std::make_unique<Bench>(argv[1], argv[2]);
    bench->play();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "harness: %s\n", error.what());
    return 1;
  }
  return 0;
}
