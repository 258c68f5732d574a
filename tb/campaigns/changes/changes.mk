# Register inputs of the MMU that change while accesses wait.

.PHONY: changes
changes: setup ## every register input changes in every cycle of every access that waits; half an hour
	@$(MAKE) -s verilog
	@$(MAKE) -s verilog UNITS=mmu:teaching_hashed
	@$(PY) tb/campaigns/changes/run.py --jobs $(JOBS)
