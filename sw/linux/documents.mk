# The documents under Linux: sw/linux/patches on the same source, and programs that measure. The
# unmodified kernel stays that of `make linux`; here it boots with the same programs, beside the
# other.

LINUX_DOCUMENTS := build/linux-documents
LINUX_PATCHES   := $(sort $(wildcard sw/linux/patches/*.patch))
DOCUMENTS_OUT   := $(LINUX_DOCUMENTS)/user
DOCUMENTS_COUNTERS := $(addprefix sw/linux/user/,document/counters.c document/counters.h events.h)
DOCUMENTS_PROGRAMS := $(DOCUMENTS_OUT)/document-002
DOCUMENTS_CPIO  := $(LINUX_DOCUMENTS)/initramfs.cpio

$(LINUX_DOCUMENTS)/source/.patched: $(LINUX_PATCHES) sw/linux/patch.sh $(LINUX_OUT)/Image
	@bash sw/linux/patch.sh $(strip $(LINUX_TARBALL)) $(LINUX_OUT)/source $(@D) $(LINUX_PATCHES)
	@touch $@

$(LINUX_DOCUMENTS)/Image: $(LINUX_DOCUMENTS)/source/.patched $(LINUX_CONFIG)
	@bash sw/linux/build.sh $(strip $(LINUX_TARBALL)) $(@D) $(strip $(LINUX_CROSS)) $(JOBS) \
	  $(LINUX_CONFIG)

$(DOCUMENTS_OUT)/document-002: sw/linux/user/document/zero_pages.c $(DOCUMENTS_COUNTERS) \
  $(INCLUDES) | $(LINUX_PYTHON)
	$(call user_program,$(filter %.c,$^))

# The root file system with them.
$(DOCUMENTS_CPIO): $(LINUX_INITRAMFS) $(DOCUMENTS_PROGRAMS)
	$(call initramfs_with,$(call in_initramfs,/bin,$(DOCUMENTS_PROGRAMS)))

$(LINUX_DOCUMENTS)/patched.elf: $(SBI_READY) $(LINUX_DOCUMENTS)/Image $(DOCUMENTS_CPIO) \
  sw/sbi/payload.S
	$(call linux_image,$@,$(LINUX_DOCUMENTS)/Image,$(DOCUMENTS_CPIO))
$(LINUX_DOCUMENTS)/unmodified.elf: $(SBI_READY) $(LINUX_OUT)/Image $(DOCUMENTS_CPIO) \
  sw/sbi/payload.S
	$(call linux_image,$@,$(LINUX_OUT)/Image,$(DOCUMENTS_CPIO))

DOCUMENTS_READY := setup linux-packages sim build/granule-sim-ulx3s_copies \
  build/granule-sim-ulx3s_physical $(LINUX_DOCUMENTS)/patched.elf $(LINUX_DOCUMENTS)/unmodified.elf
.PHONY: linux-documents
linux-documents: ## [measure, 20 min] document 002 in Linux itself, on four data caches
linux-documents: $(DOCUMENTS_READY)
	@$(PY) tb/tools/run.py linux-documents --jobs $(JOBS)
	@$(LINUX_PYTEST) tb/system/linux/test_documents.py $(PYTEST)
