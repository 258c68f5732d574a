# Scala beside the RTL's: the broken machines of lab 8, and what students write in labs 9 and 10.

# Where Java finds the RTL and its compiler, for files of Scala beside it (tb/labs/scala.py).
CLASSPATH := build/labs/classpath.json
CLASSES := {rtl.runClasspath,rtl.scalaCompilerClasspath,rtl.scalacPluginClasspath}
$(CLASSPATH): $(RTL_SOURCES) build.sc mill | $(VENV)
	@echo "labs: building the RTL's classes"
	@mkdir -p $(@D)
	@./mill --disable-ticker show '$(CLASSES)' > $@.part 2> build/labs/classpath.log || \
	  { tail -n 40 build/labs/classpath.log >&2; exit 1; }
	@mv $@.part $@

# The machine of lab 8, which has a choice of defects.
MUTANTS_RTL := build/rtl/simsoc_mutants.v
$(MUTANTS_RTL): $(CLASSPATH) $(addprefix tb/labs/,defects.py choices.py hardware/Defect.scala)
	@echo "labs: a machine with defects"
	@mkdir -p $(@D)
	@$(PY) tb/labs/defects.py $@

build/granule-sim-mutants: $(SIM_SOURCES) $(MUTANTS_RTL) $(INCLUDES)
	$(call build_simulator,mutants,quick)
