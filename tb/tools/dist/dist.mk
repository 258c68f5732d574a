# Archives for those who do not build Granule: no Java, no SpinalHDL, no root.

DIST := build/dist
DIST_PYTHON := .venv/.dist
.PHONY: dist test-dist release

$(DIST)/generated/.ready: $(RTL_SOURCES) build.sc mill | $(VENV)
	@echo "dist: generating the blocks"
	@rm -rf $(@D) && mkdir -p $(@D)
	@./mill --disable-ticker rtl.runMain granule.gen.Release $(CURDIR)/$(@D) \
	  > $(DIST)/generate.log 2>&1 || { tail -n 40 $(DIST)/generate.log >&2; exit 1; }
	@touch $@

dist: ## [build, 2 min] build/dist: archives of Verilog for other systems, of labs for a class
dist: setup $(DIST)/generated/.ready $(LABS_SIMULATORS) $(LABS_FIRMWARE) build/web/index.html
	@$(PY) tb/tools/run.py dist blocks $(DIST)/generated $(DIST)
	@$(PY) tb/tools/run.py dist labs $(DIST) $(LABS_SIMULATORS) $(LABS_FIRMWARE)

release: setup ## make dist, unless a figure is stale or a page of another version
	@$(PY) tb/tools/run.py dist release
	@$(MAKE) dist

# FuseSoC, LiteX and the compiler of SystemRDL: only this test wants them.
$(DIST_PYTHON): pyproject.toml | $(VENV)
	@echo "dist: Python packages that read the archive, into .venv"
	@.venv/bin/pip -q install $$(python3 -c "import tomllib; \
	  print(*tomllib.load(open('pyproject.toml','rb'))['dependency-groups']['dist'])")
	@touch $@

test-dist: dist $(DIST_PYTHON) ## the archives in FuseSoC, LiteX, SystemRDL, and in a class
	@$(PY) -m pytest -q -n 0 -m slow tb/tools/dist $(PYTEST)
