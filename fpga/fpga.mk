# FPGA: area of single units, bitstreams of boards, programming them.

UNIT ?= ## units of `make area`, as in UNIT="mmu:ulx3s cpu:ulx3s"; empty: all that are published
SEEDS ?= 1 2 3 ## seeds of `make area`
BOARD ?= ulx3s ## board of `make fpga`, a folder in fpga/
SEED ?= 1 ## seed of `make fpga`
SDRAM ?= any ## memory chip of the board: any MT48LC16M16A2 AS4C32M16SB W9825G6JH6
-include sw/loader/loader.mk
-include fpga/$(strip $(BOARD))/board.mk
VARIABLES += UNIT SEEDS BOARD SIZE SEED SDRAM

.PHONY: area
area: setup ## LUTs, FFs, RAMs and Fmax of UNIT (all: two hours), table in docs/results.md
	@$(PY) tb/area/run.py --units "$(strip $(UNIT))" --seeds "$(strip $(SEEDS))"

BITSTREAM = build/fpga/$(strip $(BOARD))-$(strip $(SIZE))/granule.bit
FPGA_BUILD = make fpga BOARD=$(strip $(BOARD)) SIZE=$(strip $(SIZE))
.PHONY: fpga
fpga: setup build/sw/loader.bin ## bitstream for BOARD and SIZE; fails when timing is not met
	@test -d fpga/$(strip $(BOARD)) || { echo "fpga: no board '$(strip $(BOARD))'; there are: $(patsubst \
	  fpga/%/board.mk,%,$(wildcard fpga/*/board.mk))" >&2; exit 1; }
	@test -n "$(DEVICE_$(strip $(SIZE)))" || { echo \
	  "fpga: $(strip $(BOARD)) has no size '$(strip $(SIZE))'; it has $(SIZES)" >&2; exit 1; }
	@$(PY) tb/board/bitstream.py --board $(BOARD) --size $(SIZE) --config $(BOARDCONFIG) --mhz $(MHZ) \
	  --sdram $(SDRAM) --seed $(SEED) --device $(DEVICE_$(strip $(SIZE))) --package $(PACKAGE) \
	  --speed $(SPEED) --idcode "$(IDCODE_$(strip $(SIZE)))" --image build/sw/loader.bin

.PHONY: prog flash
prog: ## load the bitstream of BOARD and SIZE into the FPGA (gone with the power)
	@$(PY) tb/board/program.py --bitstream $(BITSTREAM) --with "$(PROG)" --build "$(FPGA_BUILD)"

flash: ## write the bitstream of BOARD and SIZE into the board's flash
	@$(PY) tb/board/program.py --bitstream $(BITSTREAM) --with "$(FLASH)" --build "$(FPGA_BUILD)"
