# Random translations against the golden model, and what they covered.

COUNT ?= 200000 ## random translations of each granule and format in `make soak`
SOAK_SEED ?= ## seed of `make soak`; empty: a new one
CONFIG ?= wide ## configuration of `make soak` and `make coverage`
VARIABLES += COUNT SOAK_SEED CONFIG

.PHONY: soak
soak: setup verilog ## RTL against golden model on COUNT random translations per granule and format
	@$(PY) tb/campaigns/soak/run.py --config $(CONFIG) --count $(COUNT) --jobs $(JOBS) \
	  $(if $(strip $(SOAK_SEED)),--seed $(SOAK_SEED))

# Configurations that leave something out, each with a model that does.
SMALL := minimal small fixed4k fixed16k fixed64k
.PHONY: soak-small
soak-small: setup verilog ## the same on the configurations that leave something out
	@for config in $(SMALL); do $(PY) tb/campaigns/soak/run.py --config $$config --count $(COUNT) \
	  --jobs $(JOBS) $(if $(strip $(SOAK_SEED)),--seed $(SOAK_SEED)) || exit 1; done

.PHONY: coverage
coverage: ## functional coverage of what `make soak` and `make conformance` ran; fails on a hole
coverage: setup
	@$(PY) tb/campaigns/coverage/run.py --config $(CONFIG)

BEATS ?= 1000000 ## beats of `make soak-bridge`
VARIABLES += BEATS
.PHONY: soak-bridge
soak-bridge: setup verilog ## BEATS random beats of a real client through the AXI bridge
	@$(PY) tb/campaigns/soak/bridge.py --beats $(BEATS) \
	  $(if $(strip $(SOAK_SEED)),--seed $(SOAK_SEED))
