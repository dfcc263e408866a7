# A thin front over the CMake presets. Everything lands in build/.
#
#   make deps      install the Debian packages that building and testing need (once)
#   make           build; build/bin/cfuzz-test works in place
#   make demo      the main job on a sample package: seeds, fuzzing, a crasher, its re-run
#   make test      every test, also under ASan and UBSan
#   make bench     cfuzz and its peers on the same work, three quarters of an hour; SHORT=1: two minutes
#   make projects  ten projects of others, from Debian's sources to a fuzzing run; RUNS=2000: a quick look
#   make torture   an hour of fuzzing under kills, full disks and failing calls; SECONDS=120: two minutes
#   make selffuzz  cfuzz's own fuzz tests under ASan and UBSan; COUNT=10000000 executions in all
#   make harnesses harnesses of eleven Debian packages, run and fuzzed as they are; FUZZTIME=5s each, SECONDS=1500 a
#                  package; ONLY="expat lz4" takes these, RESUME=1 goes on behind an earlier run
#   make ossfuzz-image  OSS-Fuzz's images played in a root directory of Debian's packages, as root; WORK=dir keeps it
#   make browser-test  headless Chromium looks at the report; SHOTS=dir leaves screenshots
#   make install   PREFIX=/usr/local by default, DESTDIR= for packagers
#   make deb       a Debian package in build/deb; LLVM="14 19" for these plugins alone
#   make check-deb the same, and installs and uses it in a copy of this system
#   make clean
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

all: deps-demo
	@cmake/build.sh release $(JOBS)

deps:
	@cmake/deps.sh test

# What `make` and `make demo` need: LLVM 19 and the driver's libraries, no tests.
deps-demo:
	@cmake/deps.sh demo

demo: all
	@cmake/demo.sh build

test: deps
	@cmake/build.sh release $(JOBS)
	@cmake/build.sh asan $(JOBS)
	@cmake/test.sh $(JOBS)

bench: all
	@cmake/deps.sh bench
	@bench/run.py $(if $(SHORT),--short)

# Needs the network, and hours: bench/libraries.py --help says how to measure less.
bench-libraries: all
	@cmake/deps.sh bench
	@bench/libraries.py

projects: all
	@cmake/deps.sh projects
	@tests/projects/run.py $(if $(RUNS),--runs $(RUNS))

torture: all
	@tests/torture/torture.py --seconds $(or $(SECONDS),3600) $(if $(SEED),--seed $(SEED))

selffuzz: all
	@tests/fuzz/selffuzz.py --count $(or $(COUNT),10000000)

harnesses: all
	@cmake/deps.sh harnesses
	@tests/harnesses/harnesses.py --fuzztime $(or $(FUZZTIME),5s) --limit $(or $(SECONDS),1500) \
	    $(if $(RESUME),--resume) $(ONLY); status=$$?; \
	    [ $$status = 77 ] || exit $$status

ossfuzz-image: all
	@cmake/deps.sh image
	@tests/ossfuzz/run.py --build build --image $(if $(WORK),--work $(WORK)); status=$$?; \
	    [ $$status = 77 ] || exit $$status

browser-test: all
	@cmake/deps.sh browser
	@tests/browser/run.py $(if $(SHOTS),--keep $(SHOTS))

install: all
	cmake --install build --prefix $(PREFIX)

deps-deb:
	@cmake/deps.sh deb

deb: deps-deb
	@JOBS=$(JOBS) LLVM="$(LLVM)" cmake/deb.sh

check-deb: deb
	@tests/package/run.sh build/deb/cfuzz_*_*.deb

clean:
	rm -rf build

.PHONY: all deps deps-demo demo test bench bench-libraries projects torture selffuzz harnesses ossfuzz-image \
    browser-test install deps-deb deb check-deb clean
