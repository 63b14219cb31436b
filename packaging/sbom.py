#!/usr/bin/env python3
"""sbom.py DEB VERSION   the software bill of materials of a package, in SPDX 2.3 (ISO/IEC 5962), on standard output.

On standard input: what `swift package show-dependencies --format json` prints. The shared libraries are read off the
package itself: what it depends on, in the versions of this machine.
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
    # With llhttp and a header of uSHET (MIT), and the SHA-1 of the WIDE Project (BSD).
    "swift-nio": "Apache-2.0 AND MIT AND BSD-3-Clause",
    "swift-atomics": "Apache-2.0 WITH Swift-exception",
    "swift-collections": "Apache-2.0 WITH Swift-exception",
    # With BoringSSL; TLS=1 only.
    "swift-nio-ssl": "Apache-2.0 AND ISC AND OpenSSL",
}
# BigInt is of the tests only, and swift-system of those modules of swift-nio that nobody imports here.
LEFT_OUT = {"bigint", "swift-system"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def package(name, version, license, location, relation=None, **more):
    identity = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
    entry = {
        "SPDXID": identity, "name": name, "versionInfo": version, "downloadLocation": location,
        "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION", "filesAnalyzed": False,
        **more,
    }
    return entry, relation


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
    entries = [package(
        "well-tempered", version, "GPL-3.0-or-later", "NOASSERTION",
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}], packageFileName=deb.split("/")[-1])]
    for identity in sorted(dependencies.keys() & LINKED.keys()):
        one = dependencies[identity]
        entries.append(package(one["name"], one["version"], LINKED[identity], "git+" + one["url"], "STATIC_LINK"))
    swift = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
    entries.append(package(
        "swift-runtime", swift, "Apache-2.0 WITH Swift-exception", "https://www.swift.org/install", "STATIC_LINK"))
    entries.append(package(
        "flite-voice-slt", "2.2", "LicenseRef-Flite", "git+https://github.com/festvox/flite", "CONTAINS",
        comment="the words of the spoken count; Sources/C/CSpokenCount/LICENSE"))
    for field in output("dpkg-deb", "--field", deb, "Depends").split(","):
        for name in [part.split()[0] for part in field.split("|")]:
            found = subprocess.run(
                ["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
            if found.returncode == 0 and found.stdout:
                entries.append(package(
                    name, found.stdout, "NOASSERTION", f"https://packages.debian.org/{name}", "DYNAMIC_LINK"))
                break
        else:
            sys.exit(f"sbom.py: no package for {field.strip()} is installed here")
    created = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"well-tempered-{version}",
        "documentNamespace": f"https://example.com/well-tempered/{version}/{digest}",
        "creationInfo": {"created": created, "creators": ["Tool: sbom.py"]},
        "hasExtractedLicensingInfos": [{
            "licenseId": "LicenseRef-Flite", "name": "Flite licence",
            "extractedText": open("Sources/C/CSpokenCount/LICENSE", encoding="utf-8").read()}],
        "packages": [entry for entry, _ in entries],
        "relationships": [{
            "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
            "relatedSpdxElement": entries[0][0]["SPDXID"]}] + [{
                "spdxElementId": entries[0][0]["SPDXID"], "relationshipType": relation,
                "relatedSpdxElement": entry["SPDXID"]} for entry, relation in entries[1:]],
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
