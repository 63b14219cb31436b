"""samples.py BIN   the sound of the metronome with devices on the music stand, sample by sample, and what devices cost.

`metronome` and `musicstand` play the same plan into a test card each (see Tests/Rigs/pcm_testcard.c); on the music stand are
three devices that do what the page does, and one that keeps no rule; a PDF that is drawn until its time is up lies among its
scores, and is asked for. Every sample must be the same. Beside it two more stands play, one alone and one with four devices:
the difference of their processor time is what devices cost."""
import http.client
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from client import Device, Stand

HERE = os.path.dirname(os.path.abspath(__file__))
# Every kind of stroke: accents, parts of a beat, two voices, a tempo that moves.
PLAN = ["120..200/24b", "--accent", "4", "--sub", "16th", "--swing", "60", "--gap", "3:1", "--count-in", "1", "--bars", "24"]
# 4,096 frames at a time leave the card a third of a second of sound: a machine that stalls for less changes nothing.
SOUND = ["-r", "48000", "-c", "1", "--period", "4096"]
MOST_PERCENT = 3.0  # of a core, for four devices
SECONDS = 30


class Page(threading.Thread):
    """A device that pings as the page does, in bursts of five each five seconds, and reads all it is sent."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.device = Device(port)
        self.isOver = False
        self.courses = 0
        self.start()

    def run(self):
        self.device.socket.settimeout(0.03)
        count, due = 0, time.monotonic()
        try:
            while not self.isOver:
                if time.monotonic() >= due:
                    count += 1
                    self.device.say(type="ping", id=count)
                    due = time.monotonic() + (0.06 if count < 12 else 5 if count % 5 == 0 else 0.03)
                try:
                    self.courses += self.device.next()["type"] == "course"
                    self.device.kept.clear()
                except TimeoutError:
                    pass
        except (OSError, EOFError):
            pass

    def end(self):
        self.isOver = True
        self.join(5)
        self.device.socket.close()


class Hostile(threading.Thread):
    """One that keeps no rule: each connection ends in another breach, and the next one follows at once."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.isOver, self.count = port, False, 0
        self.start()

    def run(self):
        breaches = [self.flood, self.nonsense, self.giant, self.parts, self.half, self.header]
        while not self.isOver:
            try:
                breaches[self.count % len(breaches)]()
            except (OSError, EOFError):
                pass
            self.count += 1

    def flood(self):
        device = Device(self.port)
        for number in range(2_000):
            device.say(type="ping", id=number)
        device.socket.close()

    def nonsense(self):
        device = Device(self.port)
        for do in ("tempo", "jump", "section", "entry", "no such"):
            device.say(type="command", id=os.urandom(16).hex(), do=do, when="now", value="x" * 9_000)
        device.frame(os.urandom(500))
        device.next()

    def giant(self):
        device = Device(self.port, hello=False)
        device.frame(b"", length=2**40)
        while True:
            device.socket.sendall(b"b" * 65_536)

    def parts(self):
        device = Device(self.port, hello=False)
        while True:
            device.frame(b"x" * 1_000, opcode=0, last=False)

    def half(self):
        clients = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(20)]
        for client in clients:
            client.sendall(b"GET / HT")
            client.close()

    def header(self):
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        while True:
            client.sendall(b"a" * 65_536)


class Drawing(threading.Thread):
    """Asks for the page of the wrong PDF, in one width after the other."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.isOver, self.asked, self.answers = port, False, 0, []
        device = Device(port)
        self.score = next(score["id"] for score in device.welcome["scores"] if score["title"] == "Forms")
        device.socket.close()
        self.start()

    def run(self):
        try:
            for width in (640, 1024, 1640, 2048, 2732):
                if self.isOver:
                    return
                self.asked += 1
                connection = http.client.HTTPConnection("localhost", self.port, timeout=300)
                connection.request("GET", f"/page/{self.score}/1/{width}.png")
                self.answers.append(connection.getresponse().status)
                connection.close()
        except OSError:
            pass


def forms(path):
    """A PDF of one page that asks for ten to the power of eleven forms."""
    def stream(content, entries=""):
        return f"<< /Length {len(content)} {entries} >> stream\n{content}\nendstream"

    def form(level):
        content = "/A Do " * 10 if level < 10 else "0 0 1 1 re f"
        return stream(content, "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << "
                      f"/A {6 + level} 0 R >> >>")

    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /A 5 0 R >> >> >>",
               stream("/A Do"), *map(form, range(11)), stream("")]
    text, places = "%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{each}\nendobj\n"
    table = len(text)
    text += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{place:010d} 00000 n \n" for place in places)
    text += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
    with open(path, "w") as file:
        file.write(text)


def card(folder):
    os.makedirs(folder)
    subprocess.run(["sh", os.path.join(HERE, "../Rigs/test-card.sh"), "build", folder], check=True)
    return {"ALSA_CONFIG_PATH": os.path.join(folder, "asound.conf")}


def played(folder):
    with open(os.path.join(folder, "out.raw"), "rb") as file:
        return file.read()


def cost(binary, count, results):
    stand = Stand(binary, ["120", "--accent", "4"])
    pages = [Page(stand.port) for _ in range(count)]
    time.sleep(2)
    before, began = stand.processor_seconds(), time.monotonic()
    time.sleep(SECONDS)
    results[count] = (stand.processor_seconds() - before) / (time.monotonic() - began) * 100
    for page in pages:
        page.end()
    stand.stop()


def main(binaries):
    folder = tempfile.mkdtemp(prefix="samples-")
    try:
        one, other = os.path.join(folder, "metronome"), os.path.join(folder, "musicstand")
        environment, costs = card(one), {}
        alone = subprocess.Popen(
            [os.path.join(binaries, "metronome"), *PLAN, *SOUND, "-D", "default"], env={**os.environ, **environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        binary = os.path.join(binaries, "musicstand")
        stand = Stand(binary, PLAN, device="default", environment=card(other), options=SOUND, start=False)
        forms(os.path.join(stand.folder, "scores", "Forms.pdf"))
        stand.start()
        pages = [Page(stand.port) for _ in range(3)]
        hostile, drawing = Hostile(stand.port), Drawing(stand.port)
        measured = [threading.Thread(target=cost, args=(binary, count, costs)) for count in (0, 4)]
        for each in measured:
            each.start()
        assert alone.wait(120) == 0
        # The stand waits for the next start where its plan has ended; the card has the same samples by then.
        expected = played(one)
        end = time.monotonic() + 10
        while len(played(other)) < len(expected) and time.monotonic() < end:
            time.sleep(0.1)
        for each in measured:
            each.join()
        hostile.isOver = drawing.isOver = True
        hostile.join(10)
        for page in pages:
            page.end()
        assert stand.stop() == 143
        found = played(other)
        length = min(len(expected), len(found))
        # The card takes whole periods; the last one of the shorter run is silence.
        assert length >= len(expected) - 4 * 16_384, (len(expected), len(found))
        loud = sum(1 for place in range(0, length, 64) if expected[place : place + 64].strip(b"\0"))
        assert loud > 1_000, "the metronome was silent"
        differs = next((place for place in range(0, length, 4_096)
                        if expected[place : place + 4_096] != found[place : place + 4_096]), None)
        print(f"{length // 4} samples with 4 devices, of them one hostile with {hostile.count} breaches, and a wrong PDF that was "
              f"asked for {drawing.asked} times (answers: {drawing.answers}): "
              + ("all the same as metronome's" if differs is None else f"different from sample {differs // 4} on"))
        assert differs is None
        assert drawing.asked and 200 not in drawing.answers
        assert all(page.courses > 2 for page in pages), "a device was not served"
        print(f"cost: {costs[0]:.2f} % of a core alone, {costs[4]:.2f} % with 4 devices")
        assert costs[4] - costs[0] <= MOST_PERCENT
        print("samples: passed")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


try:
    main(sys.argv[1])
finally:
    Stand.end_all()
