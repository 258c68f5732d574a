# All pages of the project as one folder. Its parts are built with Java; without Java it takes
# those that are there.

SITE_PARTS := $(if $(shell command -v java),build/web/index.html $(INCLUDES))
.PHONY: site
site: setup $(SITE_PARTS) ## build/site: README, docs, registers and web page
	@.venv/bin/mkdocs build --strict -f tb/tools/site/mkdocs.yml
	@echo "site: build/site/index.html"
