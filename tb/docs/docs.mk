# The pages of README and docs, as a reader follows them.

# `make test` runs those that need no build, `make test-labs` all.
EXAMPLES := tb/docs/test_shell.py tb/docs/test_notebooks.py

.PHONY: test-docs
test-docs: ## the examples of README, docs and notebooks that need a build
test-docs: setup sim sim-trace firmware
	@$(PY) -m pytest -n $(JOBS) --dist loadgroup -m slow $(EXAMPLES) $(PYTEST)
