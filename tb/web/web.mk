# The page in which the RTL itself runs: a folder for any static host, or to be opened from a file.
# It needs Debian's emscripten beside what everything needs; the page of a trace does not.

WEB_SOURCES := $(wildcard docs/web/*.* docs/web/parts/*) docs/labs/lab0.md \
               $(wildcard tb/tools/web/*.py tb/labs/lab0.py tb/model/*.py)
WEB_MACHINES := mmu mmu-main soc soc-ulx3s

.PHONY: web test-web web-setup viewer
web: ## [teach, 3 min] build/web: a page in which the RTL runs and is stepped through
web: build/web/index.html
web-setup:
	@bash tb/support/setup.sh web

build/web.build/%.wasm: $(wildcard tb/web/*.cpp) tb/web/build.sh \
    $(MMU_SIGNALS) $(SIM_SOURCES) $(RTL_READY) $(INCLUDES) | web-setup
	@echo "web: compiling $* to WebAssembly"
	@mkdir -p build/web.build
	@BOARD_MHZ=$(SIM_MHZ) bash tb/web/build.sh $* build/web.build/$* > build/web.build/$*.log 2>&1 || \
	  { tail -n 40 build/web.build/$*.log >&2; exit 1; }

# Without what only debuggers read.
build/web.build/firmware.elf: build/sw/granule.elf
	@mkdir -p build/web.build
	@$(SW_CROSS)strip --strip-debug -o $@ $<

build/web/index.html: $(WEB_SOURCES) $(WEB_MACHINES:%=build/web.build/%.wasm) \
    build/web.build/firmware.elf
	@$(PY) tb/tools/run.py web bundle build/web

# A trace may be a run of granule-sim, or of a board's simulator.
viewer: setup ## build/viewer: the same panes for a run, TRACE=FILE of --trace-mmu
	@test -n "$(TRACE)" || { echo "viewer: which run? make viewer TRACE=FILE; \
	build/granule-sim --trace-mmu FILE writes one" >&2; exit 2; }
	@$(PY) tb/tools/run.py web viewer $(TRACE) build/viewer

test-web: ## the page in a browser: steps, keys, narrow screens
test-web: site sim build/granule-sim-trace build/granule-board-sim firmware
	@$(PY) -m pytest -n 0 -m slow tb/web $(PYTEST)
