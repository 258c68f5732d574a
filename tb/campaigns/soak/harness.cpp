// Plays a script on the Verilated MMU: of accesses (accesses.h), or with
// `agents` the programs of several agents (agents.h).
//
//   harness SCRIPT ANSWERS [agents] [+verilator+...]
//
// Ends with status 1 and a sentence when the MMU breaks a protocol or does not
// answer.
#include <memory>

#include "accesses.h"
#include "agents.h"

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s SCRIPT ANSWERS [agents] [+verilator+...]\n",
                 argv[0]);
    return 2;
  }
  Verilated::commandArgs(argc, argv);
  try {
    std::unique_ptr<Bench> bench;
    if (argc > 3 && std::string(argv[3]) == "agents")
      bench = std::make_unique<Agents>(argv[1], argv[2]);
    else
      bench = std::make_unique<Accesses>(argv[1], argv[2]);
    bench->play();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "harness: %s\n", error.what());
    return 1;
  }
  return 0;
}
