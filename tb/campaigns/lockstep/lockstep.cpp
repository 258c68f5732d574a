// Compares the core with Spike, instruction by instruction: reads the commits
// of granule-sim from a file or pipe, and stops at the first difference.
//
//   lockstep PROGRAM.elf COMMITS INSTRUCTIONS LOWMEM HIGHMEM PMP [APPEND]
//
// After each instruction: pc, privilege, all registers; after each trap: cause,
// epc and tval of the mode that takes it. At the end: every byte of memory.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

#include "error.h"
#include "granule_map.h"
#include "memory.h"
#include "program.h"
#include "reference.h"

namespace {
constexpr unsigned kShown = 12; // commits before a difference
constexpr unsigned kQuiet = 8; // instructions after a store, until both have it

std::string text(const Commit &c) {
  std::string line =
      format("%08x %08x %c", c.pc, c.word, "US?M"[c.privilege & 3]);
  if (c.kind == Commit::trap)
    line += format(" trap %x tval %08x", c.cause, c.value);
  else if (c.rd)
    line += format(" x%u=%08x", c.rd, c.value);
  return line;
}

void apply_store(const Commit &c, Memory &memory) {
  const uint64_t address = uint64_t(c.high) << 32 | c.pc;
  const uint64_t base = address & ~uint64_t(3);
  if (!memory.contains(base, 4))
    return; // of a device
  for (unsigned lane = 0; lane < 4; lane++)
    if (c.mask >> lane & 1)
      memory.write(base + lane, reinterpret_cast<const char *>(&c.word) + lane,
                   1);
}

uint64_t compare_memory(Memory &core, Memory &spike, uint64_t base,
                        uint64_t size) {
  uint64_t differ = 0;
  for (uint64_t a = base; a < base + size; a += 4)
    if (*core.word(a) != *spike.word(a) && differ++ < kShown)
      printf("memory %09llx: %08x, Spike %08x\n", (unsigned long long)a,
             *core.word(a), *spike.word(a));
  return differ;
}

int run(int argc, char **argv) {
  if (argc < 7)
    throw SimError(
        "usage: lockstep PROGRAM.elf COMMITS INSTRUCTIONS LOWMEM HIGHMEM "
        "PMP [APPEND]");
  const uint64_t wanted = strtoull(argv[3], nullptr, 0);
  const uint64_t lowmem = strtoull(argv[4], nullptr, 0);
  const uint64_t highmem = strtoull(argv[5], nullptr, 0);
  Memory core(lowmem, highmem), spike(lowmem, highmem);
  for (Memory *memory : {&core, &spike}) {
    const Program program(argv[1], *memory);
    if (argc > 7)
      program.append(argv[7], *memory);
  }
  Reference reference(spike, GRANULE_RESET_PC, strtoul(argv[6], nullptr, 0));
  FILE *commits = fopen(argv[2], "rb");
  if (!commits)
    throw SimError(format("%s cannot be read: %s", argv[2], strerror(errno)));

  uint64_t instructions = 0, traps = 0, interrupts = 0, stores = 0;
  uint64_t translated = 0, quiet = 0;
  std::deque<Commit> before;
  std::string difference;
  Commit c;
  while (difference.empty() && (instructions < wanted || quiet < kQuiet) &&
         fread(&c, sizeof c, 1, commits) == 1) {
    if (c.kind == Commit::store) {
      apply_store(c, core);
      stores++;
      quiet = 0;
      continue;
    }
    quiet++;
    before.push_back(c);
    if (before.size() > kShown)
      before.pop_front();
    difference = reference.step(c);
    instructions += c.kind == Commit::instruction;
    traps += c.kind == Commit::trap;
    interrupts += c.kind == Commit::trap && c.cause >> 31;
    translated += c.privilege != 3 && reference.translates();
  }
  fclose(commits);
  uint64_t differ = !difference.empty();
  if (differ) {
    for (const Commit &commit : before)
      puts(text(commit).c_str());
    printf("difference after %llu instructions: Spike has %s\n",
           (unsigned long long)instructions, difference.c_str());
  } else {
    differ = compare_memory(core, spike, GRANULE_LOWMEM_BASE, lowmem) +
             compare_memory(core, spike, GRANULE_HIGHMEM_BASE, highmem);
  }
  printf("{\"instructions\": %llu, \"under_sv32\": %llu, \"traps\": %llu, "
         "\"interrupts\": %llu, \"stores\": %llu, \"differences\": %llu}\n",
         (unsigned long long)instructions, (unsigned long long)translated,
         (unsigned long long)traps, (unsigned long long)interrupts,
         (unsigned long long)stores, (unsigned long long)differ);
  return differ != 0;
}
} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    fprintf(stderr, "lockstep: %s\n", error.what());
    return 125;
  }
}
