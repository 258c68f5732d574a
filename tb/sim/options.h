// Command line of the simulator.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "axi_memory.h"
#include "snapshot.h"

struct Options {
  // What the machine is besides its Verilog: a snapshot brings it along.
  void machine(Snapshot &s) { s(lowmem, highmem, memory, defect); }

  std::string elf;
  std::optional<std::string> append;
  std::string trace;        // FST file, empty: none
  std::string instructions; // retired instructions as text, empty: none
  std::string commits;      // the same as records, empty: none
  std::string profile;      // where the cycles went, as JSON, empty: none
  std::vector<std::string> milestones; // console texts, for the profile
  std::string signature;               // words as text, empty: none
  std::string until;         // console text that ends the run, empty: none
  std::string save, restore; // snapshots, empty: none
  std::string trace_mmu;     // JSON lines, empty: none
  uint64_t trace_start = 0, trace_cycles = UINT64_MAX;
  uint64_t max_cycles = UINT64_MAX;
  uint64_t lowmem = 16 << 20;
  uint64_t highmem = 16 << 20;
  std::string memory = kDefaultMemory;
  unsigned defect = 0; // of a simulator that has some; 0: none
  bool end_at_milestones = false;
  bool stats = false;
  bool quiet = false;
  bool help = false;
};

// Throws SimError on anything that it does not understand.
Options parse_options(int argc, char **argv);
std::string help_text(const std::string &program);
