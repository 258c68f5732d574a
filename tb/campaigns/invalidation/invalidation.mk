# What an invalidation costs, beside two other policies.

COMMANDS ?= ## random ones of `make invalidation` and `make twin`; empty: 20,000 and 10,000,000
VARIABLES += COMMANDS

INVALIDATION_UNITS = $(foreach policy,exact hashed blocking,$(foreach entries,64 256 1024,\
  mmu:$(policy)$(entries)))

.PHONY: invalidation
invalidation: setup ## cycles, waits and losses of three policies of a main TLB
	@$(MAKE) -s verilog UNITS="$(INVALIDATION_UNITS)"
	@$(PY) tb/tools/run.py invalidation --jobs $(JOBS) \
	  $(if $(strip $(COMMANDS)),--commands $(COMMANDS))
