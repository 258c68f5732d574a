# The only front door of the project. `make help` lists what there is.

# Variables (all may be set on the command line):
CONFIG ?= ## MMU of `make conformance` (empty: all that fit) and `make soak` (empty: wide)
VECTORS ?= $(wildcard tb/data/vectors/*.json.gz) ## vector files of `make conformance`
CHECKS ?= ## checks of each of these files; empty: all
ON ?= rtl ## what `make conformance` asks: rtl or model
JOBS ?= $(shell nproc) ## processes used at once
PYTEST ?= ## further arguments of pytest, as in `make test PYTEST="-k walker"`
BOOT ?= pagesize=4k run=all ## boot arguments of `make run`
SIM ?= build/granule-sim ## simulator of `make run`
UNITS ?= ## units of `make verilog`, as in UNITS="mmu:wide"; empty: the default list
FUZZ_STEPS ?= 1000000 ## steps of `make fuzz-mm` at each granule
SEED ?= ## where random runs begin; empty: 1 in `make test`, drawn in the long runs
PROOF ?= ## one proof of `make formal`; empty: all (tb/tools/run.py formal --list)
TRACE ?= ## trace of `make viewer`, as granule-sim --trace-mmu writes it
ONLY ?= ## records that `make renew` measures again, or all; empty: it lists what is stale
FULL ?= ## 1: both caches at every granule in `make demo`, the longest runs in `make figures`

VARIABLES := CONFIG VECTORS CHECKS ON JOBS PYTEST BOOT SIM UNITS FUZZ_STEPS SEED SLICE PROOF \
  TRACE ONLY FULL
PY := .venv/bin/python
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

include tb/support/help.mk

# ---- what everything stands on -------------------------------------------------------------------
VENV := .venv/.ready
.PHONY: setup
setup: system-packages $(VENV) ## install what is missing (packages when root, Python into .venv)

.PHONY: system-packages
system-packages:
	@bash tb/support/setup.sh

$(VENV): pyproject.toml | system-packages
	@echo "setup: Python packages into .venv"
	@python3 -m venv .venv
	@.venv/bin/pip -q install $$(python3 -c "import tomllib; \
	  print(*tomllib.load(open('pyproject.toml','rb'))['dependency-groups']['bench'])")
	@touch $@

RTL_SOURCES := $(shell find rtl -name '*.scala')
RTL_READY := build/rtl/.ready
.PHONY: verilog
verilog: ## [build, a minute] generate Verilog, C headers and the register reference into build/
verilog: $(if $(strip $(UNITS)),verilog-units,$(RTL_READY))

# generate UNITS: no units, the default list
define generate
	@echo "verilog: generating $(if $(strip $(1)),$(1) )(SpinalHDL)"
	@mkdir -p build/rtl
	@./mill --disable-ticker rtl.runMain granule.gen.Generate $(CURDIR)/build/rtl $(1) \
	  > build/rtl/generate.log 2>&1 || { tail -n 40 build/rtl/generate.log >&2; exit 1; }
endef

$(RTL_READY): $(RTL_SOURCES) build.sc mill | $(VENV)
	$(call generate,)
	@touch $@

# Units that are asked for by name are made again, whatever was there.
.PHONY: verilog-units
verilog-units: $(VENV)
	$(call generate,$(UNITS))

include tb/sim/sim.mk
include sw/sw.mk
include sw/driver/driver.mk
include sw/sbi/sbi.mk
include sw/linux/linux.mk
include sw/linux/user.mk
include sw/linux/documents.mk
include tb/system/linux/linux.mk
include fpga/fpga.mk
include tb/campaigns/soak/soak.mk
include tb/campaigns/lockstep/lockstep.mk
include tb/campaigns/litmus/litmus.mk
include tb/campaigns/changes/changes.mk
include tb/campaigns/invalidation/invalidation.mk
include tb/campaigns/twin/twin.mk
include tb/web/web.mk
include tb/docs/docs.mk
include tb/tools/site/site.mk
include tb/labs/labs.mk
include tb/labs/hardware/hardware.mk
include tb/tools/dist/dist.mk

# ---- demo, report and tests ----------------------------------------------------------------------
.PHONY: demo
demo: ## [start, 8 min] from nothing to the documents at 4K, 16K and 64K, as tables
demo: setup sim firmware images
	@$(PY) tb/tools/run.py demo $(if $(FULL),--full)

.PHONY: report
report: ## [start, seconds] build/report.html: the five verdicts, and what each rests on
	@$(PLAIN_PY) tb/tools/run.py report

.PHONY: test
test: setup verilog includes ## [start, 19 min] every test: golden model, units, SoC, firmware
	@$(MAKE) -j$(JOBS) sim firmware
	@rm -rf build/covered
	@$(PY) -m pytest -n $(JOBS) --dist loadgroup $(PYTEST)
	@$(if $(strip $(PYTEST)),,$(PY) tb/tools/run.py cover-points --quiet)

.PHONY: test-labs
test-labs: ## every lab and its grader, and every example of README, docs and notebooks
test-labs: setup sim sim-trace firmware $(LABS_SIMULATORS)
	@$(PY) -m pytest -n $(JOBS) --dist loadgroup -m "slow or not slow" tb/labs $(EXAMPLES) $(PYTEST)

.PHONY: test-rare
test-rare: setup verilog sim firmware ## configurations and boots that `make test` leaves out
	@SEED=$${SEED:-random} $(PY) -m pytest -n $(JOBS) --dist loadgroup -m slow tb/unit \
	  tb/system/riscv $(addprefix tb/system/sw/,\
	  test_experiments.py test_firmware.py) $(PYTEST)

# ---- further work --------------------------------------------------------------------------------
.PHONY: figures
figures: ## [measure, 2 h] spread of every figure over places of code and data, into docs/data
figures: setup sim firmware images
	@$(PY) tb/tools/run.py campaign --jobs $(JOBS) $(if $(FULL),--full)

.PHONY: entry-figures
entry-figures: setup firmware wide ## what the size of an entry costs: docs/page-size.md
	@$(PY) tb/tools/run.py entries --jobs $(JOBS)

.PHONY: page-sizes
page-sizes: setup sim firmware ## a page size for each process: gains and wastes, into README, docs
	@$(PY) tb/tools/run.py page-sizes --jobs $(JOBS)

.PHONY: run
run: ## [start, a minute] boot the firmware with BOOT on the simulator SIM, console on the terminal
run: $(filter build/%,$(SIM)) firmware
	@command -v $(SIM) >/dev/null || \
	  { echo "SIM is '$(strip $(SIM))': there is no such program; build/granule-sim is one" >&2; \
	    exit 2; }
	@echo "Ctrl-] ends the simulator; Ctrl-C goes to the firmware"
	@$(SIM) --append "$(BOOT)" build/sw/granule.elf

.PHONY: stalls
stalls: setup sim firmware $(MAIN_SIMULATORS) ## where the cycles go: Dhrystone, documents, Linux
	@$(PY) tb/tools/run.py stalls --jobs $(JOBS)

.PHONY: conformance
conformance: ## [verify, 2 min] replay VECTORS through the MMU or the golden model, cold and hot
conformance: setup $(if $(filter model,$(ON)),,verilog)
	@$(PY) tb/tools/run.py conformance $(addprefix --vectors ,$(VECTORS)) --on "$(strip $(ON))" \
	  $(if $(strip $(CONFIG)),--config $(CONFIG)) $(if $(strip $(CHECKS)),--checks $(CHECKS))

.PHONY: cover-points
cover-points: setup ## situations of the RTL that the last tests brought about, as a table
	@$(PY) tb/tools/run.py cover-points

.PHONY: mutants
mutants: setup verilog ## [verify, 1 h] seed known defects and see a named test kill each
	@$(PY) tb/tools/run.py mutants

SLICE ?= 1/1 ## K/N: every Nth defect of `make kills` from the Kth on
.PHONY: kills
kills: setup verilog ## which tests of units notice which defect of the RTL: docs/data/kills.json
	@$(PY) tb/tools/run.py kills --slice $(SLICE) --jobs $(JOBS)

.PHONY: formal
formal: ## [verify, 1 h] claims about walker, sweep, TLBs, bridge at any depth; or one PROOF
formal: setup
	@$(PY) tb/tools/run.py formal $(if $(strip $(PROOF)),--proof $(PROOF))

.PHONY: nightly
nightly: setup ## [verify, 5 h] what is too long for `make test`, and build/nightly/index.html
	@$(PY) tb/tools/run.py nightly

.PHONY: waves
waves: setup verilog ## docs/waves: the timing diagrams of docs/mmu.md, drawn from the RTL
	@$(PY) tb/tools/run.py waves

.PHONY: recording
recording: setup sim firmware build/web/index.html ## docs/console.svg and walk.gif: moving pictures
	@$(PY) tb/tools/run.py recording
	@$(PY) tb/tools/run.py picture

.PHONY: publish
publish: ## [measure, seconds] figures of build/results into README and docs; it names the files
publish: setup
	@$(PY) tb/tools/run.py publish
	@$(PY) tb/tools/run.py page-size
	@$(PY) tb/tools/run.py boards
	@$(PY) tb/tools/run.py stalls --publish

.PHONY: renew
renew: setup verilog firmware ## records older than their sources; measures ONLY again
	@$(PY) tb/tools/run.py renew $(ONLY)

.PHONY: house
house: setup ## files, lines and branches of the RTL, by rooms and by routes of docs/house.md
	@$(PY) tb/tools/run.py house

.PHONY: lint
lint: ## [develop, 2 min] formatting, length of lines, Verilator's warnings on the Verilog
lint: setup verilog
	@bash tb/support/lint.sh

.PHONY: format
format: setup ## [develop, seconds] format every source file in place
	@./mill --disable-ticker rtl.reformat >/dev/null
	@.venv/bin/ruff check -q --fix tb && .venv/bin/ruff format -q tb
	@git ls-files 'sw/*.[ch]' 'tb/*.c' 'tb/*.cpp' 'tb/*.h' | xargs -r clang-format -i

.PHONY: clean
clean: ## [develop, seconds] remove everything that was built (not .venv)
	@rm -rf build out

include tb/support/typed.mk
