# Orders of memory accesses, and the matrix of scenarios.

.PHONY: litmus
litmus: ## races of stores, walks and invalidations: every end must be the model's
litmus: setup verilog
	@$(PY) tb/tools/run.py litmus --jobs $(JOBS) \
	  $(addprefix --seed ,$(filter-out random,$(SEED)))

.PHONY: matrix
matrix: setup verilog includes ## event x time x entry: fails on a cell that the RTL was never in
	@$(PY) tb/tools/run.py matrix --jobs $(JOBS)
