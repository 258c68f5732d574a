# The whole-system simulator and the files that software and test bench include.

INCLUDES := build/include/.ready
.PHONY: includes
includes: $(INCLUDES) ## C headers, linker fragment and JSON of map, events and registers

$(INCLUDES): $(RTL_SOURCES) build.sc mill
	@echo "includes: writing headers (build/include)"
	@mkdir -p build/include
	@./mill --disable-ticker rtl.runMain granule.board.Includes $(CURDIR)/build/include \
	  > build/include/.log 2>&1 || { tail -n 40 build/include/.log >&2; exit 1; }
	@touch $@
