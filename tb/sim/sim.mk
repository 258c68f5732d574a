# The whole-system simulator and the files that software and test bench include.

INCLUDES := build/include/.ready
.PHONY: includes
includes: $(INCLUDES) ## C headers, linker fragment and JSON of map, events and registers

$(INCLUDES): $(RTL_SOURCES) build.sc mill
	@echo "includes: writing headers (build/include)"
	@mkdir -p build/include
	@./mill --disable-ticker rtl.runMain granule.board.Includes $(CURDIR)/build/include \
	  > build/include/.log 2>&1 || { tail -n 40 build/include/.log >&2; exit 1; }
	@touch $@

# ---- simulator -----------------------------------------------------------------------------------
SIM_DIR := build/granule-sim.build
SIM_SOURCES := $(wildcard tb/sim/*.cpp tb/sim/*.h)
SIM_CPP := $(abspath $(filter %.cpp,$(SIM_SOURCES)))
# Only the ports are seen from outside, so that everything inside can be optimised.
SIM_VERILATOR := --cc --exe --build --top-module simsoc --prefix Vsimsoc \
  -O3 --x-assign fast --x-initial fast --no-assert --noassert --trace-fst \
  -Wno-fatal -Wno-lint -Wno-style --build-jobs 2 \
  -CFLAGS "-O3 -std=c++17 -I$(abspath build/include)" -MAKEFLAGS OPT_FAST=-O3 \
  -MAKEFLAGS OPT_SLOW=-O1 -MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include

.PHONY: sim
sim: build/granule-sim build/granule-sim-ulx3s ## the simulators: build/granule-sim (teaching) and -ulx3s

build/granule-sim: SIM_CONFIG := teaching
build/granule-sim-ulx3s: SIM_CONFIG := ulx3s
build/granule-sim build/granule-sim-ulx3s: $(SIM_SOURCES) tb/sim/sim.mk $(RTL_READY) $(INCLUDES)
	@echo "sim: building $@ (Verilator)"
	@mkdir -p $(SIM_DIR)/$(SIM_CONFIG)
	@PATH="$$($(VERILATOR_HOME))/bin:$$PATH" verilator $(SIM_VERILATOR) \
	  --Mdir $(SIM_DIR)/$(SIM_CONFIG) -o $(abspath $@) build/rtl/simsoc_$(SIM_CONFIG).v $(SIM_CPP) \
	  > $(SIM_DIR)/$(SIM_CONFIG).log 2>&1 || { tail -n 40 $(SIM_DIR)/$(SIM_CONFIG).log >&2; exit 1; }

VERILATOR_HOME = $(PY) -c 'import pathlib, verilator; print(pathlib.Path(verilator.__file__).parent)'
