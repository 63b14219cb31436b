# make demo     install what is missing, build, tune the shipped samples, render a click track and check it
# make check    install what the tests need, run them all
# make bench    measures everything beside the rivals that are here: Benchmarks/RESULTS.md and plots
# make bench-rivals  brings the rivals: aubio, lingot and klick, and Praat for Python in .build-rivals
# make bench-kernels  wall and processor time of every kernel
# make bench-check  instructions of every kernel against the thresholds of the repository
# make beats    18 million beats, each of them against integers of any size
# make beats-sound   the same, rendered: each click is looked for in 3,390 hours of sound, in some ten minutes
# make startup  how long the commands take to their first byte, frame and reading
# make drawing  what the tuner's display costs at each size and in each view; fails above 1 % of a core
# make round-trip   latency through a sound server at periods of 64 to 1,024 frames, beside a program in C
# make server-restarts   memory and open files of a stream through seven deaths of its sound server
# make ten-minutes  the metronome through a sound server for ten minutes, heard by its own microphone
# make install  PREFIX=/usr/local: the two commands, their manual pages and completions
# make deb      a Debian package of the two commands; make check-deb installs it in a fresh Debian 12
# make install-c  PREFIX=/usr/local: library, headers and pkg-config file for C; make uninstall-c takes them away
# make c-header  writes the C library's header anew from the Swift functions; make check fails where it is not theirs
# make docs     the documentation, and how much of the public symbols it covers
# make format   put every Swift file in the house's form

PREFIX ?= /usr/local
VERSION := 0.1.0
DESTDIR ?=
SWIFT ?= swift
# Commands that do not depend on where the toolchain lies, and start the sooner for it.
RELEASE := -c release --static-swift-stdlib
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

BUILD_PACKAGES := libasound2-dev libfftw3-dev libsndfile1-dev pkg-config
# alsa-utils: aplay and arecord; pipewire and its friends: the virtual sound card; sox and flac: independent makers of
# test sound; jq: an example of the README; locales: a decimal comma; procps, util-linux: the rigs' scripts; tmux: a
# terminal to look at.
TEST_PACKAGES := $(BUILD_PACKAGES) alsa-utils pipewire pipewire-alsa wireplumber libpipewire-0.3-common sox \
	flac jq procps util-linux tmux librsvg2-bin locales gcc libc6-dev valgrind python3
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Benchmarks \
	samples/apps/Package.swift samples/apps/Sources

# Tests against the clock of a virtual sound card, by themselves and one after the other: nothing else shall take the
# cores from it.
IN_REAL_TIME := VirtualAudioTests|ALSABackendTests
# Of those, the ones on a sound server: one after the other.
ON_A_SERVER := ServerFaultTests|RoundTripTests

.PHONY: all demo check test test-on-server test-on-card embedding docs startup drawing beats beats-sound round-trip \
	ten-minutes server-restarts \
	bench bench-rivals bench-kernels bench-check benchmarks-seen \
	bench-check-slowed install deb check-deb c-library c-header install-c uninstall uninstall-c format lint build-needs \
	test-needs clean

all: build-needs
	$(SWIFT) build $(RELEASE) -j $(JOBS)

demo: all
	sh samples/demo.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

check: test-needs lint test

# The order tells most soonest: debug first, because its real-time check is the stricter one.
test:
	$(SWIFT) build --build-tests -j $(JOBS)
	$(SWIFT) build $(RELEASE) -j $(JOBS)
	WELL_TEMPERED_BIN="$$($(SWIFT) build $(RELEASE) --show-bin-path)" $(SWIFT) test -j $(JOBS) --skip "$(IN_REAL_TIME)"
	$(MAKE) test-on-server || $(MAKE) test-on-server
	$(MAKE) test-on-card || $(MAKE) test-on-card
	$(SWIFT) test --sanitize=thread --package-path Tests/ThreadSanitizer --scratch-path .build-tsan \
		--filter ThreadTests -j $(JOBS)
	$(SWIFT) test --disable-default-traits --scratch-path .build-notraits --filter "Spectral|Pitch|TunerEngine" -j $(JOBS)
	$(MAKE) embedding

# Against the clock, on a machine that may be busy with something else: what fails is run once more before it counts.
test-on-server:
	WELL_TEMPERED_BIN="$$($(SWIFT) build $(RELEASE) --show-bin-path)" $(SWIFT) test --skip-build --no-parallel \
		--filter "VirtualAudioTests|$(ON_A_SERVER)"

test-on-card:
	$(SWIFT) test --skip-build --no-parallel --filter ALSABackendTests --skip "$(ON_A_SERVER)"

# The toolkit inside other programs: an importer's package, the sample apps, C, documentation.
embedding:
	SWIFT="$(SWIFT)" JOBS=$(JOBS) sh Tests/Rigs/importer.sh
	SWIFT="$(SWIFT)" JOBS=$(JOBS) sh Tests/Rigs/apps.sh
	sh Tests/Rigs/c-library.sh
	SWIFT="$(SWIFT)" JOBS=$(JOBS) sh Tests/Rigs/documentation.sh

docs:
	SWIFT="$(SWIFT)" JOBS=$(JOBS) sh Tests/Rigs/documentation.sh

# In minutes, and best on a machine that does nothing else. LOAD="..." says in the page what else ran.
bench: test-needs benchmarks-seen
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" binutils perl
	SWIFT="$(SWIFT)" JOBS=$(JOBS) sh Benchmarks/run.sh

bench-rivals:
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" libaubio5 liblingot0 klick python3-venv
	[ -x .build-rivals/bin/python ] || python3 -m venv .build-rivals
	.build-rivals/bin/pip install --quiet praat-parselmouth

bench-kernels: build-needs benchmarks-seen
	$(SWIFT) package --package-path Benchmarks --allow-writing-to-package-directory benchmark \
		--target KernelBenchmarks --no-progress

# Counted, not timed: the same on a busy machine.
BENCHMARKS := --package-path Benchmarks -c release -j $(JOBS)
bench-check: benchmarks-seen
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES) valgrind binutils
	$(SWIFT) build $(BENCHMARKS) --product bench
	"$$($(SWIFT) build $(BENCHMARKS) --show-bin-path)/bench" check --thresholds Benchmarks/thresholds.json

# That it fails when it should: on a copy of the repository in which two kernels do their work twice.
bench-check-slowed:
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES) valgrind binutils rsync perl
	sh Benchmarks/slowed-kernels.sh

# SwiftPM plans anew when a manifest changes, not when a file is added to the package that this one depends on.
benchmarks-seen:
	@touch Benchmarks/Package.swift

beats: build-needs benchmarks-seen
	$(SWIFT) run $(BENCHMARKS) BeatOracle

beats-sound: build-needs benchmarks-seen
	$(SWIFT) run $(BENCHMARKS) BeatOracle sound

startup: all
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES) gcc libc6-dev python3
	sh Benchmarks/startup.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)"
	sh Tests/Rigs/test-card.sh run python3 Benchmarks/startup-terminal.py \
		"$$($(SWIFT) build $(RELEASE) --show-bin-path)"

drawing: test-needs all
	sh Tests/Rigs/test-card.sh run bash Tests/Rigs/drawing-cost.sh \
		"$$($(SWIFT) build $(RELEASE) --show-bin-path)"

server-restarts: test-needs
	$(SWIFT) build $(RELEASE) -j $(JOBS) --product stream-probe
	sh Tests/Rigs/server-restarts.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

round-trip: test-needs
	$(SWIFT) build $(RELEASE) -j $(JOBS) --product stream-probe
	sh Tests/Rigs/round-trip.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

ten-minutes: test-needs
	$(SWIFT) build $(RELEASE) -j $(JOBS) --product stream-probe
	$(SWIFT) build $(RELEASE) -j $(JOBS) --product metronome
	sh Tests/Rigs/ten-minutes.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

lint:
	$(SWIFT) format lint --strict --recursive $(SWIFT_SOURCES)

format:
	$(SWIFT) format --in-place --recursive $(SWIFT_SOURCES)

install: all
	install -d "$(DESTDIR)$(PREFIX)/bin"
	bin="$$($(SWIFT) build $(RELEASE) --show-bin-path)" && \
		install -s -m 755 "$$bin/tuner" "$$bin/metronome" "$(DESTDIR)$(PREFIX)/bin"
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d" \
		"$(DESTDIR)$(PREFIX)/share/man/man1"
	for name in tuner metronome; do \
		command="$(DESTDIR)$(PREFIX)/bin/$$name"; share="$(DESTDIR)$(PREFIX)/share"; \
		"$$command" --generate-completion-script bash > "$$share/bash-completion/completions/$$name" && \
		"$$command" --generate-completion-script zsh > "$$share/zsh/site-functions/_$$name" && \
		"$$command" --generate-completion-script fish > "$$share/fish/vendor_completions.d/$$name.fish" && \
		"$$command" --generate-manual > "$$share/man/man1/$$name.1" || exit; \
	done

# Its name is the version's and the machine's.
DEB = well-tempered_$(VERSION)-1_$(shell dpkg --print-architecture).deb
deb: all
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES) dpkg-dev binutils
	rm -rf .build-deb
	$(MAKE) install PREFIX=/usr DESTDIR="$(CURDIR)/.build-deb"
	sh packaging/deb.sh .build-deb $(VERSION) $(DEB)

check-deb: deb
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" lintian debootstrap
	$(SUDO) sh Tests/Rigs/deb.sh $(DEB)

# For C: a library that carries the Swift runtime inside, shows nothing but wt_*, and uses no FFTW (see the licence).
C_LIBRARY := .build-c/release/libwelltempered.so.0
c-library:
	$(SWIFT) build -c release --disable-default-traits --scratch-path .build-c --product welltempered -j $(JOBS)
	swiftc -use-ld=lld -emit-library -static-stdlib -O @.build-c/release/welltempered.product/Objects.LinkFileList \
		-Xlinker --version-script=Sources/C/CWellTempered/exports.map -Xlinker -soname=libwelltempered.so.0 \
		-Xlinker --gc-sections -Xlinker -s -o $(C_LIBRARY)

C_HEADERS := Sources/C/CWellTempered/include
c-header: c-library
	sh packaging/c-header.sh "$(dir $(C_LIBRARY))" > $(C_LIBRARY).h
	mv $(C_LIBRARY).h $(C_HEADERS)/well_tempered.h

install-c: c-library
	install -d "$(DESTDIR)$(PREFIX)/lib/pkgconfig" "$(DESTDIR)$(PREFIX)/include"
	install -m 755 $(C_LIBRARY) "$(DESTDIR)$(PREFIX)/lib"
	ln -sf libwelltempered.so.0 "$(DESTDIR)$(PREFIX)/lib/libwelltempered.so"
	install -m 644 $(C_HEADERS)/well_tempered.h $(C_HEADERS)/well_tempered_types.h "$(DESTDIR)$(PREFIX)/include"
	sed 's|@PREFIX@|$(PREFIX)|;s|@VERSION@|$(VERSION)|' Sources/C/CWellTempered/welltempered.pc.in \
		> "$(DESTDIR)$(PREFIX)/lib/pkgconfig/welltempered.pc"
	@# Or the loader would not know of it; as root, and not into a tree that becomes a package.
	[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

uninstall-c:
	rm -f "$(DESTDIR)$(PREFIX)/lib/libwelltempered.so" "$(DESTDIR)$(PREFIX)/lib/libwelltempered.so.0" \
		"$(DESTDIR)$(PREFIX)/lib/pkgconfig/welltempered.pc" \
		"$(DESTDIR)$(PREFIX)/include/well_tempered.h" "$(DESTDIR)$(PREFIX)/include/well_tempered_types.h"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/tuner" "$(DESTDIR)$(PREFIX)/bin/metronome"
	for name in tuner metronome; do rm -f "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$name" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_$$name" \
		"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/$$name.fish" \
		"$(DESTDIR)$(PREFIX)/share/man/man1/$$name.1"; done

build-needs:
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(BUILD_PACKAGES)

test-needs:
	@sh Tests/Rigs/install-missing.sh "$(SUDO)" $(TEST_PACKAGES)

clean:
	rm -rf .build .build-*
