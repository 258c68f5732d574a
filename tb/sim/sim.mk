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
SIM_SOURCES := $(wildcard tb/sim/*.cpp tb/sim/*.h tb/soc/programs/*) tb/sim/build.sh tb/sim/sim.mk \
               fpga/ulx3s/board.mk
.PHONY: sim sim-trace
sim: build/granule-sim build/granule-sim-ulx3s ## the simulators: build/granule-sim (teaching) and -ulx3s
sim-trace: build/granule-sim-trace build/granule-sim-ulx3s-trace ## their twins for --trace FILE.fst

# build_simulator CONFIG KIND
define build_simulator
	@echo "sim: building $@"
	@mkdir -p build/granule-sim.build
	@BOARD_MHZ=$(SIM_MHZ) bash tb/sim/build.sh $(1) $@ $(2) > build/granule-sim.build/$(1)-$(2).log 2>&1 || \
	  { tail -n 40 build/granule-sim.build/$(1)-$(2).log >&2; exit 1; }
endef

build/granule-sim: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,teaching,plain)
build/granule-sim-ulx3s: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,ulx3s,plain)
build/granule-sim-wide: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,wide,quick)
build/granule-sim-trace: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,teaching,trace)
build/granule-sim-ulx3s-trace: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,ulx3s,trace)
