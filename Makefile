# `make` by itself prints the targets: those lines are the comments behind `##`.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
comma := ,
VERSION := $(shell sed -n 's/^public let productVersion = "\(.*\)"$$/\1/p' Sources/CLI/Configuration/Version.swift)

# The commands, the tests and the Debian package use FFTW. The package by itself does not, so that an importer gets no GPL
# code. Not with lld: it keeps all of Foundation, and a command has 62 MB instead of 18. binutils' own linker packs relocations
# (glibc 2.36 reads them), and nobody looks symbols of a program up: 19 MB instead of 21, musicstand 24 instead of 27. It warns
# of mktemp in Foundation's static library, unless CLinuxCalls stands in for it. A function in a section of its own is left out
# where nobody calls it, needs no 16 bytes to begin at (loops keep what they ask for), and Swift code no unwind tables.
# The C++ is the reader of settings, built for size.
# The functions of libraries are bound at the start, which takes no time that shows: then nobody can write into their table.
# TLS=1: musicstand encrypts, with the certificate that it is given.
TLS ?=
COMMANDS := -c release --static-swift-stdlib --traits FFTW$(if $(TLS),$(comma)TLS) -Xlinker --wrap=mktemp \
	-Xcxx -Os -Xswiftc -use-ld=bfd -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xllvm -Xswiftc -align-all-functions=1 \
	-Xlinker -z -Xlinker now -Xlinker -T -Xlinker "$(CURDIR)/packaging/commands.ld"
# Optimised, as a pitch test takes twenty times as long without, and with the access that @testable imports need.
TESTS := -c release --build-tests --traits FFTW -Xswiftc -enable-testing -Xswiftc -use-ld=lld --scratch-path .build-test
BIN := $(CURDIR)/.build/release

# Without a name SwiftPM builds the tests' programs, too. First the one with the most code of others, which goes beside ours.
PRODUCTS := musicstand tuner metronome
# In debug: the real-time code and what it needs, and what else has examples in its documentation. Of targets, since SwiftPM
# builds everything for a library's name.
DEBUG_TARGETS := WellTempered ALSABackend EmbeddingC PracticeLog ScorePages

BUILD_PACKAGES := libasound2-dev libfftw3-dev libsndfile1-dev libsqlite3-dev libqrencode-dev libpng-dev \
	libturbojpeg0-dev libexpat1-dev libmd-dev pkg-config
# alsa-utils: aplay and arecord. pipewire, wireplumber: the virtual sound server. sox, flac: independent makers of test
# sound, in MP3 too. jq: an example of the README. locales: a decimal comma. procps, util-linux: the rigs' scripts. tmux: a
# terminal. zsh, fish, bash-completion: the shells that complete command lines. poppler-utils, mupdf-tools: pages of PDFs.
TEST_PACKAGES := $(BUILD_PACKAGES) alsa-utils pipewire pipewire-alsa wireplumber libpipewire-0.3-common sox \
	flac jq procps util-linux tmux librsvg2-bin locales gcc libc6-dev valgrind python3 zsh fish bash-completion \
	libsox-fmt-mp3 poppler-utils mupdf-tools
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Benchmarks \
	samples/apps/Package.swift samples/apps/Sources

# Suites that play or hear sound, on a card inside the process or on a sound server, or run in a terminal.
DEVICE_TESTS := VirtualAudioTests|ALSABackendTests
# Suites that run the commands and mostly wait for them: in a process of their own, beside those that compute.
COMMAND_TESTS := TunerCommandTests|MetronomeCommandTests

.PHONY: help
help:
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

.PHONY: build demo
build: build-needs ## the three commands, optimised
	for product in $(PRODUCTS); do $(SWIFT) build $(COMMANDS) --product $$product -j $(JOBS) || exit; done

demo: build ## install what is missing, build, tune the shipped recordings, render a click track and check it
	sh samples/demo.sh "$(BIN)"

# --- Tests. `tidy.sh` runs a command with a temporary folder of its own and fails where files or processes remain.

TIDY := sh Tests/Rigs/tidy.sh
export SWIFT JOBS

.PHONY: test check build-tests build-probe build-debug build-shipped
test: test-needs ## the logic: everything that needs no sound device, optimised; and the real-time check of a debug build
	@$(TIDY) $(MAKE) --no-print-directory -j 2 --output-sync=target build-debug test-logic test-commands

# Two at a time: a build by itself leaves a core idle while it waits for a module that the others need. The devices come
# last, when nothing else keeps the sound server from its work. The browser has both cores to itself, and so has the memory test:
# niced, beside the browser, it got 2 % of a core on a machine that had other work, and took hours.
CHECKS := lint build-shipped test-logic test-commands test-importer test-c-library test-threads test-documentation test-soak \
	test-stand test-devices
.PHONY: $(CHECKS) test-memory test-browser
check: test-needs ## everything: format, logic, devices, threads, importer, C library, documentation, page
	@$(TIDY) $(MAKE) --no-print-directory -j 2 --output-sync=target $(CHECKS)
	@$(TIDY) $(MAKE) --no-print-directory test-browser
	@$(TIDY) $(MAKE) --no-print-directory test-memory

# TIMES=10 BUSY=2: check again and again beside busy loops, and how long each run took.
TIMES ?= 10
BUSY ?= 2
.PHONY: check-again
check-again: test-needs
	@sh Tests/Rigs/check-again.sh $(TIMES) $(BUSY)

build-tests:
	$(SWIFT) build $(TESTS) -j $(JOBS)

# A program that plays and listens, for tests and measurements.
build-probe: build
	$(SWIFT) build $(COMMANDS) --product stream-probe -j $(JOBS)

# The compiler's real-time check is stricter in a debug build. importer.sh makes one with the trait FFTW.
build-debug:
	for target in $(DEBUG_TARGETS); do $(SWIFT) build --target $$target -j $(JOBS) || exit; done

# The commands as they are installed. SwiftPM does not fail at a warning of the linker.
# A debug build goes first, in the same recipe: make would start other targets between the two. stream-probe tests devices.
build-shipped:
	@mkdir -p .build
	for target in $(DEBUG_TARGETS); do $(SWIFT) build --target $$target -j $(JOBS) || exit; done
	(for product in $(PRODUCTS) stream-probe; do $(SWIFT) build $(COMMANDS) --product $$product -j $(JOBS) || exit; done) \
		> .build/shipped.log 2>&1 || { cat .build/shipped.log >&2; exit 1; }
	@! grep "warning: " .build/shipped.log >&2

# What devices are told against what is heard, what hostile clients cost, and that nobody moves a sample of the sound.
test-stand: build-shipped
	sh Tests/Rigs/size.sh "$(BIN)"
	sh Tests/Rigs/hardening.sh "$(BIN)"
	python3 Tests/Stand/samples.py "$(BIN)"
	python3 Tests/Stand/course.py "$(BIN)/musicstand"
	python3 Tests/Stand/commands.py "$(BIN)/musicstand"
	python3 Tests/Stand/restart.py "$(BIN)/musicstand"
	python3 Tests/Stand/hostile.py "$(BIN)/musicstand"

# Not part of check: BoringSSL alone takes minutes to build. A debug build, of the stand only.
.PHONY: test-tls
test-tls: test-needs
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" openssl
	$(SWIFT) build --traits TLS --product musicstand --scratch-path .build-tls -j $(JOBS)
	@$(TIDY) python3 Tests/Stand/encryption.py .build-tls/debug/musicstand

# Of the tests' own build, so that a change is built once.
test-logic: build-tests
	sh Tests/Rigs/run-tests.sh .build-test/release logic --skip '$(DEVICE_TESTS)|$(COMMAND_TESTS)'

test-commands: build-tests
	sh Tests/Rigs/run-tests.sh .build-test/release commands --filter '$(COMMAND_TESTS)'

test-devices: build-shipped build-tests
	WELL_TEMPERED_BIN="$(BIN)" sh Tests/Rigs/run-tests.sh .build-test/release devices --filter '$(DEVICE_TESTS)'

# The worst input of each kind: at most 200 MB.
test-memory: build-shipped
	sh -c 'python3 Tests/Rigs/memory.py "$$1" 1/2 & \
		python3 Tests/Rigs/memory.py "$$1" 2/2; status=$$?; wait $$! && exit $$status' - "$(BIN)"

# A day and some hours: frame counts beyond 2^32.
test-soak: build-tests
	@.build-test/release/soak --days 1.1 > .build-test/soak.log || { cat .build-test/soak.log >&2; exit 1; }
	@tail -n 1 .build-test/soak.log

test-threads:
	$(SWIFT) build --build-tests --sanitize=thread --package-path Tests/ThreadSanitizer --scratch-path .build-tsan -j $(JOBS)
	sh Tests/Rigs/run-tests.sh .build-tsan/debug threads --filter ThreadTests

# As an importer gets it, without the trait FFTW and with it.
test-importer:
	sh Tests/Rigs/importer.sh

test-c-library:
	sh Tests/Rigs/c-library.sh

# On the debug build, and not while another build uses the same folder.
test-documentation: build-shipped
	sh Tests/Rigs/documentation.sh

# MINUTES=3: the music stand's page in Chromium, against the shipped command; 30 is the long form. Selenium comes from PyPI
# into .build/browser. Pictures of the page go to .build/screens; SCREENS=Tests/Browser/screens renews those that are kept,
# among them that of the README.
MINUTES ?= 3
test-browser: build-shipped
	@SUDO="$(SUDO)" MINUTES=$(MINUTES) WELL_TEMPERED_BIN="$(BIN)" sh Tests/Browser/run.sh

lint: ## report files that are not in the project's format
	$(SWIFT) format lint --strict --recursive $(SWIFT_SOURCES)
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" nodejs node-typescript
	sh Tests/Browser/lint.sh

format: ## put every Swift file in the project's format
	$(SWIFT) format --in-place --recursive $(SWIFT_SOURCES)

.PHONY: soak sanitize fuzz
DAYS ?= 30
# Engines, displays and streams for DAYS of simulated time, with a fault in each minute.
soak: test-needs build-tests
	@sh Tests/Rigs/soak.sh .build-test/release $(DAYS)

# MINUTES=120: both commands in real time on sound servers, with all cores busy.
.PHONY: stress
stress: test-needs build-probe
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" stress-ng
	sh Tests/Rigs/stress.sh "$(BIN)" $(if $(filter file undefined,$(origin MINUTES)),120,$(MINUTES))

# The command tests under AddressSanitizer and UndefinedBehaviorSanitizer, and under ThreadSanitizer.
sanitize: test-needs build-tests
	$(SWIFT) build -c release --traits FFTW -Xswiftc -use-ld=lld --sanitize=address -Xcc -fsanitize=undefined \
		-Xcc -fno-sanitize=unreachable -Xcc -fsanitize-ignorelist="$(CURDIR)/Tests/Fuzz/sanitizer-ignore.txt" \
		--scratch-path .build-asan -j $(JOBS)
	sh Tests/Rigs/sanitize.sh address .build-asan/release
	sh Tests/Rigs/thread-sanitizer.sh .build-tsan-bin
	sh Tests/Rigs/sanitize.sh thread .build-tsan-bin/release

SECONDS ?= $(if $(RUNS),0,60)
fuzz: test-needs ## SECONDS=60: damaged inputs to every reader; TARGETS="scale midi" RUNS=10000000 PLAIN=1
	SWIFT="$(SWIFT)" JOBS=$(JOBS) RUNS="$(RUNS)" PLAIN="$(PLAIN)" LONGEST="$(LONGEST)" sh Tests/Fuzz/fuzz.sh $(SECONDS) $(TARGETS)

# --- Documentation, installation, packages.

.PHONY: docs install install-c uninstall deb c-library c-header clean
docs: ## the documentation, and how much of the public symbols it covers
	sh Tests/Rigs/documentation.sh

SHARE = $(DESTDIR)$(PREFIX)/share
install: build ## PREFIX=/usr/local: the three commands, their manual pages and completions
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s -m 755 "$(BIN)/tuner" "$(BIN)/metronome" "$(BIN)/musicstand" "$(DESTDIR)$(PREFIX)/bin"
	install -d "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" \
		"$(SHARE)/fish/vendor_completions.d" "$(SHARE)/man/man1"
	for name in tuner metronome musicstand; do \
		command="$(DESTDIR)$(PREFIX)/bin/$$name"; \
		"$$command" --generate-completion-script bash > "$(SHARE)/bash-completion/completions/$$name" && \
		"$$command" --generate-completion-script zsh > "$(SHARE)/zsh/site-functions/_$$name" && \
		"$$command" --generate-completion-script fish > "$(SHARE)/fish/vendor_completions.d/$$name.fish" && \
		"$$command" --generate-manual > "$(SHARE)/man/man1/$$name.1" || exit; \
	done

# For C: a library that carries the Swift runtime inside, shows nothing but wt_*, and uses no FFTW (see the licence).
C_LIBRARY := .build-c/release/libwelltempered.so.0
C_HEADERS := Sources/C/CWellTempered/include
c-library:
	$(SWIFT) build -c release --scratch-path .build-c --product WellTemperedC -j $(JOBS)
	swiftc -use-ld=lld -emit-library -static-stdlib -O @.build-c/release/WellTemperedC.product/Objects.LinkFileList \
		-Xlinker --version-script=Sources/C/CWellTempered/exports.map -Xlinker -soname=libwelltempered.so.0 \
		-Xlinker --gc-sections -Xlinker -s -o $(C_LIBRARY)

c-header: c-library ## write the C library's header from its Swift functions; make check fails where they differ
	sh packaging/c-header.sh "$(dir $(C_LIBRARY))" > $(C_LIBRARY).h
	mv $(C_LIBRARY).h $(C_HEADERS)/well_tempered.h

install-c: c-library ## PREFIX=/usr/local: the library, headers and pkg-config file for C
	install -d "$(DESTDIR)$(PREFIX)/lib/pkgconfig" "$(DESTDIR)$(PREFIX)/include"
	install -m 755 $(C_LIBRARY) "$(DESTDIR)$(PREFIX)/lib"
	ln -sf libwelltempered.so.0 "$(DESTDIR)$(PREFIX)/lib/libwelltempered.so"
	install -m 644 $(C_HEADERS)/well_tempered.h $(C_HEADERS)/well_tempered_types.h "$(DESTDIR)$(PREFIX)/include"
	sed 's|@PREFIX@|$(PREFIX)|;s|@VERSION@|$(VERSION)|' Sources/C/CWellTempered/welltempered.pc.in \
		> "$(DESTDIR)$(PREFIX)/lib/pkgconfig/welltempered.pc"
	@# Or the loader would not know of it; as root, and not into a tree that becomes a package.
	[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

uninstall: ## PREFIX=/usr/local: remove what both installs have put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/tuner" "$(DESTDIR)$(PREFIX)/bin/metronome" "$(DESTDIR)$(PREFIX)/bin/musicstand" \
		"$(DESTDIR)$(PREFIX)/lib/libwelltempered.so" "$(DESTDIR)$(PREFIX)/lib/libwelltempered.so.0" \
		"$(DESTDIR)$(PREFIX)/lib/pkgconfig/welltempered.pc" \
		"$(DESTDIR)$(PREFIX)/include/well_tempered.h" "$(DESTDIR)$(PREFIX)/include/well_tempered_types.h"
	for name in tuner metronome musicstand; do rm -f "$(SHARE)/bash-completion/completions/$$name" \
		"$(SHARE)/zsh/site-functions/_$$name" "$(SHARE)/fish/vendor_completions.d/$$name.fish" \
		"$(SHARE)/man/man1/$$name.1"; done

# Its name is the version's and the machine's.
DEB = well-tempered_$(VERSION)-1_$(shell dpkg --print-architecture).deb
deb: build ## a Debian package, its checksum, bill of materials; CHECK=1 installs it in Debian 12, 13, Ubuntu 24.04
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES) dpkg-dev binutils python3 $(if $(CHECK),lintian debootstrap)
	rm -rf .build-deb
	$(MAKE) install PREFIX=/usr DESTDIR="$(CURDIR)/.build-deb"
	sh packaging/deb.sh .build-deb $(VERSION) $(DEB)
	$(SWIFT) package show-dependencies --format json | python3 packaging/sbom.py $(DEB) $(VERSION) > $(DEB:.deb=.spdx.json)
	sha256sum $(DEB) > $(DEB).sha256
	$(if $(CHECK),for suite in bookworm trixie noble; do $(SUDO) sh Tests/Rigs/deb.sh $(DEB) $$suite || exit; done)

# --- Measurements.

PARTS := all kernels rivals startup drawing beats beats-sound round-trip server-restarts ten-minutes bars melodies scores build-cost
PART ?= all
.PHONY: bench bench-check bench-known benchmarks-seen $(addprefix bench-,$(PARTS)) bench-check-slowed
bench: bench-known ## measure everything beside the rivals: Benchmarks/RESULTS.md; PART=help lists single parts
	@$(MAKE) --no-print-directory bench-$(PART)

bench-known:
	@case " help $(PARTS) " in *" $(PART) "*) ;; *) \
		echo "make bench: no part is named '$(PART)'; PART=help lists them" >&2; exit 2 ;; esac

bench-help:
	@sed -n 's/^bench-\([a-z-]*\):.*#- \(.*\)/PART=\1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

# In minutes, and best on a machine that does nothing else. LOAD="..." says in the page what else ran.
bench-all: test-needs benchmarks-seen #- everything, into Benchmarks/RESULTS.md and plots; takes minutes
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" binutils perl
	sh Benchmarks/run.sh

bench-rivals: #- fetch the rivals: aubio, lingot, klick; Praat for Python in .build-rivals
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" libaubio5 liblingot0 klick python3-venv
	[ -x .build-rivals/bin/python ] || python3 -m venv .build-rivals
	.build-rivals/bin/pip install --quiet praat-parselmouth

bench-kernels: build-needs benchmarks-seen #- wall and processor time of every kernel
	$(SWIFT) package --package-path Benchmarks --allow-writing-to-package-directory benchmark \
		--target KernelBenchmarks --no-progress

# Counted, not timed: the same on a busy machine.
BENCHMARKS := --package-path Benchmarks -c release -j $(JOBS)
bench-check: ## compare instructions of every kernel with its threshold; PART=slowed proves that it can fail
	@$(MAKE) --no-print-directory $(if $(filter slowed,$(PART)),bench-check-slowed,bench-check-all)

.PHONY: bench-check-all
bench-check-all: benchmarks-seen
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES) valgrind binutils
	$(SWIFT) build $(BENCHMARKS) --product bench
	"$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/bench" check --thresholds Benchmarks/thresholds.json

# On a copy of the repository in which two kernels do their work twice.
bench-check-slowed:
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES) valgrind binutils rsync perl
	sh Benchmarks/slowed-kernels.sh

# SwiftPM plans anew when a manifest changes, not when a file is added to the package that this one depends on.
benchmarks-seen:
	@touch Benchmarks/Package.swift

bench-beats: build-needs benchmarks-seen #- 18 million beats, each compared with integers of any size
	$(SWIFT) run $(BENCHMARKS) BeatOracle

bench-beats-sound: build-needs benchmarks-seen #- the same, rendered: each click located in 3,390 hours of sound; ten minutes
	$(SWIFT) run $(BENCHMARKS) BeatOracle sound

bench-startup: build #- time to the commands' first byte, frame and reading
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES) gcc libc6-dev python3
	sh Benchmarks/startup.sh "$(BIN)"
	sh Tests/Rigs/test-card.sh run python3 Benchmarks/startup-terminal.py "$(BIN)"

bench-drawing: test-needs build #- what the displays cost at each size and in each view; fails above 1 % of a core
	sh Tests/Rigs/test-card.sh run bash Tests/Rigs/drawing-cost.sh "$(BIN)"

bench-round-trip: test-needs build-probe #- latency through a sound server at 64 to 1,024 frames, beside a program in C
	sh Tests/Rigs/round-trip.sh "$(BIN)"

bench-server-restarts: test-needs build-probe #- memory and open files of a stream through seven restarts of its sound server
	sh Tests/Rigs/server-restarts.sh "$(BIN)"

bench-ten-minutes: test-needs build-probe #- the metronome through a sound server for ten minutes, heard by its own microphone
	sh Tests/Rigs/ten-minutes.sh "$(BIN)"

bench-bars: build-needs benchmarks-seen #- bars found on pages by LilyPond and MuseScore, clean, scanned and turned
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" lilypond musescore3 python3 poppler-utils librsvg2-bin
	sh Benchmarks/score-pages/bars.sh $(BENCHMARKS)

bench-melodies: build benchmarks-seen #- notes, scores and beats of melodies, and a metronome that follows; twenty minutes
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" fluidsynth fluid-soundfont-gm python3-numpy python3-scipy python3-soundfile \
		python3-mido
	sh Benchmarks/onset-sounds/melodies.sh "$(BIN)/tuner" $(BENCHMARKS)

bench-scores: build #- scores of melodies against the schema of MusicXML 4.0 and as MuseScore reads them; PAGES=FOLDER
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" fluidsynth fluid-soundfont-gm musescore3 python3-venv
	[ -x .build-scores/bin/python ] || python3 -m venv .build-scores
	.build-scores/bin/pip install --quiet musicxml==1.6.3 xmlschema numpy scipy soundfile mido
	.build-scores/bin/python Benchmarks/onset-sounds/validate.py $(if $(PAGES),--pages "$(PAGES)") "$(BIN)/tuner"

bench-build-cost: build-needs #- processor time that musicstand adds to a build of metronome; ten minutes
	python3 Benchmarks/build-cost.py $(SWIFT) build $(COMMANDS) --scratch-path .build-cost -j $(JOBS)

# --- Helpers.

.PHONY: build-needs test-needs
build-needs:
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES)

test-needs:
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(TEST_PACKAGES)

clean: ## remove everything that was built
	rm -rf .build .build-*
