# FPGA: area of single units, bitstreams of boards, programming.

UNIT ?= ## units of `make area`, as in UNIT="mmu:ulx3s cpu:ulx3s"; empty: all that are published
SEEDS ?= 1 2 3 ## seeds of `make area`

VARIABLES += UNIT SEEDS

.PHONY: area
area: setup ## LUTs, FFs, RAMs and Fmax of UNIT (all: two hours), table in docs/results.md
	@$(PY) tb/area/run.py --units "$(strip $(UNIT))" --seeds "$(strip $(SEEDS))"
