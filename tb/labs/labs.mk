# The labs of docs/labs: questions, starter code and grader. The archive of `make dist` uses this
# file too.

# What the programs of labs run on. All of it is in that archive.
LABS_SIMULATORS := build/granule-sim build/granule-sim-ulx3s build/granule-sim-mutants
LABS_FIRMWARE   := build/sw/granule.elf

LAB ?= 0 ## number of a lab
NAME ?= ## whose lab it is: the questions are made from this name
HANDIN ?= ## the folder of a student's work; empty: build/labs/labN-NAME
PREBUILT ?= ## a folder as build/, for the labs: simulators, headers, firmware; empty: built here
RESULT ?= ## file for the result of `make grade`, as JSON
KEY ?= ## 1: `make grade` prints the right answers, for teachers
VARIABLES += LAB NAME HANDIN PREBUILT RESULT KEY

# Labs and the report need a Python, and no package. The project's own keeps what is built up to
# date.
PLAIN_PY = $(shell command -v $(PY) || echo python3)
LABS_RUN = PREBUILT="$(strip $(PREBUILT))" $(PLAIN_PY) tb/labs/grade.py
# Only a name that was typed: some systems have a variable NAME of their own.
LABS_NAME = $(if $(filter command,$(origin NAME)),$(strip $(NAME)))
LABS_WHO = --lab "$(strip $(LAB))" --name "$(LABS_NAME)"
LABS_WHERE = $(if $(strip $(HANDIN)),--handin "$(strip $(HANDIN))")

LABS_TARGETS := lab questions answers explore grade measure
ifneq ($(filter $(LABS_TARGETS),$(MAKECMDGOALS)),)
ifeq ($(origin SEED),command line)
$(error SEED=$(SEED) is where random runs begin; a lab belongs to a name: write NAME=$(SEED))
endif
endif

.PHONY: $(LABS_TARGETS) check
lab: ## [teach, seconds] a student's folder for lab LAB: questions of NAME, starter code
	@$(LABS_RUN) start $(LABS_WHO) $(LABS_WHERE)

# Built before a lab is begun; the others when they are asked for. Labs 0 and 8 to 10, and numbers
# of no lab, need nothing built to begin.
LABS_BUILT = $(if $(strip $(PREBUILT)),,$(if $(filter 1 2 3 4 5 6 7,$(LAB)),build/granule-sim))
# Students' RTL is simulated by what is in .venv.
LABS_TOOLS = $(if $(strip $(PREBUILT)),,$(if $(filter 9 10,$(LAB)),$(VENV)))

$(LABS_TARGETS): $(LABS_BUILT) $(LABS_TOOLS)

questions: ## the questions of lab LAB for NAME
	@$(LABS_RUN) questions $(LABS_WHO)

answers: ## the questions of lab LAB with the answers, for teachers
	@$(LABS_RUN) questions -c $(LABS_WHO)

measure: ## what the simulator says about the figures of lab LAB
	@$(LABS_RUN) measure --lab "$(strip $(LAB))"

explore: ## what NAME tries out in lab LAB, run on the machine of NAME
	@$(LABS_RUN) explore $(LABS_WHO) $(LABS_WHERE)

check: ## [teach, seconds] is everything on this computer that labs need?
	@$(LABS_RUN) check

grade: ## [teach, a minute] points for what NAME handed in of lab LAB; RESULT=FILE for JSON
	@$(LABS_RUN) grade $(LABS_WHO) $(LABS_WHERE) $(if $(strip $(KEY)),-c) \
	  $(if $(strip $(RESULT)),--json "$(strip $(RESULT))")
