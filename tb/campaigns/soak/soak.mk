# Random translations against the golden model, and what they covered.

COUNT ?= 200000 ## random translations of each granule and format in `make soak`, at least
VARIABLES += COUNT
SOAKED = $(or $(strip $(CONFIG)),wide)

.PHONY: soak
soak: ## [verify, 7 min] RTL against golden model, COUNT translations a granule; the bridge
soak: setup verilog
	@$(PY) tb/tools/run.py soak --config $(SOAKED) --count $(COUNT) --cover --jobs $(JOBS) \
	  $(addprefix --seed ,$(filter-out random,$(SEED)))
	@$(MAKE) -s soak-bridge

# Configurations that leave something out, each with a model that does.
SMALL := minimal small fixed4k fixed16k fixed64k
.PHONY: soak-small
soak-small: setup verilog ## the same on the configurations that leave something out
	@for config in $(SMALL); do $(PY) tb/tools/run.py soak --config $$config --count $(COUNT) \
	  --jobs $(JOBS) $(addprefix --seed ,$(filter-out random,$(SEED))) || exit 1; done

# Machines with a main TLB; no test of a system has them, so their Verilog is made here.
WITH_MAIN := ulx3s_main teaching_main
.PHONY: soak-main
soak-main: setup ## soak and coverage with a main TLB of 256 and of 1,024 entries
	@$(MAKE) -s verilog
	@$(MAKE) -s verilog UNITS="$(WITH_MAIN:%=mmu:%)"
	@for config in $(WITH_MAIN); do $(PY) tb/tools/run.py soak --config $$config --count $(COUNT) \
	  --cover --jobs $(JOBS) $(addprefix --seed ,$(filter-out random,$(SEED))) && \
	  $(PY) tb/tools/run.py coverage --config $$config || exit 1; done

.PHONY: coverage
coverage: ## functional coverage of what `make soak` and `make conformance` ran; fails on a hole
coverage: setup
	@$(PY) tb/tools/run.py coverage --config $(SOAKED)

BEATS ?= 1000000 ## beats of `make soak-bridge`
VARIABLES += BEATS
.PHONY: soak-bridge
soak-bridge: setup verilog ## BEATS random beats of a real client through the AXI bridge
	@$(PY) tb/tools/run.py soak-bridge --beats $(BEATS) \
	  $(addprefix --seed ,$(filter-out random,$(SEED)))
