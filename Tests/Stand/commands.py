"""commands.py MUSICSTAND   what a second device asks for, and what a start keeps for the next one.

Runs the command on ALSA's null device with a map that repeats, and checks sections, taps and stops from one device by what
another is told; then the order of the score, set lists that outlive the program, and the key of --keep-token."""
import http.client
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import time

from client import Device, Stand

SCORES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Browser/scores")
MAP = "#!metronome 2\nintro: 2 4/4 120\nrepeat 2 {\nverse: 4 120\n}\ncoda: 2 120 -> verse\nend: 4 120\n"
# The intro, the verse twice, the coda, which jumps to the first verse once: from there on everything again, without the jump.
ORDER = [[1, 6], [3, 6], [3, 4], [3, 10]]


def command(stand):
    """The commands of one device, by what the other hears of them."""
    one, other = Device(stand.port), Device(stand.port)
    stage = other.until("stage")
    assert stage["title"] == "Song" and stand.folder not in str(other.kept), "no device is told a path"
    assert list(dict.fromkeys(part["label"] for part in stage["parts"])) == ["intro", "verse", "coda", "end"], stage
    assert [run for run in stage["order"]["runs"]] == ORDER, stage["order"]
    song = next(score for score in one.scores() if score["title"] == "Song")
    while not stage.get("score"):
        stage = other.until("stage")
    # The first two may have been welcomed before the folder was read.
    third = Device(stand.port)
    assert stage["order"]["score"] == stage["score"] == third.welcome["score"] == song["id"], "the map's name is the score's"
    third.socket.close()
    assert one.command("section", "bar", "coda")["type"] == "done"
    beat = until(other, lambda beat: beat["bar"] == 11 and beat["beat"] == 1)
    assert beat["bar"] == 11, beat
    # Six taps, 0.4 s apart by the device's own clock: however late they arrive, the tempo is 150.
    now = time.monotonic_ns()
    for tap in range(6):
        identity = os.urandom(16).hex()
        one.say(type="command", id=identity, do="tap", when="now", at=now - (5 - tap) * 400_000_000)
    beat = until(other, lambda beat: abs(beat["bpm"] - 120) > 1)
    assert abs(beat["bpm"] - 150) < 0.5, beat
    print(f"six taps at 150 from a device: {beat['bpm']:.2f} a minute")
    assert one.command("tempo", "beat", 97.3)["type"] == "done"
    until(other, lambda beat: abs(beat["bpm"] - 97.3) < 1e-6)
    # A third of 100 travels as a number, and is the fraction again: a thousandth of a beat off would be 1 ms in 63 beats.
    assert one.command("tempo", "beat", 100 / 3)["type"] == "done"
    until(other, lambda beat: abs(beat["bpm"] - 100 / 3) < 1e-12)
    assert one.command("stop", "now")["type"] == "done"
    while other.until("course")["isRunning"]:
        pass
    assert one.command("section", "now", "nowhere")["type"] == "refused"
    one.socket.close()
    other.socket.close()


def until(device, holds):
    """The first beat of a course of which something is true."""
    while True:
        for beat in device.until("course")["beats"]:
            if holds(beat):
                return beat


def lists(stand):
    """Set lists: made on one device, seen by the other, kept by the store."""
    one, other = Device(stand.port), Device(stand.port)
    scores = {score["title"]: score["id"] for score in one.scores()}
    gig, first, second, third = [os.urandom(16).hex() for _ in range(4)]

    def change(do, **more):
        one.say(type="setlist", do=do, set=gig, **more)
        return other.until("sets")["sets"][-1]

    assert change("name", name="Friday")["name"] == "Friday"
    for song, title in ((first, "Song"), (second, "Sonata"), (third, "Song")):
        change("add", song=song, score=scores[title])
    assert [entry["title"] for entry in change("tempo", song=second, tempo=88)["entries"]] == ["Song", "Sonata", "Song"]
    assert [entry["id"] for entry in change("move", song=second)["entries"]] == [second, first, third]
    assert [entry["id"] for entry in change("move", song=second, after=third)["entries"]] == [first, third, second]
    assert [entry["id"] for entry in change("drop", song=third)["entries"]] == [first, second]
    one.say(type="song", id=second)
    stage = tempo = None
    # Two threads tell these: either comes first.
    while stage is None or tempo != 88:
        message = other.next()
        stage = message if message["type"] == "stage" else stage
        tempo = message["bpm"] if message["type"] == "course" else tempo
    assert (stage["score"], stage["song"]) == (scores["Sonata"], second), stage
    # Nobody's connection ends, and nothing changes, where a device asks for what there is not.
    one.say(type="song", id=os.urandom(16).hex())
    assert "on no list" in one.until("error")["problem"]
    one.socket.close()
    other.socket.close()
    return gig, [first, second]


def entries(binary):
    """An entry of a list without a score is told as that, and so is a score that is put into the folder."""
    stand = Stand(binary, [], start=False)
    gig = os.path.join(stand.folder, "gig.txt")
    with open(gig, "w") as file:
        file.write("Song: 240\nBlackbird: 120\n")
    shutil.copy(os.path.join(SCORES, "Song.pdf"), os.path.join(stand.folder, "scores"))
    stand.command[2:2] = ["--setlist", gig]
    stand.start()
    device = Device(stand.port)
    assert [score["title"] for score in device.scores()] == ["Song"]
    assert device.command("entry", "now", 1)["type"] == "done"
    stage = device.until("stage")
    while stage["entry"] != 1:
        stage = device.until("stage")
    assert stage["missing"] == "Blackbird" and "score" not in stage, stage
    shutil.copy(os.path.join(SCORES, "Sonata.pdf"), os.path.join(stand.folder, "scores/Blackbird.pdf"))
    device.say(type="scores")
    assert [score["title"] for score in device.until("scores")["scores"]] == ["Blackbird", "Song"]
    stage = device.until("stage")
    assert "missing" not in stage and stage["score"], stage
    device.socket.close()
    stand.stop()
    print("an entry without a score, and its score a moment later")


def keys(binary):
    """The key of --keep-token is that of the next start, and one's own only."""
    tokens, folder = [], None
    for keeps in (True, True, False):
        stand = Stand(binary, ["120"], folder=folder, options=["--lan"] + ["--keep-token"] * keeps)
        folder = stand.folder
        tokens.append(re.search(r"\?k=([\w-]{22})", stand.told).group(1))
        path = os.path.join(folder, "data/well-tempered/stand-token")
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert answer(stand.port, "/")[0] == 401, "without the key nobody enters"
        status, headers = answer(stand.port, "/?k=" + tokens[-1])
        assert status == 303 and tokens[-1] in headers["set-cookie"] and "HttpOnly" in headers["set-cookie"]
        assert answer(stand.port, "/", {"Cookie": headers["set-cookie"].split(";")[0]})[0] == 200
        stand.stop()
    assert tokens[0] == tokens[1] != tokens[2]
    print("the key of --keep-token: the same twice, readable by its owner only; another one without")


def names(stand):
    """Messages of code that metronome shares begin with the name of the command that runs."""
    stand.process = subprocess.Popen(
        [*stand.command, "--verbose"], env=stand.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    told = [stand.process.stderr.readline() for _ in range(3)]
    assert all(line.startswith("musicstand: ") for line in told) and "playing on" in told[0], told
    stand.stop()


def wrong_folders(binary):
    """What is no folder of scores is an input that cannot be read: status 66, as the manual says."""
    for path in (os.path.abspath(__file__), "/no/such/folder"):
        ended = subprocess.run([binary, path], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
        assert ended.returncode == 66 and not ended.stdout, ended
        assert ended.stderr == f'musicstand: "{path}" is not a folder: name the folder that your scores are in\n', ended


def wrong_hosts(binary):
    """What no request can name is no host."""
    for host in ("https://stand.example", "stand.example/", "", "a b", "stand:port", "[::1", "*"):
        ended = subprocess.run([binary, SCORES, "120", "--allow-host", host], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
        assert ended.returncode == 2 and not ended.stdout and "--allow-host must be a name such as" in ended.stderr, ended


def no_encryption(binary):
    """A certificate is taken by a build with the trait TLS, and refused in words by any other: nobody is left to believe."""
    for options, told in (
        (["--tls-certificate", "a.pem", "--tls-key", "b.pem"], "this musicstand was built without TLS: build it with make TLS=1, or "
         "go without --tls-certificate and --tls-key\n"),
        (["--tls-key", "b.pem"], "--tls-certificate and --tls-key belong together: give both"),
    ):
        ended = subprocess.run([binary, SCORES, "120", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
        assert ended.returncode == 2 and not ended.stdout and told in ended.stderr, ended


def ports(binary, folder):
    """It listens on both addresses of this machine, and says so where another program does on either: status 75."""
    def listener(family, host):
        taken = socket.socket(family)
        if family == socket.AF_INET6:
            taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        taken.bind((host, 0))
        taken.listen()
        return taken

    hosts = [(socket.AF_INET, "127.0.0.1")]
    try:
        listener(socket.AF_INET6, "::1").close()
        hosts.append((socket.AF_INET6, "::1"))
    except OSError:
        print("this machine has no IPv6")
    stand = Stand(binary, ["120"], folder=folder)
    for _, host in hosts:
        connection = http.client.HTTPConnection(host, stand.port, timeout=30)
        connection.request("GET", "/", headers={"Host": f"localhost:{stand.port}"})
        assert connection.getresponse().status == 200, host
        connection.close()
    stand.stop()
    for family, host in hosts:
        with listener(family, host) as taken:
            port = taken.getsockname()[1]
            ended = subprocess.run(
                [binary, SCORES, "120", "-D", "null", "--port", str(port)], env=stand.environment, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=60)
            told = f"musicstand: another program listens on {host}, port {port}: end it, or choose another --port\n"
            assert (ended.returncode, ended.stdout, ended.stderr) == (75, "", told), ended


def answer(port, path, headers={}):
    connection = http.client.HTTPConnection("localhost", port, timeout=30)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status, response.headers


def positions(binary):
    """MuseScore's positions of measures: beside a PDF they count; a link out of the folder, and one beside a picture, does not."""
    text = '<score><elements>' \
        '<element id="0" x="3600" y="7200" sx="3600" sy="1000" page="0"/></elements><events><event elid="0" position="0"/></events></score>'
    stand = Stand(binary, ["120"], start=False)
    outside = os.path.join(stand.folder, "outside.mpos")
    scores = os.path.join(stand.folder, "scores")
    with open(outside, "w") as file:
        file.write(text)
    with open(os.path.join(SCORES, "Song.pdf"), "rb") as file:
        song = file.read()
    for number, name in enumerate(("Kept", "Linked")):
        with open(os.path.join(scores, f"{name}.pdf"), "wb") as file:
            file.write(song + b"%% %d\n" % number)
    shutil.copy(outside, os.path.join(scores, "Kept.mpos"))
    os.symlink(outside, os.path.join(scores, "Linked.mpos"))
    shutil.copy(outside, os.path.join(scores, "Picture.mpos"))
    subprocess.run(["pdftocairo", "-png", "-singlefile", "-r", "72", os.path.join(SCORES, "Song.pdf"),
                    os.path.join(scores, "Picture")], check=True)
    stand.start()
    device = Device(stand.port)
    for score in device.scores():
        device.say(type="open", score=score["id"])
        told = {}
        while told.get("id") != score["id"] or not told["systems"] and score["title"] != "Picture":
            told = device.until("score")
        origins = {bar[2] for system in told["systems"] for bar in system["bars"]}
        assert ("mpos" in origins) == (score["title"] == "Kept"), (score, origins)
    device.socket.close()
    stand.stop()
    print("positions of measures: those of the folder, beside a PDF")


def caches(binary):
    """A folder for pictures that cannot be made is output that cannot be written."""
    stand = Stand(binary, ["120"], start=False)
    with open(os.path.join(stand.folder, "cache"), "w"):
        pass
    run = subprocess.run(stand.command, env=stand.environment, capture_output=True, text=True, timeout=20)
    assert run.returncode == 73 and "cache" in run.stderr, run
    shutil.rmtree(stand.folder)


def main(binary):
    stand = Stand(binary, ["Song.map"], start=False)
    for name in ("Song.pdf", "Sonata.pdf"):
        shutil.copy(os.path.join(SCORES, name), os.path.join(stand.folder, "scores"))
    with open(os.path.join(stand.folder, "Song.map"), "w") as file:
        file.write(MAP)
    stand.command[2] = os.path.join(stand.folder, "Song.map")
    stand.start()
    command(stand)
    gig, songs = lists(stand)
    stand.stop()
    stand.start()
    kept = Device(stand.port).welcome["sets"][-1]
    assert (kept["id"], kept["name"], [entry["id"] for entry in kept["entries"]]) == (gig, "Friday", songs), kept
    assert [entry.get("tempo") for entry in kept["entries"]] == [None, 88]
    print("a set list of two songs, kept over a restart")
    stand.stop()
    names(stand)
    entries(binary)
    positions(binary)
    caches(binary)
    keys(binary)
    wrong_folders(binary)
    wrong_hosts(binary)
    no_encryption(binary)
    ports(binary, stand.folder)
    print("commands: passed")


try:
    main(sys.argv[1])
finally:
    Stand.end_all()
