# `make help`: targets and variables with a text behind ##, and what the variables are now.

HELP_FROM ?= $(MAKEFILE_LIST)
.PHONY: help
help: ## this list
	@printf 'Granule: make TARGET [VARIABLE=value ...]\n\nTargets:\n'
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1\t\2/p' $(HELP_FROM) \
	  | sort -u | awk -F'\t' '{printf "  %-15s %s\n", $$1, $$2}'
	@printf '\nVariables [current value]:\n'
	@printf '  %-15s %s [%s]\n' \
	  $(foreach v,$(VARIABLES),"$(v)" \
	  "$(shell sed -nE 's/^$(v) \?=.*## (.*)/\1/p' $(HELP_FROM) | tr -d '`' | sed 's/"/\\"/g')" \
	  "$(strip $($(v)))")
