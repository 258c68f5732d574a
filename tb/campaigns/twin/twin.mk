# The MMU of another commit beside today's.

BASE ?= ## commit of `make twin`; empty: the newest release
VARIABLES += BASE
.PHONY: twin
twin: setup verilog ## COMMANDS on BASE's MMU and on today's, which must say the same
	@$(PY) -m pytest -q -n 0 -m slow tb/campaigns/twin
	@$(PY) tb/tools/run.py twin --jobs $(JOBS) \
	  --base $(or $(strip $(BASE)),$$(git describe --tags --abbrev=0)) \
	  $(if $(strip $(COMMANDS)),--commands $(COMMANDS)) \
	  $(addprefix --seed ,$(filter-out random,$(SEED)))
