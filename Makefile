# make reproduce   set up, fetch the data, execute every notebook, compare with the committed results
# make test        set up, lint, check the types, unit tests, validate the executed notebooks with nbval
# make site        build the site from the committed results, into build/site/index.html
# make site-zip    the same as one file, build/site.zip
# make site-test   build the site and test every page in a browser (Chromium or Chrome)
# make screenshots pictures of the site's pages, into .work/screenshots (PAGES="index data" for those alone)
# make lab         open the notebooks in JupyterLab
# make data        fetch and verify the data sets, for working without a network later
# make bench       time and memory beside the best peers, into benchmarks/README.md (under an hour; ROWS="gda perceptron" for those alone)
# make claims      run every note with twenty other seeds, into results/claims (takes hours; goes on where it was stopped)
# make claims-sample   two notes with one of these seeds, others every day, held against results/claims
# make faults      kill runs at random moments and look for missing or mixed results (takes minutes)
# make mutants     change the library's formulas one at a time and see whether a test notices (takes hours)
# make lock        resolve pyproject.toml into a new requirements.lock
# make clean       remove the environment and scratch files (not the shared data cache)

.PHONY: reproduce test site site-zip site-test screenshots lab data bench claims claims-sample faults mutants lock clean setup
.DEFAULT_GOAL := help

export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PYTHON
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV
# compiled once, not anew in each of the hundred processes of a run: imports were a third of the time of a short notebook
unexport PYTHONDONTWRITEBYTECODE

setup:
	@sh .ci/setup

reproduce: setup
	@python -m course reproduce

test: setup
	@ruff check .
	@ruff format --check .
	@mypy
	@# two processes fill two cores: with two threads of linear algebra in each they would wait for each other
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python -m pytest -n 2
	@python -m course validate

site: setup
	@python -m course site

site-zip: setup
	@python -m course site --zip

site-test: setup
	@python tests/site/browser.py
	@$(MAKE) --no-print-directory site
	@python -m pytest tests/site -n 2 --dist worksteal

screenshots: setup
	@python tests/site/screenshots.py $(PAGES)

lab: setup
	@jupyter lab --notebook-dir=notebooks

data: setup
	@python -m course data

bench: setup
	@python -m benchmarks.peers
	@.work/peers/bin/python -m benchmarks $(ROWS)

claims: setup
	@python -m course claims

claims-sample: setup
	@python -m course claims --sample 2

faults: setup
	@python tests/course/faults.py

mutants: setup
	@python tests/mutants

lock: setup
	@uv pip compile --quiet --upgrade --universal --python-version 3.11 --fork-strategy fewest \
		--generate-hashes --no-annotate --all-extras pyproject.toml -o requirements.lock

clean:
	rm -rf .venv .work .pytest_cache .ruff_cache .mypy_cache .hypothesis build dist dvc_plots *.egg-info .dvc/tmp .dvc/cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help:
	@sed -n 's/^# make/make/p' Makefile
