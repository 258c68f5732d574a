# The pages of README and docs, as a reader follows them.

.PHONY: test-docs
test-docs: ## the shell blocks of README and docs that need a build
test-docs: setup sim sim-trace firmware
	@$(PY) -m pytest -n $(JOBS) --dist loadgroup -m slow tb/docs $(PYTEST)
