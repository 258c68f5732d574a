# The only front door. `make help` lists what there is.
PYTHON ?= python3
VENV := .venv/.ready

$(VENV): pyproject.toml
	$(PYTHON) -m venv .venv
	.venv/bin/pip -q install $$($(PYTHON) -c "import tomllib; print(*tomllib.load(open('pyproject.toml','rb'))['project']['dependencies'])")
	touch $@

RTL_SOURCES := $(shell find rtl/src -name '*.scala')
.PHONY: verilog
verilog: build/rtl/.ready
build/rtl/.ready: $(RTL_SOURCES) build.sc
	./mill rtl.runMain granule.board.Generate $(CURDIR)/build/rtl
	touch $@
