// Plays litmus shapes on the Verilated MMU, with every combination of delays.
//
//   litmus SCRIPT ENDS
//
// The script has one command a line, numbers in hexadecimal
// (tb/campaigns/litmus/script.py writes it):
//   R 13 words                    registers, in the order of `put_context`; the
//                                 first of them count at the beginning of a run
//   M address value               a cell, and what it holds at first
//   W fetch kind va               an access that makes the TLB warm
//   V kind operand                the invalidation that makes the TLB cold
//   N count                       registers that agents have
//   B                             an agent begins; then its steps:
//     s address value             store          l address reg    load
//     x address value reg         swap           c address        clear bit 0
//     a address value             wait until memory holds it
//     d                           barrier        i kind last operand
//     t fetch kind va reg value   translated access
//     r number                    other registers, of those given with R
//     e address on                bus errors of a word begin or end
//     h cycles                    memory takes and answers nothing so long
//     z                           reset of the MMU; accesses are asked again
//   E lo hi step (nine times)     play every combination of delays
//   H count seed, lo hi (nine)    play random ones
// For each end of a shape it writes "count delays... = registers... /
// cells...", the delays of the first run that came to it. What the RTL's checks
// say goes to the standard output; the runs go on. Ends with status 1 and a
// sentence when the MMU breaks a protocol or does not answer.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "bench.h"

namespace {
const unsigned kPatience = 4000; // cycles without an end that are too many
const unsigned kTail = 16;       // after the end, for what may still be stored
const uint64_t kNothing = ~0ull;

class Player : Bench {
public:
  Player(const char *script, const char *ends)
      : in_(std::fopen(script, "r")), out_(std::fopen(ends, "w")) {
    if (!in_ || !out_)
      throw std::runtime_error("script or ends cannot be opened");
  }
  ~Player() {
    std::fclose(in_);
    std::fclose(out_);
  }

  void play() {
    char line[1024];
    while (std::fgets(line, sizeof line, in_)) {
      at_ = line + 1;
      command(line[0]);
    }
  }

private:
  std::FILE *in_, *out_;
  char *at_ = nullptr;
  std::unordered_map<uint64_t, uint64_t> initial_;
  std::vector<uint64_t> cells_;
  std::vector<Step> warm_;
  uint64_t cold_[2] = {}; // kind and operand
  std::map<std::string, std::pair<uint64_t, Delays>> ends_;

  uint64_t number() { return std::strtoull(at_, &at_, 16); }

  // `last`: tables stay.
  void invalidate(bool last) {
    offer(last ? 2 : cold_[0], last, cold_[1]);
    bool accepted = false, done = false;
    for (unsigned cycles = 0; cycles < kPatience; cycles++) {
      top_.eval();
      if (accepted && done && top_.io_invalidate_cmd_ready)
        return;
      const bool fires = !accepted && top_.io_invalidate_cmd_ready;
      done |= accepted && top_.io_invalidate_done;
      cycle();
      if (fires) {
        accepted = true;
        top_.io_invalidate_cmd_valid = 0;
      }
    }
    throw std::runtime_error("an invalidation does not end");
  }

  void warm(const Step &step) {
    announce(step);
    cycle();
    ask(step);
    for (unsigned cycles = 0; cycles < kPatience; cycles++) {
      top_.eval();
      const bool fires = ready(step.word[0]);
      cycle();
      if (fires) {
        valid(step.word[0]) = 0;
        return;
      }
    }
    throw std::runtime_error("an access is not answered");
  }

  void prepare() {
    put_context(top_, contexts_[0]);
    memory_.words = initial_;
    memory_.errors.clear();
    memory_.stalled = 0;
    memory_.read[0] = memory_.read[1] = memory_.swap = 1;
    memory_.hold = memory_.late = 0;
    invalidate(false);
    if (delays_[kWarm])
      for (const Step &step : warm_)
        warm(step);
    if (delays_[kWarm] == 2)
      invalidate(true);
    memory_.words = initial_;
    memory_.read[0] = delays_[kRead];
    memory_.read[1] = delays_[kRead2];
    memory_.swap = delays_[kSwap];
    memory_.hold = delays_[kHold];
    memory_.late = delays_[kLate];
    memory_.forget_reads();
    const int lead[] = {0, delays_[kLead], delays_[kLead3]};
    int first = 0;
    for (std::size_t i = 0; i < agents_.size(); i++)
      first = lead[i] < first ? lead[i] : first;
    for (std::size_t i = 0; i < agents_.size(); i++) {
      const std::vector<Step> program = std::move(agents_[i].program);
      agents_[i] = Agent{program};
      agents_[i].wait = lead[i] - first;
    }
    regs_.assign(regs_.size(), kNothing);
  }

  void run(const Delays &delays) {
    delays_ = delays;
    prepare();
    unsigned tail = kTail + delays[kSwap] + delays[kHold];
    for (unsigned cycles = 0; tail; cycles++) {
      if (cycles > kPatience)
        throw std::runtime_error("a run does not end");
      step();
      bool ended = true;
      for (const Agent &agent : agents_)
        ended = ended && agent.ended();
      if (ended)
        tail--;
    }
    std::string end;
    char text[32];
    for (uint64_t value : regs_) {
      std::snprintf(text, sizeof text, " %" PRIx64, value);
      end += text;
    }
    end += " /";
    for (uint64_t address : cells_) {
      std::snprintf(text, sizeof text, " %" PRIx64, memory_.word(address));
      end += text;
    }
    auto &entry = ends_.emplace(end, std::make_pair(0, delays)).first->second;
    entry.first++;
  }

  void report() {
    for (const auto &[end, how] : ends_) {
      std::fprintf(out_, "%" PRIu64, how.first);
      for (int delay : how.second)
        std::fprintf(out_, " %d", delay);
      std::fprintf(out_, " =%s\n", end.c_str());
    }
    ends_.clear();
  }

  static int whole(char *&at) { return std::strtol(at, &at, 10); }

  void exhaust() {
    std::array<std::array<int, 3>, kDelays> range;
    Delays now;
    for (int i = 0; i < kDelays; i++) {
      for (int &part : range[i])
        part = whole(at_);
      now[i] = range[i][0];
    }
    for (int i = 0; i < kDelays;) {
      run(now);
      for (i = 0; i < kDelays && (now[i] += range[i][2]) > range[i][1]; i++)
        now[i] = range[i][0];
    }
    report();
  }

  void random() {
    const int count = whole(at_);
    uint64_t seed = whole(at_) * 2 + 1;
    std::array<std::array<int, 2>, kDelays> range;
    for (auto &limits : range)
      for (int &part : limits)
        part = whole(at_);
    for (int n = 0; n < count; n++) {
      Delays now;
      for (int i = 0; i < kDelays; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        now[i] = range[i][0] + int(seed % (range[i][1] - range[i][0] + 1));
      }
      run(now);
    }
    report();
  }

  Step read_step(char name) {
    Step step{name, {}};
    for (uint64_t &word : step.word)
      word = number();
    return step;
  }

  void command(char name) {
    switch (name) {
    case 'R':
      contexts_.emplace_back();
      for (uint64_t &word : contexts_.back())
        word = number();
      break;
    case 'M':
      cells_.push_back(number());
      initial_[cells_.back()] = number();
      break;
    case 'W':
      warm_.push_back(read_step('t'));
      break;
    case 'V':
      cold_[0] = number();
      cold_[1] = number();
      break;
    case 'N':
      regs_.resize(number());
      break;
    case 'B':
      agents_.emplace_back();
      break;
    case 'E':
      exhaust();
      break;
    case 'H':
      random();
      break;
    default:
      agents_.back().program.push_back(read_step(name));
    }
  }
};
} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s SCRIPT ENDS [+verilator+...]\n", argv[0]);
    return 2;
  }
  Verilated::commandArgs(argc, argv);
  try {
    auto player = std::make_unique<Player>(argv[1], argv[2]);
    player->play();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "litmus: %s\n", error.what());
    return 1;
  }
  return 0;
}
