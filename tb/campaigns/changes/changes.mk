# Register inputs of the MMU that change while accesses wait.

.PHONY: changes
changes: setup ## [verify, 30 min] each register changes in each cycle of each access that waits
	@$(PY) tb/campaigns/changes/run.py --jobs $(JOBS)

# The firmware is up in half a minute; Linux takes an hour:
# build/granule-sim-teaching-checked --append "$(LINUX_ARGUMENTS)" $(LINUX_OUT)/boot.elf
.PHONY: checked-boot
checked-boot: ## the firmware on a system with all checks of the RTL, and all of it without highmem
checked-boot: setup sim firmware build/granule-sim-teaching-checked
	@build/granule-sim-teaching-checked --append run=e002 build/sw/granule.elf </dev/null
	@$(PY) -m pytest -q -n 0 -m slow tb/system/sw/test_firmware.py
