# Register inputs of the MMU that change while accesses wait.

.PHONY: changes
changes: setup ## [verify, 30 min] each register changes in each cycle of each access that waits
	@$(PY) tb/tools/run.py changes --jobs $(JOBS)

.PHONY: checked-boot
checked-boot: ## firmware, also without highmem, and Linux on a system with all checks of the RTL
checked-boot: setup linux-packages sim firmware build/granule-sim-teaching-checked \
  $(LINUX_OUT)/boot.elf
	@build/granule-sim-teaching-checked --append run=e002 build/sw/granule.elf </dev/null
	@build/granule-sim-teaching-checked --lowmem $(LINUX_MEMORY) --highmem 0 \
	  --append "$(LINUX_ARGUMENTS) -- \"uname -a\"" $(LINUX_OUT)/boot.elf </dev/null
	@$(PY) -m pytest -q -n 0 -m slow tb/system/sw/test_firmware.py
