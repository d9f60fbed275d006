# Tallybox on one machine. `make demo` shows it, `make test` proves it; both set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help setup demo test evening check coverage mutants firmware soak-bridge soak-kiosk monkeys chaos split two-hosts bench-ingest stick venue fuzz fuzz-desk contract text goldens pictures lock clean

help:
	@echo "make demo    set up and run a whole room on this machine"
	@echo "make test    set up, check the code and run every test"
	@echo "make evening  the tests that take minutes each: whole rounds, evenings and games by mouse and by robots"
	@echo "make setup   set up alone, into $(VENV)"
	@echo "make check   style, types and the floors of the house"
	@echo "make coverage  test the ground floor alone; every branch of it must be taken"
	@echo "make mutants   change the rules a little, thousands of times; the tests must notice (half an hour)"
	@echo "make firmware  check the card reader's firmware against the Pico's stubs and compile it, into build/firmware"
	@echo "make soak-bridge  10,000 scans through the firmware over lines that damage (about five minutes)"
	@echo "make soak-kiosk  kill a table's box after every write of a round of each ruleset (about a quarter of an hour)"
	@echo "make monkeys   any tap, card or restart in any order at a table, 200 times (MONKEYS=500 for more)"
	@echo "make chaos   kill, cut off and fill up a whole room, then count that nothing was lost (ten minutes; MINUTES=2 SEED=7)"
	@echo "make fuzz    bytes that nobody thought of, for the reader protocol (ten minutes; SECONDS=60 for one)"
	@echo "make fuzz-desk  requests that nobody thought of, at every address of the dashboard, with every role"
	@echo "make split   500 histories of boxes and hubs that came back from an older copy"
	@echo "make two-hosts  a hub and a box on two machines: cable, clock, moved hub (a minute; root)"
	@echo "make bench-ingest  drain a four-hour outage of 300 tables (some minutes)"
	@echo "make stick   fill a stick with all that a venue is installed from (STICK=FOLDER VENUE=FOLDER)"
	@echo "make venue   install a hub and a kiosk into bare systems here, play, go on and back (root)"
	@echo "make contract  write docs/asyncapi.yaml anew from the message types"
	@echo "make text    collect the sentences of the table's screen, bring the catalogues up to date, compile them"
	@echo "make goldens   draw every screen of a table anew and say which tiles changed"
	@echo "make pictures  draw the pictures of both guides anew"
	@echo "make lock    pin every dependency anew, with hashes"

$(VENV)/.ready: constraints.txt pyproject.toml deploy/setup/debian-packages.sh
	deploy/setup/debian-packages.sh run
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.test-ready: $(VENV)/.ready
	deploy/setup/debian-packages.sh test
	touch $@

setup: $(VENV)/.test-ready

demo: $(VENV)/.ready
	$(BIN)/tallybox demo $(ARGS)

check: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: setup $(VENV)/ansible/.ready
	$(MAKE) --jobs 2 --output-sync=target check coverage
	$(BIN)/pytest --ignore tests/tallybox --hypothesis-profile ci --numprocesses 2 --dist loadfile --no-loadscope-reorder

evening: $(VENV)/.test-ready
	$(BIN)/pytest tests -m evening

coverage: $(VENV)/.test-ready
	$(BIN)/pytest tests/tallybox --hypothesis-profile ci --cov --cov-report term-missing:skip-covered --numprocesses 2 --dist loadfile

mutants: $(VENV)/.ready
	nice $(BIN)/mutmut run --max-children $(or $(JOBS),1) 'tallybox.rules.*'
	$(BIN)/python deploy/setup/mutation_score.py

firmware: $(VENV)/.ready
	$(BIN)/python -m deploy.firmware

soak-bridge: $(VENV)/.ready
	nice $(BIN)/python -m deploy.soak.bridge $(ARGS)

soak-kiosk: $(VENV)/.ready
	nice $(BIN)/python -m deploy.soak.kiosk $(ARGS)

monkeys: $(VENV)/.test-ready
	TALLYBOX_MONKEYS=$(or $(MONKEYS),200) nice $(BIN)/pytest tests/kiosk/pixels/test_pixels_monkey.py

chaos: $(VENV)/.ready
	nice $(BIN)/tallybox chaos --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

split: $(VENV)/.test-ready
	TALLYBOX_SPLIT_EXAMPLES=$(or $(HISTORIES),500) nice $(BIN)/pytest tests/e2e/test_e2e_split_laws.py --timeout 3600

$(VENV)/fuzz/.ready: deploy/setup/fuzz.txt
	$(PYTHON) -m venv $(VENV)/fuzz
	$(VENV)/fuzz/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $@

fuzz: $(VENV)/fuzz/.ready
	nice $(VENV)/fuzz/bin/python -m deploy.fuzz $(or $(SECONDS),600)

fuzz-desk: $(VENV)/.test-ready
	TALLYBOX_FUZZ=$(or $(REQUESTS),3000) nice $(BIN)/pytest tests/hub/web/test_web_fuzz.py

$(VENV)/ansible/.ready: deploy/setup/ansible.txt
	$(PYTHON) -m venv $(VENV)/ansible
	$(VENV)/ansible/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $@

two-hosts: $(VENV)/.test-ready
	TALLYBOX_TWO_HOSTS=whole $(BIN)/pytest tests/e2e/test_e2e_two_hosts.py

bench-ingest: $(VENV)/.ready
	$(BIN)/tallybox bench ingest --outage

stick: $(VENV)/.ready $(VENV)/ansible/.ready
	$(BIN)/python -m deploy.wheelhouse $(STICK) $(if $(VENUE),--venue $(VENUE)) $(ARGS)

venue: $(VENV)/.test-ready $(VENV)/ansible/.ready
	$(BIN)/python -m deploy.venue_trial

contract: $(VENV)/.ready
	$(BIN)/python -m deploy.asyncapi > docs/asyncapi.yaml

text: $(VENV)/.ready
	$(BIN)/python -m deploy.text

goldens: $(VENV)/.test-ready
	$(BIN)/python tests/kiosk/pixels/draw_goldens.py

pictures: $(VENV)/.test-ready
	$(BIN)/python tests/kiosk/pixels/draw_pictures.py
	$(BIN)/python tests/e2e/draw_desk_pictures.py

lock: $(VENV)/.ready
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install --quiet uv
	deploy/setup/lock.sh $(VENV)/lock/bin/uv
	$(BIN)/python deploy/setup/licences.py

clean:
	rm -rf $(VENV) build mutants .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis
