#!/usr/bin/env python3
"""sbom.py DEB VERSION   the software bill of materials of a package, in SPDX 2.3 (ISO/IEC 5962), on standard output.

On standard input: what `swift package show-dependencies --format json` prints. What is compiled into these dependencies is read
off their checkouts; the shared libraries and the programs that are run off the package itself: what it depends on, recommends
and suggests, in the versions of this machine.
"""
import datetime
import hashlib
import json
import re
import subprocess
import sys

# What is compiled into the commands.
LINKED = {
    "swift-argument-parser": "Apache-2.0 WITH Swift-exception",
    "tomlkit": "MIT",
    # With a header of uSHET (MIT).
    "swift-nio": "Apache-2.0 AND MIT",
    "swift-atomics": "Apache-2.0 WITH Swift-exception",
    "swift-collections": "Apache-2.0 WITH Swift-exception",
    # TLS=1 only.
    "swift-nio-ssl": "Apache-2.0",
}
# What is compiled into those in turn: by the identity of the dependency its name, license, origin, and the file in the checkout
# that has its version, with a pattern whose groups are joined by points.
INSIDE = {
    "tomlkit": [(
        "tomlplusplus", "MIT", "git+https://github.com/marzer/tomlplusplus", "Sources/CTOML/Sources/toml.hpp",
        r"TOML_LIB_MAJOR\s+(\d+)\s+#define\s+TOML_LIB_MINOR\s+(\d+)\s+#define\s+TOML_LIB_PATCH\s+(\d+)")],
    "swift-nio": [
        ("llhttp", "MIT", "git+https://github.com/nodejs/llhttp", "Sources/CNIOLLHTTP/include/c_nio_llhttp.h",
         r"LLHTTP_VERSION_MAJOR\s+(\d+)\s+#define\s+LLHTTP_VERSION_MINOR\s+(\d+)\s+#define\s+LLHTTP_VERSION_PATCH\s+(\d+)"),
        # A file of FreeBSD.
        ("sha1.c", "BSD-3-Clause", "git+https://github.com/freebsd/freebsd-src", "Sources/CNIOSHA1/c_nio_sha1.c",
         r"\$KAME: sha1\.c,v (\S+) "),
    ],
    "swift-nio-ssl": [(
        "boringssl", "Apache-2.0 AND ISC AND OpenSSL", "git+https://boringssl.googlesource.com/boringssl",
        "Sources/CNIOBoringSSL/hash.txt", r"at revision ([0-9a-f]{40})")],
}
# The parts of the toolchain that are linked into the commands, by name and repository: all have its version.
TOOLCHAIN = {
    "swift-runtime": "swift", "swift-foundation": "swift-foundation", "libdispatch": "swift-corelibs-libdispatch",
}
# BigInt is of the tests only, and swift-system of those modules of swift-nio that nobody imports here.
LEFT_OUT = {"bigint", "swift-system"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def identity(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


class Bill:
    """Packages, and what they are to each other."""

    def __init__(self):
        self.packages = []
        self.relationships = []

    def add(self, name, version, license, location, *relations, **more):
        """Adds a package. A relation is a type of SPDX, and the package that is before it in a sentence."""
        entry = {
            "SPDXID": identity(name), "name": name, "downloadLocation": location, "licenseConcluded": license,
            "licenseDeclared": license, "copyrightText": "NOASSERTION", "filesAnalyzed": False, **more,
        }
        if version:
            entry["versionInfo"] = version
        self.packages.append(entry)
        for relation, other in relations:
            self.relate(identity(other), relation, identity(name))

    def relate(self, one, relation, other):
        self.relationships.append({"spdxElementId": one, "relationshipType": relation, "relatedSpdxElement": other})


def version_in(checkout, file, pattern):
    """The version that a source file tells of itself."""
    with open(f"{checkout}/{file}", encoding="utf-8") as source:
        found = re.search(pattern, source.read())
    if not found:
        sys.exit(f"sbom.py: {file} of {checkout} does not tell its version any more: change the pattern in INSIDE")
    return ".".join(found.groups())


def field(deb, name):
    """The names in a field of a package, each with its alternatives."""
    text = output("dpkg-deb", "--field", deb, name)
    return [[part.split()[0] for part in one.split("|")] for one in text.split(",") if one.strip()]


def installed(name):
    """The version of a Debian package on this machine; empty where it is not installed."""
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
    return found.stdout if found.returncode == 0 else ""


def below(package):
    """The packages that a package needs, and those that these need, each once by its identity."""
    found = {}
    for one in package["dependencies"]:
        found.update({one["identity"]: one, **below(one)})
    return found


def main():
    deb, version = sys.argv[1:]
    dependencies = below(json.load(sys.stdin))
    unknown = set(dependencies) - set(LINKED) - LEFT_OUT
    if unknown:
        sys.exit(f"sbom.py: {', '.join(sorted(unknown))}: add the license to LINKED, or to LEFT_OUT what is not in the commands")
    with open(deb, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    bill = Bill()
    product = "well-tempered"
    bill.add(
        product, version, "GPL-3.0-or-later", "NOASSERTION", packageFileName=deb.split("/")[-1],
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    bill.relate("SPDXRef-DOCUMENT", "DESCRIBES", identity(product))
    for key in sorted(dependencies.keys() & LINKED.keys()):
        one = dependencies[key]
        bill.add(one["name"], one["version"], LINKED[key], "git+" + one["url"], ("STATIC_LINK", product))
        for name, license, location, file, pattern in INSIDE.get(key, []):
            bill.add(
                name, version_in(one["path"], file, pattern), license, location, ("CONTAINS", one["name"]),
                comment=f"{file} of {one['name']}")
    swift = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
    for name, repository in TOOLCHAIN.items():
        bill.add(
            name, swift, "Apache-2.0 WITH Swift-exception", f"git+https://github.com/swiftlang/{repository}",
            ("STATIC_LINK", product), comment="of the toolchain, whose version it has: https://www.swift.org/install")
    bill.add(
        "flite-voice-slt", "2.2", "LicenseRef-Flite", "git+https://github.com/festvox/flite", ("CONTAINS", product),
        comment="the words of the spoken count; Sources/C/CSpokenCount/LICENSE")
    for names in field(deb, "Depends"):
        name = next(filter(installed, names), None)
        if not name:
            sys.exit(f"sbom.py: no package for {' | '.join(names)} is installed here")
        bill.add(
            name, installed(name), "NOASSERTION", f"https://packages.debian.org/{name}", ("DYNAMIC_LINK", product))
    for name in [names[0] for names in field(deb, "Recommends") + field(deb, "Suggests")]:
        bill.add(
            name, installed(name), "NOASSERTION", f"https://packages.debian.org/{name}",
            comment="a program that musicstand runs where it is installed, in the version that is")
        bill.relate(identity(name), "OPTIONAL_DEPENDENCY_OF", identity(product))
    created = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    with open("Sources/C/CSpokenCount/LICENSE", encoding="utf-8") as license:
        flite = license.read()
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{product}-{version}",
        "documentNamespace": f"https://example.com/well-tempered/{version}/{digest}",
        "creationInfo": {"created": created, "creators": ["Tool: sbom.py"]},
        "hasExtractedLicensingInfos": [
            {"licenseId": "LicenseRef-Flite", "name": "Flite licence", "extractedText": flite}],
        "packages": bill.packages, "relationships": bill.relationships,
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
