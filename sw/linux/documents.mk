# The documents under Linux: sw/linux/patches on the same source, and programs that measure. The
# unmodified kernel stays that of `make linux`; here it boots with the same programs, beside the
# other.

LINUX_DOCUMENTS := build/linux-documents
LINUX_PATCHES   := $(sort $(wildcard sw/linux/patches/*.patch))
DOCUMENTS_OUT   := $(LINUX_DOCUMENTS)/user
DOCUMENTS_COUNTERS := $(addprefix sw/linux/user/,document/counters.c document/counters.h events.h)
DOCUMENTS_PROGRAMS := $(addprefix $(DOCUMENTS_OUT)/document-,002 004)
DOCUMENTS_CPIO  := $(LINUX_DOCUMENTS)/initramfs.cpio
COMPILER_CPIO   := $(LINUX_DOCUMENTS)/compiler.cpio

$(LINUX_DOCUMENTS)/source/.patched: $(LINUX_PATCHES) sw/linux/patch.sh $(LINUX_OUT)/Image
	@bash sw/linux/patch.sh $(strip $(LINUX_TARBALL)) $(LINUX_OUT)/source $(@D) $(LINUX_PATCHES)
	@touch $@

$(LINUX_DOCUMENTS)/Image: $(LINUX_DOCUMENTS)/source/.patched $(LINUX_CONFIG)
	@bash sw/linux/build.sh $(strip $(LINUX_TARBALL)) $(@D) $(strip $(LINUX_CROSS)) $(JOBS) \
	  $(LINUX_CONFIG)

# The same source with one more configuration each, sw/linux/NAME.config.
LINUX_HIGHMEM := build/linux-highmem
LINUX_DAX     := build/linux-dax
LINUX_VMSA    := build/linux-vmsa
OTHER_KERNELS := $(addsuffix /Image,$(LINUX_HIGHMEM) $(LINUX_DAX) $(LINUX_VMSA))
$(OTHER_KERNELS): build/linux-%/Image: sw/linux/%.config $(LINUX_CONFIG) \
  $(LINUX_DOCUMENTS)/source/.patched
	@mkdir -p $(@D)
	@ln -sfn ../linux-documents/source $(@D)/source
	@bash sw/linux/build.sh $(strip $(LINUX_TARBALL)) $(@D) $(strip $(LINUX_CROSS)) $(JOBS) \
	  $(LINUX_CONFIG) $<

$(DOCUMENTS_OUT)/document-002: sw/linux/user/document/zero_pages.c $(DOCUMENTS_COUNTERS) \
  $(INCLUDES) | $(LINUX_PYTHON)
	$(call user_program,$(filter %.c,$^))
$(DOCUMENTS_OUT)/document-004: sw/linux/user/document/holes.c | $(LINUX_PYTHON)
	$(call user_program,$<)
$(DOCUMENTS_OUT)/document-build: sw/linux/user/document/build.c | $(LINUX_PYTHON)
	$(call user_program,$<)

# A compiler and make on the machine, and what they build there: documents 000 and 001.
TCC_ARCHIVE  := tcc_0.9.27+git20200814.62c30a4a.orig.tar.bz2
TCC_SHA256   := d63c113bcdd657f51c8ee197a0b0a24203603313e19a52b5f678d40ab7f5df35
MAKE_ARCHIVE := bmake_20200710.orig.tar.gz
MAKE_SHA256  := 6538fc4319ef79d178dca76d3b869f7aa93a9bb7b510df08a7d872c01a56b76c
COMPILER_OUT := $(LINUX_DOCUMENTS)/compiler

$(COMPILER_OUT)/tcc: sw/linux/user/compiler.sh sw/linux/user/document/build.mk \
  sw/linux/user/fetch_source.sh | $(LINUX_PYTHON)
	@bash sw/linux/user/fetch_source.sh tcc $(TCC_ARCHIVE) $(TCC_SHA256) $(@D)
	@bash sw/linux/user/fetch_source.sh bmake $(MAKE_ARCHIVE) $(MAKE_SHA256) $(@D)
	@bash sw/linux/user/compiler.sh $(@D)/$(TCC_ARCHIVE) $(@D)/$(MAKE_ARCHIVE) $(@D) \
	  "$(USER_ZIG)"
	@touch $@

# A file system of 256 KiB, in which a file is as long as it likes if it is a hole.
$(DOCUMENTS_OUT)/dax.ext2: sw/linux/documents.mk
	@mkdir -p $(@D)
	@rm -f $@
	@PATH=$$PATH:/usr/sbin:/sbin mke2fs -q -t ext2 -b 4096 -N 16 -m 0 -O ^resize_inode -U clear $@ 256k

# The root file system with them; and one with the compiler, which is four times as large.
$(DOCUMENTS_CPIO): $(LINUX_INITRAMFS) $(DOCUMENTS_PROGRAMS) $(DOCUMENTS_OUT)/dax.ext2 \
  sw/linux/user/document/holes.sh
	$(call initramfs_with,$(call in_initramfs,/bin,$(DOCUMENTS_PROGRAMS))$(strip \
	  )file /bin/document-004.sh sw/linux/user/document/holes.sh 0755 0 0\n$(strip \
	  )file /dax.ext2 $(DOCUMENTS_OUT)/dax.ext2 0644 0 0\nnod /dev/ram0 0600 0 0 b 1 0\n)
$(COMPILER_CPIO): $(LINUX_INITRAMFS) $(COMPILER_OUT)/tcc $(DOCUMENTS_OUT)/document-build
	$(call initramfs_with,$(call in_initramfs,/bin,$(addprefix $(COMPILER_OUT)/,tcc bmake) \
	  $(DOCUMENTS_OUT)/document-build),$(COMPILER_OUT)/initramfs.list)

DOCUMENTS_IMAGES := $(addprefix $(LINUX_DOCUMENTS)/,unmodified.elf patched.elf dax.elf lowmem.elf \
  highmem.elf short.elf)
$(DOCUMENTS_IMAGES): $(SBI_READY) sw/sbi/payload.S
	$(call linux_image,$@,$(filter %/Image,$^),$(filter %.cpio,$^))
$(LINUX_DOCUMENTS)/unmodified.elf: $(LINUX_OUT)/Image $(DOCUMENTS_CPIO)
$(LINUX_DOCUMENTS)/patched.elf: $(LINUX_DOCUMENTS)/Image $(DOCUMENTS_CPIO)
$(LINUX_DOCUMENTS)/dax.elf: $(LINUX_DAX)/Image $(DOCUMENTS_CPIO)
$(LINUX_DOCUMENTS)/lowmem.elf: $(LINUX_DOCUMENTS)/Image $(COMPILER_CPIO)
$(LINUX_DOCUMENTS)/highmem.elf: $(LINUX_HIGHMEM)/Image $(COMPILER_CPIO)
$(LINUX_DOCUMENTS)/short.elf: $(LINUX_HIGHMEM)/Image $(DOCUMENTS_CPIO)

# How far a kernel on Granule's own tables comes (docs/linux-tables.md).
$(LINUX_DOCUMENTS)/vmsa.elf: $(SBI_READY) $(LINUX_VMSA)/Image $(LINUX_INITRAMFS) sw/sbi/payload.S
	$(call linux_image,$@,$(LINUX_VMSA)/Image,$(LINUX_INITRAMFS))
.PHONY: linux-vmsa
linux-vmsa: setup linux-packages build/granule-sim $(LINUX_DOCUMENTS)/vmsa.elf
linux-vmsa: ## how far Linux comes on Granule's own tables
	@build/granule-sim --lowmem $(LINUX_MEMORY) --highmem 0 --append "earlycon=sbi panic=-1" \
	  $(LINUX_DOCUMENTS)/vmsa.elf

DOCUMENTS_READY := setup linux-packages sim build/granule-sim-ulx3s_copies \
  build/granule-sim-ulx3s_physical $(DOCUMENTS_IMAGES)
.PHONY: linux-documents
linux-documents: ## [measure, 1 h] four of the documents in Linux itself, on patched kernels
linux-documents: $(DOCUMENTS_READY)
	@$(PY) tb/tools/run.py linux-documents --jobs $(JOBS)
	@$(LINUX_PYTEST) tb/system/linux/test_documents.py $(PYTEST)
