# FPGA: area of single units, bitstreams of boards, programming them.

UNIT ?= ## units of `make area`, as in UNIT="mmu:ulx3s cpu:ulx3s"; empty: all that are published
SEEDS ?= 1 2 3 ## seeds of `make area`
BOARD ?= ulx3s ## board of `make fpga`, a folder in fpga/
SDRAM ?= any ## memory chip of the board: any MT48LC16M16A2 AS4C32M16SB W9825G6JH6
include sw/loader/loader.mk
-include fpga/$(strip $(BOARD))/board.mk
BOARDCONFIG ?= $(BOARDCONFIG_$(strip $(SIZE))) ## configuration of the board; empty: as SIZE has it
MHZ ?= $(MHZ_$(strip $(SIZE))) ## clock of the board's system; empty: what SIZE meets
PNR_SEED ?= $(or $(PNR_SEED_$(strip $(SIZE))),1) ## seed of `make fpga`
VARIABLES += UNIT SEEDS BOARD SIZE BOARDCONFIG MHZ PNR_SEED SDRAM

.PHONY: area
area: setup ## [measure, 2 h] LUTs, FFs, RAMs and Fmax of UNIT, table in docs/results.md
	@$(PY) tb/tools/run.py area --units "$(strip $(UNIT))" --seeds "$(strip $(SEEDS))"

BITSTREAM = build/fpga/$(strip $(BOARD))-$(strip $(SIZE))/$(BITSTREAM_FILE)
FPGA_BUILD = make fpga BOARD=$(strip $(BOARD)) SIZE=$(strip $(SIZE))
# First of what `make fpga` needs: a wrong name is said before anything is built.
.PHONY: fpga fpga-names
fpga-names:
	@$(if $(filter command,$(firstword $(origin SEED))),$(error SEED=$(SEED) is where random runs \
	  begin; the seed of place and route is PNR_SEED=$(SEED)))
	@test -f fpga/$(strip $(BOARD))/board.mk || { echo "fpga: no board '$(strip $(BOARD))';" \
	  "there are: $(patsubst fpga/%/board.mk,%,$(wildcard fpga/*/board.mk))" >&2; exit 1; }
	@test -n "$(DEVICE_$(strip $(SIZE)))" || { echo \
	  "fpga: $(strip $(BOARD)) has no size '$(strip $(SIZE))'; it has $(SIZES)" >&2; exit 1; }

fpga: ## [build, 10 min] bitstream for BOARD and SIZE; fails when timing is not met
fpga: fpga-names setup build/sw/loader.bin
	@$(PY) tb/tools/run.py bitstream --board $(BOARD) --size $(SIZE) --config $(BOARDCONFIG) \
	  --mhz $(MHZ) \
	  --sdram $(SDRAM) --seed $(PNR_SEED) --device $(DEVICE_$(strip $(SIZE))) --package "$(PACKAGE)" \
	  --speed "$(SPEED)" --family $(FAMILY) --idcode "$(IDCODE_$(strip $(SIZE)))" \
	  --image build/sw/loader.bin

.PHONY: prog flash
prog: ## load the bitstream of BOARD and SIZE into the FPGA (gone with the power)
	@$(PY) tb/tools/run.py program --bitstream $(BITSTREAM) --with "$(PROG)" --build "$(FPGA_BUILD)"

flash: ## [build, a minute] write the bitstream of BOARD and SIZE into the board's flash
	@$(PY) tb/tools/run.py program --bitstream $(BITSTREAM) --with "$(FLASH)" --build "$(FPGA_BUILD)"

PORT ?= /dev/ttyUSB0 ## serial device of the board, for make upload
BAUD ?= 115200 ## speed of an upload to a board; 3000000 where its clock is 60 MHz
IMAGE ?= build/sw/granule.elf ## program of an upload to a board, as build/linux/boot.elf
VARIABLES += PORT BAUD IMAGE
.PHONY: upload
upload: ## [build, a minute] send IMAGE to a board's loader, with BOOT; then its console
upload: setup $(IMAGE)
	@$(PY) tb/tools/run.py upload --port $(PORT) --baud $(BAUD) --append "$(strip $(BOOT))" \
	  $(IMAGE)

# ---- simulation of a board from its pins up ------------------------------------------------------
include tb/sim/clock.mk
BOARD_SIM := tb/tools/board/sim
BOARD_SIM_SOURCES := $(wildcard $(addprefix $(BOARD_SIM)/,*.cpp *.h *.v ecp5/*.v))
BOARD_SIM_CPP := $(abspath $(filter %.cpp,$(BOARD_SIM_SOURCES)) tb/sim/uart.cpp tb/sim/error.cpp \
  tb/sim/mmu_trace.cpp)
BOARD_SIM_FLAGS := --cc --exe --build --top-module ulx3s --prefix Vulx3s -O3 --x-assign fast \
  --x-initial fast --no-assert --pins-inout-enables -Wno-fatal -Wno-lint -Wno-style \
  -CFLAGS "-O3 -std=c++17 -DBOARD_MHZ=$(SIM_MHZ)" -MAKEFLAGS OPT_FAST=-O3 -MAKEFLAGS OPT_SLOW=-O1 \
  -MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include

# What is simulated of a board is its largest size.
LARGEST := $(lastword $(SIZES))
build/fpga/sim/$(strip $(BOARD)).v: $(RTL_READY) build/sw/loader.bin fpga/$(strip $(BOARD))/board.mk
	@echo "board-sim: generating the board's Verilog"
	@mkdir -p build/fpga/sim
	@./mill --disable-ticker rtl.runMain granule.gen.BoardTops $(CURDIR)/build/fpga/sim $(BOARD) \
	  $(BOARDCONFIG_$(LARGEST)) $(MHZ_$(LARGEST)) any $(CURDIR)/build/sw/loader.bin \
	  > build/fpga/sim/generate.log 2>&1 || \
	  { grep -v '^.at ' build/fpga/sim/generate.log | tail -n 20 >&2; exit 1; }

build/granule-board-sim: build/fpga/sim/ulx3s.v $(BOARD_SIM_SOURCES) \
    tb/sim/mmu_trace.cpp tb/sim/mmu_trace.h tb/sim/frames.h $(MMU_SIGNALS)
	@echo "board-sim: building $@ (Verilator, two minutes)"
	@cd build/fpga/sim && $(abspath $(PY) tb/tools/run.py) web signals board ulx3s.v
	@cd build/fpga/sim && PATH="$$($(abspath $(PY)) -c 'import pathlib, verilator; \
	  print(pathlib.Path(verilator.__file__).parent)')/bin:$$PATH" verilator $(BOARD_SIM_FLAGS) \
	  --flatten -CFLAGS -I.. --Mdir obj -o $(abspath $@) \
	  signals.vlt ulx3s.v $(abspath $(BOARD_SIM)/ecp5/pads.v) $(BOARD_SIM_CPP) \
	  > verilator.log 2>&1 || { tail -n 30 verilator.log >&2; exit 1; }

# ---- simulation of the mapped netlist ------------------------------------------------------------
NETLIST := build/fpga/netlist/$(strip $(BOARD))
CELLS := $(BOARD_SIM)/$(FAMILY)
CELL_MODELS := $(BOARD_SIM)/cells.v $(CELLS)/cells.v $(CELLS)/pads.v
VERILATOR_PATH = PATH="$$($(abspath $(PY)) -c 'import pathlib, verilator; \
  print(pathlib.Path(verilator.__file__).parent)')/bin:$$PATH"
$(NETLIST)/netlist.v: build/fpga/sim/$(strip $(BOARD)).v tb/tools/board/netlist.py $(CELLS)/gates.v
	@echo "netlist: $(FAMILY) cells of the board (Yosys, two minutes)"
	@$(PY) tb/tools/run.py netlist --family $(FAMILY) --top $(BOARD) --verilog $< --work $(@D)

build/granule-netlist-sim: $(NETLIST)/netlist.v $(BOARD_SIM_SOURCES)
	@echo "netlist: building $@ (Verilator, three minutes)"
	@cd $(NETLIST) && $(VERILATOR_PATH) verilator \
	  $(patsubst OPT_SLOW=%,OPT_SLOW=-O0,$(subst O3,O2,$(BOARD_SIM_FLAGS))) --build-jobs 2 \
	  --Mdir obj -o $(abspath $@) netlist.v \
	  $(abspath $(CELL_MODELS)) $(BOARD_SIM_CPP) \
	  > verilator.log 2>&1 || { tail -n 30 verilator.log >&2; exit 1; }

# A board whose outputs are compared cycle by cycle with those of its RTL.
PINS_FLAGS = $(patsubst OPT_SLOW=%,OPT_SLOW=-O0,$(subst O3,O2,$(filter-out --pins-inout-enables, \
  $(subst MHZ=$(SIM_MHZ),MHZ=$(MHZ_$(LARGEST)),\
  $(subst ulx3s,$(strip $(BOARD)),$(BOARD_SIM_FLAGS))))))
build/granule-netlist-pins: $(NETLIST)/netlist.v $(CELL_MODELS) $(wildcard $(CELLS)/*)
	@echo "netlist: building $@ (Verilator, three minutes)"
	@cd $(NETLIST) && $(VERILATOR_PATH) verilator $(PINS_FLAGS) --Mdir obj -o $(abspath $@) \
	  netlist.v $(abspath $(CELL_MODELS) $(CELLS)/pins.cpp) \
	  > verilator.log 2>&1 || { tail -n 30 verilator.log >&2; exit 1; }
build/granule-rtl-pins: build/fpga/sim/$(strip $(BOARD)).v $(CELLS)/pads.v $(CELLS)/pins.cpp
	@echo "netlist: building $@ (Verilator, two minutes)"
	@cd build/fpga/sim && $(VERILATOR_PATH) verilator $(PINS_FLAGS) --Mdir obj-pins \
	  -o $(abspath $@) $(strip $(BOARD)).v $(abspath $(CELLS)/pads.v $(CELLS)/pins.cpp) \
	  > pins.log 2>&1 || { tail -n 30 pins.log >&2; exit 1; }

.PHONY: board-sim board-test netlist-test
netlist-test: ## mapped cells of BOARD: they boot and test themselves, or do what the RTL does
netlist-test: fpga-names setup $(NETLIST_NEEDS)
	@$(PY) -m pytest -q -m slow $(NETLIST_TEST)

board-sim: setup build/granule-board-sim ## simulated board whose serial line is a device for PORT
	@$(PY) tb/tools/run.py board-sim

board-test: ## board from its pins up: uploads, driver, run=all (5 min; built first in 7)
board-test: setup sim firmware $(DRIVER) build/granule-board-sim
	@$(PY) -m pytest -q -m slow tb/tools/board/test_board.py tb/tools/board/test_firmware.py
