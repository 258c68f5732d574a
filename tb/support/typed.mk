# Names what was typed and is no variable: `make run BOOTT=...` would boot something else. It is
# included last, as every part of the Makefile adds its own to VARIABLES.

ifeq ($(MAKELEVEL),0)
TYPED := $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $(v))),$(v)))
$(foreach v,$(filter-out $(VARIABLES),$(TYPED)), \
  $(info warning: $(v) is none of the variables that `make help` lists; it may change nothing))
endif
