# The labs of docs/labs: questions, starter code and grader. The archive of `make dist` uses this
# file too.

# What the programs of labs run on. All of it is in that archive.
LABS_SIMULATORS := build/granule-sim build/granule-sim-ulx3s build/granule-sim-mutants
LABS_FIRMWARE   := build/sw/granule.elf

LAB ?= 0 ## number of a lab
SEED ?= ## the name that a student's questions are made from
HANDIN ?= ## the folder of a student's work; empty: build/labs/labN-SEED
PREBUILT ?= ## a folder as build/, for the labs: simulators, headers, firmware; empty: built here
RESULT ?= ## file for the result of `make grade`, as JSON
KEY ?= ## 1: `make grade` prints the right answers below, for teachers
VARIABLES += LAB SEED HANDIN PREBUILT RESULT KEY

LABS_RUN = PREBUILT="$(strip $(PREBUILT))" $(PY) tb/labs/grade.py
# A name that somebody gave: boards have a SEED of their own.
LABS_NAME = $(if $(filter file,$(origin SEED)),,$(strip $(SEED)))
LABS_WHO = --lab "$(strip $(LAB))" --seed "$(LABS_NAME)"
LABS_WHERE = $(if $(strip $(HANDIN)),--handin "$(strip $(HANDIN))")

.PHONY: lab questions answers explore grade measure check
lab: $(VENV) ## a student's folder for lab LAB: questions of SEED, starter code
	@$(LABS_RUN) start $(LABS_WHO) $(LABS_WHERE)

# Built before a lab is begun; the others when they are asked for.
LABS_BUILT = $(if $(strip $(PREBUILT)),,$(if $(filter-out 0 8 9 10,$(LAB)),build/granule-sim))

lab questions answers explore grade measure: $(LABS_BUILT)

questions: $(VENV) ## the questions of lab LAB for SEED
	@$(LABS_RUN) questions $(LABS_WHO)

answers: $(VENV) ## the same with the answers, for teachers
	@$(LABS_RUN) questions -c $(LABS_WHO)

measure: $(VENV) ## what the simulator says about the figures of lab LAB
	@$(LABS_RUN) measure --lab "$(strip $(LAB))"

explore: $(VENV) ## what SEED tries out in lab LAB, run on the machine of SEED
	@$(LABS_RUN) explore $(LABS_WHO) $(LABS_WHERE)

check: $(VENV) ## is everything on this computer that labs need?
	@$(LABS_RUN) check

grade: $(VENV) ## points for what SEED handed in of lab LAB; RESULT=FILE for JSON
	@$(LABS_RUN) grade $(LABS_WHO) $(LABS_WHERE) $(if $(strip $(KEY)),-c) \
	  $(if $(strip $(RESULT)),--json "$(strip $(RESULT))")
