# Linux on Granule: kernel, initial RAM disk and firmware as one image, build/linux/boot.elf.

LINUX ?= ## folder with a kernel's source of your own, for `make linux` and `make run-linux`
LINUX_TARBALL ?= /usr/src/linux-source-6.1.tar.xz ## Linux's source, of Debian's linux-source-6.1
LINUX_CROSS ?= riscv64-linux-gnu- ## how the names of the kernel's compiler and linker begin
CMD ?= ## command that `make run-linux` runs instead of a shell; its exit status is make's
LINUX_MEMORY ?= 32M ## memory of `make run-linux`
VARIABLES += LINUX LINUX_TARBALL LINUX_CROSS CMD LINUX_MEMORY
LINUX_OUT       := build/linux$(if $(strip $(LINUX)),-own)
LINUX_CONFIG    := sw/linux/granule.config
# The firmware's console until the driver of the UART is there, which divides the clock of 25 MHz
# by 16 at least, and says 9600 to a faster speed. The reboot after a panic ends a run.
LINUX_ARGUMENTS := earlycon=sbi console=ttySIF0,1500000 panic=-1
LINUX_INITRAMFS := $(LINUX_OUT)/initramfs.cpio

.PHONY: linux-packages
linux-packages:
	@bash tb/support/setup.sh linux

.PHONY: linux
linux: ## [Linux, 10 min] from nothing to a shell of Linux
linux: setup linux-packages build/granule-sim $(LINUX_OUT)/boot.elf
	@$(MAKE) run-linux

# What changed in a source of one's own is the kernel's make to know.
.PHONY: own-source
$(LINUX_OUT)/Image: $(LINUX_CONFIG) sw/linux/build.sh $(if $(strip $(LINUX)),own-source) |\
  linux-packages
	@bash sw/linux/build.sh $(or $(strip $(LINUX)),$(strip $(LINUX_TARBALL))) $(LINUX_OUT) \
	  $(strip $(LINUX_CROSS)) $(JOBS) $(LINUX_CONFIG)

# linux_image ELF KERNEL INITRD: what the kernel needs of memory is in its header, 16 bytes from its
# start.
define linux_image
	$(call sbi_image,$(1),$(2),$(strip $(shell od -An -tu4 -j16 -N4 $(2))),$(3))
endef

$(LINUX_OUT)/boot.elf: $(SBI_READY) $(LINUX_OUT)/Image $(LINUX_INITRAMFS) sw/sbi/payload.S
	$(call linux_image,$@,$(LINUX_OUT)/Image,$(LINUX_INITRAMFS))

.PHONY: run-linux
run-linux: ## [Linux, a minute] boot Linux on the simulator SIM: a shell, or CMD
run-linux: $(SIM) $(LINUX_OUT)/boot.elf
	@[ -n "$$CMD" ] || echo "Ctrl-] ends the simulator; Ctrl-C goes to Linux, poweroff ends it"
	@$(SIM) --lowmem $(LINUX_MEMORY) --highmem 0 \
	  --append "$(LINUX_ARGUMENTS)$${CMD:+ -- \"$$CMD\"}" $(LINUX_OUT)/boot.elf

.PHONY: linux-console
linux-console: setup linux-packages sim $(LINUX_OUT)/boot.elf ## the console in docs/linux.md
	@$(PY) tb/tools/run.py linux-console
