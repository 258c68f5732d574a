// granule-board-sim: the ULX3S top from the pins up: clock, serial line at its
// real divisor, switches, and a model of the SDRAM chip. Serial output goes to
// stdout, stdin goes to the board.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <termios.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "../../../sim/error.h"
#include "../../../sim/mmu_trace.h"
#include "../../../sim/uart.h"
#include "Vulx3s.h"
#include "Vulx3s___024root.h"
#include "sdram.h"

namespace {
volatile sig_atomic_t interrupted = 0;

struct Options {
  std::string sdram = "W9825G6JH6";
  std::string trace_mmu; // JSON lines, empty: none
  std::string store;     // raw image for the chip, from its address 0
  std::string mhz = std::to_string(BOARD_MHZ), baud = "115200", switches = "0",
              max_cycles = std::to_string(UINT64_MAX), trace_start = "0",
              trace_cycles = std::to_string(UINT64_MAX);
};

const struct {
  const char *name;
  std::string Options::*value;
  const char *help;
} kOptions[] = {
    {"--sdram", &Options::sdram, "chip that is modelled (W9825G6JH6)"},
    {"--store", &Options::store, "raw bytes that lie in the chip at first"},
    {"--mhz", &Options::mhz, "clock of the board (what it was built for)"},
    {"--baud", &Options::baud, "speed of the serial line (115200)"},
    {"--switches", &Options::switches, "positions of switches 1 and 2 (0)"},
    {"--max-cycles", &Options::max_cycles, "end after so many clocks"},
    {"--trace-mmu", &Options::trace_mmu,
     "what the MMU does, for make viewer TRACE=FILE"},
    {"--trace-start", &Options::trace_start, "first clock of the trace (0)"},
    {"--trace-cycles", &Options::trace_cycles,
     "end the trace after so many clocks"},
};

uint64_t number(const std::string &text) {
  return strtoull(text.c_str(), nullptr, 0);
}

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--help") {
      printf("usage: granule-board-sim [OPTION VALUE] ...\n");
      for (const auto &option : kOptions)
        printf("  %-14s %s\n", option.name, option.help);
      exit(0);
    }
    const auto *option =
        std::find_if(std::begin(kOptions), std::end(kOptions),
                     [&name](const auto &known) { return name == known.name; });
    if (option == std::end(kOptions))
      throw SimError(
          format("option %s does not exist; see --help", name.c_str()));
    if (i + 1 == argc)
      throw SimError(format("%s needs a value; see --help", name.c_str()));
    options.*option->value = argv[i + 1];
  }
  return options;
}

// As the divisor of the board's UART counts them.
unsigned cycles_per_bit(double megahertz, unsigned baud) {
  return unsigned(megahertz * 1e6 / baud + 0.5);
}

// The speed that stdin was set to, as a USB serial chip is told it; 0: none
// that the loader uses.
unsigned terminal_speed() {
  static const std::pair<speed_t, unsigned> kSpeeds[] = {{B115200, 115200},
                                                         {B1000000, 1000000},
                                                         {B2000000, 2000000},
                                                         {B3000000, 3000000}};
  termios settings;
  if (tcgetattr(STDIN_FILENO, &settings) == 0)
    for (const auto &[code, speed] : kSpeeds)
      if (cfgetospeed(&settings) == code)
        return speed;
  return 0;
}

class Board {
public:
  explicit Board(const Options &options)
      : megahertz_(atof(options.mhz.c_str())),
        sdram_(sdram_part(options.sdram), megahertz_),
        uart_(cycles_per_bit(megahertz_, unsigned(number(options.baud)))),
        terminal_speed_(terminal_speed()) {
    // The firmware's boot argument baud= changes the speed for both ends.
    uart_.on_line([this](const std::string &text) {
      const size_t at = text.rfind("console goes on at ");
      unsigned baud;
      if (at != std::string::npos &&
          sscanf(&text[at], "console goes on at %u baud", &baud) == 1)
        uart_.set_speed(cycles_per_bit(megahertz_, baud));
    });
    if (!options.store.empty())
      store(options.store);
    if (!options.trace_mmu.empty())
      open_mmu_trace(options);
    top_.btn = 1; // PWR is high when it is not pressed
    top_.sw = number(options.switches);
    top_.ftdi_txd = 1;
    top_.clk_25mhz = 0;
    top_.eval();
  }
  ~Board() {
    uart_.flush();
    top_.final();
  }

  // The pins settle while the clock is low; chip and line look at them; then
  // comes the edge, and after it what both answer.
  void cycle() {
    top_.clk_25mhz = 0;
    top_.eval();
    if (top_.sdram_clk)
      throw SimError("the SDRAM's clock does not follow the system's");
    if (mmu_trace_.active(cycles_))
      trace_mmu();
    const bool rxd = uart_.step(top_.ftdi_rxd, false);
    sdram_.clock({bool(top_.sdram_cke), bool(top_.sdram_csn),
                  bool(top_.sdram_rasn), bool(top_.sdram_casn),
                  bool(top_.sdram_wen), top_.sdram_ba, top_.sdram_a,
                  top_.sdram_dqm, top_.sdram_d__out, top_.sdram_d__en});
    top_.clk_25mhz = 1;
    top_.eval();
    if (!top_.sdram_clk)
      throw SimError("the SDRAM's clock does not follow the system's");
    if (!top_.wifi_gpio0)
      throw SimError("wifi_gpio0 is low: the ESP32 would reset the FPGA");
    top_.ftdi_txd = rxd;
    top_.sdram_d = sdram_.drives() ? sdram_.data() : 0;
    cycles_++;
  }

  // An upload sets the speed of its end; the simulated end has the same.
  void follow_terminal() {
    const unsigned speed = terminal_speed();
    if (speed && speed != terminal_speed_)
      uart_.set_speed(cycles_per_bit(megahertz_, speed));
    terminal_speed_ = speed;
  }

  uint64_t cycles() const { return cycles_; }
  const Sdram &sdram() const { return sdram_; }

private:
  void store(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
      throw SimError(format("%s: cannot be opened", path.c_str()));
    const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
    sdram_.store(0, bytes.data(), bytes.size());
  }

// The mapped netlist has no names that could be shown.
#if __has_include("probes.inc")
  void open_mmu_trace(const Options &options) {
    static const char reading[] =
#include "reading.inc"
        ;
    mmu_trace_.open(options.trace_mmu, "the board ULX3S",
                    Frames::names(*top_.rootp), reading,
                    number(options.trace_start), number(options.trace_cycles));
  }
  void trace_mmu() {
    frames_.clear();
    frames_.capture(*top_.rootp);
    mmu_trace_.write(cycles_, frames_);
  }
#else
  void open_mmu_trace(const Options &) {
    throw SimError("--trace-mmu needs granule-board-sim: a netlist has no "
                   "signals of the RTL");
  }
  void trace_mmu() {}
#endif

  const double megahertz_;
  MmuTrace mmu_trace_;
  Frames frames_;
  VerilatedContext context_;
  Vulx3s top_{&context_};
  Sdram sdram_;
  Uart uart_;
  unsigned terminal_speed_;
  uint64_t cycles_ = 0;
};
} // namespace

int main(int argc, char **argv) {
  try {
    const Options options = parse(argc, argv);
    for (int signal : {SIGINT, SIGTERM})
      std::signal(signal, [](int number) { interrupted = number; });
    Board board(options);
    const uint64_t end = number(options.max_cycles);
    const auto start = std::chrono::steady_clock::now();
    while (!interrupted && board.cycles() < end) {
      board.follow_terminal();
      for (unsigned n = 0; n < 1000; n++)
        board.cycle();
    }
    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    const Sdram &sdram = board.sdram();
    fprintf(stderr,
            "granule-board-sim: %llu cycles in %.1f s, %.0f cycles/s; SDRAM: "
            "%llu reads, %llu writes, %llu activates, %llu refreshes\n",
            (unsigned long long)board.cycles(), seconds.count(),
            board.cycles() / seconds.count(), (unsigned long long)sdram.reads,
            (unsigned long long)sdram.writes,
            (unsigned long long)sdram.activates,
            (unsigned long long)sdram.refreshes);
    return 0;
  } catch (const SimError &error) {
    fprintf(stderr, "granule-board-sim: %s\n", error.what());
    return kExitError;
  }
}
