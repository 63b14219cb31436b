"""hostile.py MUSICSTAND   what clients that keep no rule cost: memory, and whether others are still served.

Four devices listen, one of them hostile. Prints the resident memory after each attack; more than 40 MiB fails."""
import os
import shutil
import socket
import struct
import sys
import time
import zlib

from client import Device, Stand

MOST_MEGABYTES = 40


def attack(name, stand, body):
    try:
        told = body()
    except (OSError, EOFError) as error:
        told = f"ended by {type(error).__name__}"
    memory = stand.memory()
    print(f"{name}: {told}, {memory} MB resident")
    assert memory <= MOST_MEGABYTES, name
    assert stand.process.poll() is None, name
    honest = Device(stand.port)
    honest.until("course")
    honest.socket.close()


def pour(client, block, most):
    """Sends until the other end closes."""
    sent = 0
    try:
        while sent < most:
            client.sendall(block)
            sent += len(block)
    except OSError:
        return f"closed after {sent // 1000} kB"
    raise AssertionError(f"took {sent // 1_000_000} MB")


def noise(width, height):
    """A picture (PNG, third edition) that cannot be made smaller."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def paced(count, body):
    """Calls `body` so often a second as a device may ask."""
    begun = time.monotonic()
    for number in range(count):
        time.sleep(max(0, begun + number / 190 - time.monotonic()))
        body(number)


def watch(stand, seconds):
    """The most memory for some time."""
    end, most = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        most = max(most, stand.memory())
        time.sleep(0.02)
    return most


def main(binary):
    stand = Stand(binary, ["120", "--accent", "4"], start=False)
    with open(f"{stand.folder}/scores/noise.png", "wb") as file:
        file.write(noise(2_400, 2_400))
    stand.start()
    listeners = [Device(stand.port) for _ in range(3)]
    print(f"four devices: {stand.memory()} MB resident")

    def raw():
        client = socket.create_connection(("127.0.0.1", stand.port))
        client.settimeout(60)
        return client

    def header():
        client = raw()
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost:%d\r\nX: " % stand.port)
        return pour(client, b"a" * 65536, 60_000_000)

    def frame():
        device = Device(stand.port, hello=False)
        device.frame(b"", length=2**40)
        return pour(device.socket, b"b" * 65536, 100_000_000)

    def parts():
        device = Device(stand.port, hello=False)
        device.frame(b"x" * 1000, last=False)
        count = 0
        try:
            for count in range(20_000):
                device.frame(b"x" * 1000, opcode=0, last=False)
        except OSError:
            return f"closed after {count} parts"
        raise AssertionError("took all parts")

    def slow():
        device = Device(stand.port, receive_buffer=4096)
        sent = 0
        try:
            for sent in range(400_000):
                device.say(type="ping", id=sent)
        except OSError:
            return f"closed after {sent} messages"
        raise AssertionError("took all messages")

    def pings():
        device = Device(stand.port, receive_buffer=4096)
        sent = 0
        try:
            for sent in range(4_000_000):
                device.frame(b"p" * 125, opcode=9)
        except OSError:
            return f"closed after {sent} pings"
        raise AssertionError("took all pings")

    def unread(path):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(60)
        client.connect(("127.0.0.1", stand.port))
        request = f"GET {path} HTTP/1.1\r\nHost: localhost:{stand.port}\r\n\r\n".encode()
        return pour(client, request * 40, 20_000_000)

    def halves():
        clients = [raw() for _ in range(300)]
        for client in clients:
            try:
                client.sendall(b"GET / HT")
            except OSError:
                pass
        closed = 0
        for client in clients:
            try:
                closed += client.recv(10) == b""
            except ConnectionError:
                closed += 1
        return f"{closed} of 300 half requests closed"

    def pictures():
        score = listeners[0].scores()[0]["id"]
        clients = []
        for _ in range(60):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", stand.port))
            client.sendall(f"GET /page/{score}/1/2732.png HTTP/1.1\r\nHost: localhost:{stand.port}\r\n\r\n".encode())
            clients.append(client)
        most = watch(stand, 3)
        for client in clients:
            client.close()
        assert most <= MOST_MEGABYTES, most
        return f"60 readers of a picture of 17 MB, {most} MB at most"

    def lists():
        score = listeners[0].scores()[0]["id"]
        changer = Device(stand.port)
        gig = os.urandom(16).hex()
        changer.say(type="setlist", do="name", set=gig, name="x" * 80)
        paced(500, lambda _: changer.say(type="setlist", do="add", set=gig, song=os.urandom(16).hex(), score=score))
        idle = [Device(stand.port, receive_buffer=4096) for _ in range(8)]
        most = stand.memory()

        def change(number):
            nonlocal most
            changer.say(type="setlist", do="name", set=gig, name=f"{number} " + "x" * 70)
            if number % 20 == 0:
                most = max(most, stand.memory())

        try:
            paced(1_000, change)
        except OSError:
            pass
        for device in [changer, *idle]:
            device.socket.close()
        assert most <= MOST_MEGABYTES, most
        return f"1000 changes of 500 songs, {most} MB at most"

    def opens():
        score = listeners[0].scores()[0]["id"]
        device = Device(stand.port, receive_buffer=4096)
        bars = [[each * 10_000, each * 10_000 + 9_000, "hand"] for each in range(6)]
        systems = [dict(x0=0, y0=each * 1_000, x1=60_000, y1=each * 1_000 + 900, staves=1, bars=bars) for each in range(40)]
        device.say(type="bars", score=score, page=1, systems=systems, accepted=True)
        most = stand.memory()

        def ask(number):
            nonlocal most
            device.say(type="open", score=score)
            if number % 20 == 0:
                most = max(most, stand.memory())

        try:
            paced(1_000, ask)
        except OSError:
            pass
        device.socket.close()
        assert most <= MOST_MEGABYTES, most
        return f"a score asked for 1000 times, {most} MB at most"

    def names():
        # Of 80 characters as people count them, in 31 kB.
        long = ("e" + "\u0301" * 195) * 80
        changer = Device(stand.port)
        try:
            for _ in range(100):
                changer.say(type="setlist", do="name", set=os.urandom(16).hex(), name=long)
                time.sleep(0.01)
        except OSError:
            return "a name of 31 kB: closed"
        raise AssertionError("took all names")

    def pages():
        score = listeners[0].scores()[0]["id"]
        device = Device(stand.port, receive_buffer=4096)
        bars = [[each * 10_000, each * 10_000 + 9_000, "hand"] for each in range(6)]
        systems = [dict(x0=0, y0=each * 1_000, x1=60_000, y1=each * 1_000 + 900, staves=1, bars=bars) for each in range(40)]
        try:
            paced(1_000, lambda number: device.say(type="bars", score=score, page=2 + number, systems=systems))
        except OSError:
            pass
        device.socket.close()
        other = Device(stand.port)
        other.say(type="open", score=score)
        told = other.until("score")
        other.socket.close()
        assert {system["page"] for system in told["systems"]} <= {1}, "bars of a page that is not there"
        return "bars of 1000 pages that are not there: none kept"

    def looks():
        device = Device(stand.port, receive_buffer=4096)
        before = stand.processor_seconds()
        paced(600, lambda _: device.say(type="scores"))
        device.socket.close()
        return f"the folder asked for 600 times in 3 s: {stand.processor_seconds() - before:.2f} s of a core"

    def silent():
        clients = [Device(stand.port, hello=False) for _ in range(30)]
        device = Device(stand.port)
        device.until("course")
        device.socket.close()
        for client in clients:
            client.socket.close()
        return "30 that do not say who they are, and one that does: welcome"

    for name, body in [("header", header), ("frame of 2^40 bytes", frame), ("parts", parts), ("slow reader", slow),
                       ("control frames", pings), ("unread files", lambda: unread("/stand.css")),
                       ("unread refusals", lambda: unread("/nothing")), ("half requests", halves), ("pictures", pictures), ("set lists", lists), ("scores", opens), ("names", names), ("pages", pages), ("looks", looks),
                       ("silent", silent)]:
        attack(name, stand, body)
    # The moments at which beats were heard: nothing of this has moved one.
    heard = stand.heard()
    steps = [after["t"] - before["t"] for before, after in zip(heard, heard[1:])]
    print(f"{len(heard)} beats, steps {min(steps) / 1e6:.3f} to {max(steps) / 1e6:.3f} ms")
    for listener in listeners:
        listener.socket.close()
    assert stand.stop() == 143
    shutil.rmtree(stand.folder)
    print("hostile: passed")


try:
    main(sys.argv[1])
finally:
    Stand.end_all()
