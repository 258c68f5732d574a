# `make help`: targets in groups, each with its time on two idle cores, and what the variables are
# now. A target is listed when its text behind ## begins with [group, time]; ALL=1 lists those too
# that only another one or a developer needs.

HELP_FROM ?= $(MAKEFILE_LIST)
HELP_GROUPS := start teach build Linux measure verify develop
ALL ?= ## 1: `make help` lists every target
VARIABLES += ALL
.PHONY: help
help: ## this list
	@printf 'Granule: make TARGET [VARIABLE=value ...]\n'
	@sed -nE 's/^([a-z-]+):[^#]*## (\[([A-Za-z]+), ([^]]*)\] )?(.*)/\3\t\1\t\4\t\5/p' $(HELP_FROM) \
	  | sort -u | awk -F'\t' -v order="$(HELP_GROUPS)$(if $(ALL), others)" ' \
	  { $$1 = $$1 ? $$1 : "others"; \
	    lines[$$1] = lines[$$1] sprintf("  %-15s %-9s %s\n", $$2, $$3, $$4) } \
	  END { n = split(order, groups, " "); for (i = 1; i <= n; i++) if (lines[groups[i]]) \
	    printf "\n%s:\n%s", groups[i], lines[groups[i]] }'
	@$(if $(ALL),,printf '\nmake help ALL=1 lists every target\n')
	@printf '\nVariables [current value]:\n'
	@printf '  %-15s %s [%s]\n' \
	  $(foreach v,$(VARIABLES),"$(v)" \
	  "$(shell sed -nE 's/^$(v) \?=.*## (.*)/\1/p' $(HELP_FROM) | tr -d '`' | sed 's/"/\\"/g')" \
	  "$(strip $($(v)))")
