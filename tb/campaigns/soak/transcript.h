// What the ports of the MMU said, for tb/campaigns/twin: `+transcript+FILE`
// writes two digests after each block of commands, `+show+BLOCK` also what one
// block is made of.
//   B asked order timed   end of a block: accesses, AT and invalidations that
//                         were asked for in it; digests of all events up to
//                         here, and of these with their cycles
//   E cycle event
//   N cycle counters      an event that is only in the second digest
//   S cycle command       of the script, or delays of a run of agents
#pragma once

#include <cinttypes>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "ports.h"

class Transcript {
public:
  Transcript() {
    const std::string path = argument("transcript+"), block = argument("show+");
    if (!path.empty())
      out_ = std::fopen(path.c_str(), "w");
    if (!block.empty())
      shown_ = std::stoul(block);
  }
  ~Transcript() {
    if (!out_)
      return;
    end_block();
    std::fclose(out_);
  }
  Transcript(const Transcript &) = delete;
  Transcript &operator=(const Transcript &) = delete;

  void command(const std::string &text) {
    if (!out_)
      return;
    if (asked_ >= kBlock)
      end_block();
    show('S', text.c_str());
  }

  // The ports just before a rising edge.
  void sample(const Vmmu &top) {
    if (!out_)
      return;
    cycle_++;
    if (top.reset) {
      fetch_waits_ = data_waits_ = at_waits_ = sweep_waits_ = false;
      return say("reset");
    }
#define GRANULE_PORT(side)                                                     \
  if (begins(top.io_##side##_cmd_valid, top.io_##side##_cmd_ready,             \
             side##_waits_))                                                   \
    say(#side " asks for %, access % el1 % pan % untranslated %",              \
        top.io_##side##_cmd_payload_va, top.io_##side##_cmd_payload_access,    \
        top.io_##side##_cmd_payload_el1, top.io_##side##_cmd_payload_pan,      \
        top.io_##side##_cmd_payload_untranslated);                             \
  if (!top.io_##side##_cmd_valid || !top.io_##side##_cmd_ready)                \
    ;                                                                          \
  else if (top.io_##side##_rsp_fault)                                          \
    say(#side " faults: status % wnr % dirty %", top.io_##side##_rsp_status,   \
        top.io_##side##_rsp_wnr, top.io_##side##_rsp_dirty);                   \
  else                                                                         \
    say(#side " is at %, mair % cacheable % device %", top.io_##side##_rsp_pa, \
        top.io_##side##_rsp_attributes_mair,                                   \
        top.io_##side##_rsp_attributes_cacheable,                              \
        top.io_##side##_rsp_attributes_device)
    GRANULE_PORT(fetch);
    GRANULE_PORT(data);
    const bool at = GET(top, at_valid, 0).low, told = GET(top, at_ready, 0).low;
    if (begins(at, told, at_waits_))
      say("AT asks for %, write % el1 %", GET(top, at_payload_va, 0).low,
          GET(top, at_payload_write, 0).low, GET(top, at_payload_el1, 0).low);
    if (at && told)
      say("PAR is %:%", GET(top, par, 0).high, GET(top, par, 0).low);
    invalidations(top);
    walks(top);
    counters(top);
  }

private:
  static constexpr uint64_t kBlock = 1000; // commands
  std::FILE *out_ = nullptr;
  uint64_t shown_ = ~0ull, block_ = 0, asked_ = 0;
  uint64_t cycle_ = 0, order_ = 0, timed_ = 0;
  bool fetch_waits_ = false, data_waits_ = false, at_waits_ = false,
       sweep_waits_ = false;

  static std::string argument(const std::string &name) {
    const std::string found =
        Verilated::threadContextp()->commandArgsPlusMatch(name.c_str());
    return found.empty() ? "" : found.substr(1 + name.size());
  }

  static void mix(uint64_t &digest, uint64_t word) {
    digest = (digest ^ word) * 0x9e3779b97f4a7c15;
    digest ^= digest >> 32;
  }

  void end_block() {
    std::fprintf(out_, "B %" PRIu64 " %" PRIx64 " %" PRIx64 "\n", asked_,
                 order_, timed_);
    block_++;
    asked_ = 0;
  }

  // A command is offered for the first time.
  bool begins(bool valid, bool ready, bool &waits) {
    const bool first = valid && !waits;
    waits = valid && !ready;
    asked_ += first;
    return first;
  }

  // Each % of the text is a word.
  void show(char kind, const char *text,
            std::initializer_list<uint64_t> words = {}) {
    if (block_ != shown_)
      return;
    std::fprintf(out_, "%c %" PRIu64 " ", kind, cycle_);
    for (auto word = words.begin(); *text; text++)
      if (*text == '%')
        std::fprintf(out_, "%" PRIx64, *word++);
      else
        std::fputc(*text, out_);
    std::fputc('\n', out_);
  }

  template <class... Words> void say(const char *text, Words... words) {
    for (const char *letter = text; *letter; letter++)
      mix(order_, *letter);
    (mix(order_, words), ...);
    mix(timed_, order_ ^ cycle_);
    show('E', text, {uint64_t(words)...});
  }

  void invalidations(const Vmmu &top) {
    const bool valid = top.INVALIDATE(cmd_valid);
    const bool ready = top.INVALIDATE(cmd_ready);
    if (begins(valid, ready, sweep_waits_))
      say("invalidation: kind % last % operand % ds %",
          top.INVALIDATE(cmd_payload_kind),
          top.INVALIDATE(cmd_payload_lastLevelOnly),
          top.INVALIDATE(cmd_payload_operand), top.INVALIDATE(cmd_payload_ds));
    if (valid && ready)
      say("invalidation accepted");
    if (top.INVALIDATE(done))
      say("invalidation done");
  }

  void walks(const Vmmu &top) {
    if (top.io_walk_rsp_valid)
      say("memory: %, error % unsupported %",
          get(top.io_walk_rsp_payload_data).low, top.io_walk_rsp_payload_error,
          GET(top, walk_rsp_payload_unsupported, 0).low);
    if (!top.io_walk_cmd_valid || !top.io_walk_cmd_ready)
      return;
    const uint64_t size = GET(top, walk_cmd_payload_size, 1).low;
    const Wide expected = GET(top, walk_cmd_payload_expected, 0);
    const Wide desired = GET(top, walk_cmd_payload_desired, 0);
    say("walk at %, size % cacheable %", top.io_walk_cmd_payload_address, size,
        top.io_walk_cmd_payload_cacheable);
    if (GET(top, walk_cmd_payload_swap, 0).low)
      say("swap of %:% to %:%", size == 2 ? expected.high : 0, expected.low,
          size == 2 ? desired.high : 0, desired.low);
  }

  void counters(const Vmmu &top) {
    uint64_t counts = 0;
#define GRANULE_COUNTS(a, b, c, d)                                             \
  counts = counts << 4 | GET(top, events_##a, 0).low << 3 |                    \
           GET(top, events_##b, 0).low << 2 |                                  \
           GET(top, events_##c, 0).low << 1 | GET(top, events_##d, 0).low
    GRANULE_COUNTS(itlbAccess, itlbMiss, dtlbAccess, dtlbMiss);
    GRANULE_COUNTS(walk, walkCycle, walkRestart, walkSingle);
    GRANULE_COUNTS(walkRead_0, walkRead_1, walkRead_2, walkRead_3);
    GRANULE_COUNTS(cachedLast, cachedUpper, tlbiVa, tlbiAsid);
    GRANULE_COUNTS(tlbiRange, tlbiAll, tlbiCycle, none);
    if (!counts)
      return;
    mix(timed_, counts ^ cycle_);
    show('N', "counters %", {counts});
  }
};
