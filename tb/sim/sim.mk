# The whole-system simulator and the files that software and test bench include.

INCLUDES := build/include/.ready
.PHONY: includes
includes: $(INCLUDES) ## C headers, linker fragment and JSON of map, events and registers

$(INCLUDES): $(RTL_SOURCES) build.sc mill | $(VENV)
	@echo "includes: writing headers (build/include)"
	@mkdir -p build/include
	@./mill --disable-ticker rtl.runMain granule.gen.Includes $(CURDIR)/build/include \
	  > build/include/.log 2>&1 || { tail -n 40 build/include/.log >&2; exit 1; }
	@touch $@

# ---- simulator -----------------------------------------------------------------------------------
TRAINING := training.c tables.c tables.h soc.h start.S program.ld
SIM_SOURCES := $(wildcard tb/sim/*.cpp tb/sim/*.h) $(TRAINING:%=tb/sim/programs/%) \
               tb/sim/build.sh tb/sim/sim.mk fpga/ulx3s/board.mk
# What a trace of the MMU has in it (tb/tools/web).
MMU_SIGNALS := $(addprefix tb/tools/web/,signals.py around.py)
.PHONY: sim sim-trace
sim: ## the simulators: build/granule-sim (teaching) and -ulx3s
sim: build/granule-sim build/granule-sim-ulx3s
sim-trace: build/granule-sim-trace build/granule-sim-ulx3s-trace ## their twins for --trace FILE.fst

# build_simulator CONFIG KIND
define build_simulator
	@echo "sim: building $@"
	@mkdir -p build/granule-sim.build
	@BOARD_MHZ=$(SIM_MHZ) bash tb/sim/build.sh $(1) $@ $(2) \
	  > build/granule-sim.build/$(1)-$(2).log 2>&1 || \
	  { tail -n 40 build/granule-sim.build/$(1)-$(2).log >&2; exit 1; }
endef

build/granule-sim: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,teaching,plain)
build/granule-sim-ulx3s: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,ulx3s,plain)
# For programs that end soon, as is the next one.
build/granule-sim-dma: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,teaching_dma,quick)
build/granule-sim-wide: $(SIM_SOURCES) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,wide,quick)
build/granule-sim-trace: $(SIM_SOURCES) $(MMU_SIGNALS) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,teaching,trace)
build/granule-sim-ulx3s-trace: $(SIM_SOURCES) $(MMU_SIGNALS) $(RTL_READY) $(INCLUDES)
	$(call build_simulator,ulx3s,trace)

# ---- with the checks of the RTL, for long campaigns ---------------------------------------------
CHECKED := $(addprefix build/granule-sim-,$(addsuffix -checked,teaching ulx3s))
.PHONY: sim-checked
sim-checked: $(CHECKED) ## build/granule-sim-teaching-checked and -ulx3s-checked
$(CHECKED): build/granule-sim-%-checked: $(SIM_SOURCES) $(RTL_SOURCES) $(INCLUDES)
	@$(MAKE) -s verilog UNITS=simsoc_checked:$*
	$(call build_simulator,$*,checked)

# ---- machines of the experiments on caches (lab/Configurations.scala) ----------------------------
CACHE_MACHINES := ulx3s_copies ulx3s_physical physical64k teaching_plru teaching_nru \
                  teaching_random ways2 ways4 ways16 ulx3s_l2
CACHE_SIMULATORS := $(CACHE_MACHINES:%=build/granule-sim-%)

# ---- machines with a main TLB, of make stalls ----------------------------------------------------
MAIN_MACHINES := teaching_main ulx3s_main
MAIN_SIMULATORS := $(MAIN_MACHINES:%=build/granule-sim-%)

# ---- the machine of document 001, with a hashed table behind its TLBs ----------------------------
VARIANTS := $(CACHE_MACHINES) $(MAIN_MACHINES) teaching_hashed
VARIANTS_RTL := build/rtl/.variants

$(VARIANTS_RTL): $(RTL_SOURCES) build.sc mill | $(VENV)
	@echo "verilog: generating the machines of experiments"
	@mkdir -p build/rtl
	@./mill --disable-ticker rtl.runMain granule.gen.Generate $(CURDIR)/build/rtl \
	  $(VARIANTS:%=simsoc:%) > build/rtl/variants.log 2>&1 || \
	  { tail -n 40 build/rtl/variants.log >&2; exit 1; }
	@touch $@

# They run for seconds, so they are compiled quickly.
$(VARIANTS:%=build/granule-sim-%): build/granule-sim-%: $(SIM_SOURCES) $(VARIANTS_RTL) $(INCLUDES)
	$(call build_simulator,$*,quick)

.PHONY: caches
caches: ## document 002 on other data caches: designs, policies, ways
caches: setup sim firmware $(CACHE_SIMULATORS)
	@$(PY) tb/tools/run.py caches

.PHONY: flush
flush: ## document 001 on a machine with a hashed table of translations, beside the same without it
flush: setup build/granule-sim-teaching_hashed build/granule-sim-teaching_main
flush: build/sw-hashed/granule.elf build/sw/granule.elf
	@$(PY) tb/tools/run.py flush

.PHONY: test-dma
test-dma: setup build/granule-sim-dma firmware ## the DMA engine in a system, with its driver
	@$(PY) -m pytest -q -n 0 -m slow tb/system/soc/test_soc.py \
	  tb/system/sw/test_dma_driver.py $(PYTEST)

.PHONY: dma
dma: setup build/granule-sim-dma firmware ## zeroing, copying, documents by DMA and CPU: docs/dma.md
	@$(PY) tb/tools/run.py dma
	@$(PY) tb/tools/run.py dma-documents --jobs $(JOBS)

.PHONY: tlb-modes
tlb-modes: setup build/granule-sim-dma firmware ## unmapping in six modes of invalidation, as tables
	@$(PY) tb/tools/run.py tlb-modes
