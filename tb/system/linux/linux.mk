# Linux as a test: the same programs on Granule and on QEMU's riscv32 `virt` machine.

MINUTES ?= 30 ## how long `make soak-linux` runs
VARIABLES += MINUTES

# Machine mode of QEMU's machine. QEMU jumps to the first byte of memory: start.S comes first.
$(LINUX_OUT)/virt.elf: tb/system/linux/virt/start.S tb/system/linux/virt/sbi.c
	@mkdir -p $(@D)
	@$(SW_CROSS)gcc -march=rv32ima_zicsr_zifencei -mabi=ilp32 -mcmodel=medany -O2 -Wall -Wextra \
	  -Werror -Isw -Isw/include -ffreestanding -nostdlib -static -Wl,-Ttext=0x80000000 \
	  -Wl,--fatal-warnings -o $@ $^

LINUX_READY := setup linux-packages qemu-packages build/granule-sim build/granule-sim-ulx3s \
  $(LINUX_OUT)/boot.elf $(LINUX_OUT)/virt.elf

.PHONY: qemu-packages
qemu-packages:
	@bash tb/support/setup.sh qemu

# Other targets run these. A machine to a process, and no second one before all have one.
LINUX_ALONE := $(addprefix --ignore=tb/system/linux/test_,caches.py documents.py kselftest.py)
LINUX_PYTEST := $(PY) -m pytest -n $(JOBS) --dist loadgroup -m slow
.PHONY: linux-test
linux-test: ## [Linux, 15 min] the firmware's calls, Linux from reset to its programs, self-tests
linux-test: setup linux-packages qemu-packages sim
	@$(MAKE) -j$(JOBS) $(LINUX_OUT)/boot.elf $(LINUX_OUT)/virt.elf $(LINUX_DOCUMENTS)/short.elf
	@$(LINUX_PYTEST) tb/system/sbi tb/system/linux tb/tools/measures $(LINUX_ALONE) $(PYTEST)

.PHONY: linux-selftest
linux-selftest: $(LINUX_READY) ## of linux-test the self-tests, compared with QEMU
	@$(LINUX_PYTEST) tb/system/linux/test_selftests.py $(PYTEST)

.PHONY: soak-linux
soak-linux: $(LINUX_READY) ## stress on Linux for MINUTES, against QEMU
	@$(PY) tb/tools/run.py soak-linux --minutes $(MINUTES)

.PHONY: linux-policies
linux-policies: $(LINUX_READY) $(CACHE_SIMULATORS) ## Linux on every data cache
	@$(LINUX_PYTEST) tb/system/linux/test_caches.py $(PYTEST)

# ---- a kernel that checks itself, and its own self-tests: the same source, another configuration
LINUX_DEBUG := build/linux-debug
$(LINUX_DEBUG)/Image: $(LINUX_CONFIG) sw/linux/debug.config $(LINUX_OUT)/Image
	@mkdir -p $(@D)
	@ln -sfn ../linux/source $(@D)/source
	@bash sw/linux/build.sh $(strip $(LINUX_TARBALL)) $(@D) $(strip $(LINUX_CROSS)) $(JOBS) \
	  $(LINUX_CONFIG) sw/linux/debug.config

$(LINUX_DEBUG)/boot.elf: $(SBI_READY) $(LINUX_DEBUG)/Image $(KSELFTEST_CPIO) sw/sbi/payload.S
	$(call linux_image,$@,$(LINUX_DEBUG)/Image,$(KSELFTEST_CPIO))

.PHONY: kselftest
kselftest: setup linux-packages qemu-packages sim $(LINUX_DEBUG)/boot.elf $(LINUX_OUT)/virt.elf
kselftest: ## Linux's own self-tests, on a kernel that checks its page tables
	@$(LINUX_PYTEST) tb/system/linux/test_kselftest.py $(PYTEST)
