"""encryption.py MUSICSTAND   a music stand that was built with the trait TLS, with a certificate of an hour.

Checks, by Python's own TLS, that the certificate is the one that was given, that a device works through it as without, that a
key travels in cookies of encrypted connections only, that nothing is answered without encryption, and what is said of files
that are no certificates."""
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile

from client import Device, Stand

# What three connections may take: each buffers 16 KiB of a request, and BoringSSL as much. A debug build is larger in itself.
MOST_GROWTH = 10  # MB


def certificate(folder, name):
    """A key, and a certificate of its own for this machine."""
    paths = [os.path.join(folder, f"{name}.{kind}") for kind in ("crt", "key")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
         "-subj", "/CN=musicstand", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", paths[0], "-keyout", paths[1]],
        check=True, capture_output=True)
    return paths


def encrypted(certificate, key):
    return ["--tls-certificate", certificate, "--tls-key", key]


def get(port, context, path, headers={}):
    connection = http.client.HTTPSConnection("localhost", port, timeout=60, context=context)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, response.headers, body


def page(stand, context):
    status, headers, body = get(stand.port, context, "/")
    assert status == 200 and b"<!doctype html>" in body[:200].lower(), status
    assert headers["content-security-policy"].startswith("default-src 'none'")
    status, _, script = get(stand.port, context, "/stand.js")
    assert status == 200 and script
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context.minimum_version = context.maximum_version = version
        with context.wrap_socket(socket.create_connection(("localhost", stand.port)), server_hostname="localhost") as client:
            print(f"{client.version()}, {client.cipher()[0]}")
    context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.MAXIMUM_SUPPORTED
    try:
        get(stand.port, ssl.create_default_context(), "/")
    except ssl.SSLCertVerificationError as error:
        print(f"who does not know the certificate is told: {error.verify_message}")
    else:
        raise AssertionError("a certificate that nobody vouches for was taken")


def device(stand, context):
    """A device hears the course, commands, and is told apart from a page that came without encryption."""
    one, other = Device(stand.port, tls=context), Device(stand.port, tls=context)
    course = other.until("course")
    assert course["isRunning"] and course["beats"], course
    assert one.command("tempo", "beat", 97.3)["type"] == "done"
    while not any(abs(beat["bpm"] - 97.3) < 1e-6 for beat in other.until("course")["beats"]):
        pass
    refused = Device(stand.port, hello=False, tls=context, origin=f"http://localhost:{stand.port}")
    assert b" 403 " in refused.status.splitlines()[0], refused.status
    for each in (one, other, refused):
        each.socket.close()
    print("two devices: the tempo that one asks for, the other hears of")


def nothing_plain(stand):
    """A request without encryption, half a greeting, and noise: closed, with no byte of the page. Others are served."""
    before = stand.memory()
    for name, sent in [("plain request", b"GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % stand.port), ("half a greeting", b"\x16\x03\x01"),
                       ("noise", os.urandom(20_000))]:
        client = socket.create_connection(("localhost", stand.port))
        # The server waits 15 s for a request; this, longer than any stall of a machine.
        client.settimeout(120)
        got = b""
        try:
            client.sendall(sent)
            while data := client.recv(65536):
                got += data
        except ConnectionError:
            pass
        client.close()
        assert b"HTTP" not in got and b"html" not in got, got[:200]
        print(f"{name}: closed, {len(got)} bytes in answer, {stand.memory()} MB resident")
        assert stand.process.poll() is None and stand.memory() <= before + MOST_GROWTH


def keys(binary, files, context):
    stand = Stand(binary, ["120"], options=["--lan", *encrypted(*files)])
    token = re.search(r"open https://\S+\?k=([\w-]{22})", stand.told).group(1)
    assert get(stand.port, context, "/")[0] == 401
    status, headers, _ = get(stand.port, context, "/?k=" + token)
    cookie = headers["set-cookie"].split("; ")
    assert status == 303 and {"HttpOnly", "SameSite=Strict", "Secure"} <= set(cookie), cookie
    assert get(stand.port, context, "/", {"Cookie": cookie[0]})[0] == 200
    stand.stop()
    print("the key: a cookie of encrypted connections only")


def wrong_files(binary, folder, files, others):
    """What is no certificate, or no key of it, is an input that cannot be used: status 66."""
    nowhere, text = os.path.join(folder, "nowhere.crt"), os.path.abspath(__file__)
    locked = os.path.join(folder, "locked.key")
    subprocess.run(["openssl", "pkcs8", "-topk8", "-in", files[1], "-out", locked, "-passout", "pass:secret"], check=True)
    for pair, told in [
        ((nowhere, files[1]), "nowhere.crt"), ((files[0], nowhere), "nowhere.crt"), ((text, files[1]), "holds no certificate in PEM"),
        ((files[0], text), "holds no key in PEM"), ((files[0], locked), "opens without a password"),
        ((files[0], others[1]), "is not the key of"), ((files[0], folder), folder),
    ]:
        ended = subprocess.run(
            [binary, folder, "120", *encrypted(*pair)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        assert ended.returncode == 66 and not ended.stdout and len(ended.stderr.splitlines()) == 1 and told in ended.stderr, ended
    print("files that are no certificates: said so, status 66")


def main(binary):
    folder = tempfile.mkdtemp(prefix="stand-tls-")
    try:
        files, others = certificate(folder, "stand"), certificate(folder, "other")
        context = ssl.create_default_context(cafile=files[0])
        stand = Stand(binary, ["120", "--accent", "4"], options=encrypted(*files))
        assert f"open https://localhost:{stand.port}/" in stand.told, stand.told
        page(stand, context)
        device(stand, context)
        nothing_plain(stand)
        device(stand, context)
        stand.stop()
        keys(binary, files, context)
        wrong_files(binary, folder, files, others)
        print("encryption: passed")
    finally:
        shutil.rmtree(folder)


try:
    main(sys.argv[1])
finally:
    Stand.end_all()
