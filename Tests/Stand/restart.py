"""restart.py MUSICSTAND   what a stand that was killed goes on with, on ALSA's null device.

The bar, the entry of the set list and the tempo; a stand that stood still stands still; a folder of many scores is not read
again, which would keep the page waiting."""
import http.client
import os
import shutil
import sqlite3
import sys
import time

from client import Device, Stand

SCORES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Browser/scores")
COUNT = 40


def kill(stand):
    stand.process.kill()
    stand.process.wait()
    killed = time.monotonic()
    stand.start()
    device = Device(stand.port)
    return killed, device


def begun(device):
    """What plays, and its first course; before the metronome has told, nothing does. Either may come first."""
    stage, course = {"title": ""}, {"revision": 0}
    while not stage["title"] or not course["revision"]:
        message = device.next()
        if message["type"] == "stage":
            stage = message
        elif message["type"] == "course" and not course["revision"]:
            course = message
    return stage, course


def running(device, holds=lambda beat: True):
    """The first beat of a course of which something is true."""
    while True:
        course = device.until("course")
        for beat in course["beats"] if course["isRunning"] else []:
            if holds(beat):
                return beat


def entries(binary):
    """The entry and the tempo that a device chose, and the bar."""
    stand = Stand(binary, ["--setlist", "gig.txt"], start=False)
    gig = os.path.join(stand.folder, "gig.txt")
    with open(gig, "w") as file:
        file.write("Song: 240 --accent 4\nSonata: 180 --meter 3/4\n")
    stand.command[stand.command.index("gig.txt")] = gig
    stand.start()
    device = Device(stand.port)
    assert device.command("entry", "now", 1)["type"] == "done"
    running(device, lambda beat: beat["of"] == 3)
    assert device.command("tempo", "beat", 200)["type"] == "done"
    running(device, lambda beat: beat["of"] == 3 and abs(beat["bpm"] - 200) < 1e-6)
    # The beats that were told are heard later: three bars of 0.9 s.
    device.watch(9, stand)
    device.socket.close()
    before = stand.heard()[-1]
    killed, device = kill(stand)
    stage, course = begun(device)
    assert stage["entry"] == 1 and course["isRunning"], (stage, course)
    # Nothing that the metronome did not go on with was told before.
    beat = course["beats"][0]
    assert beat["of"] == 3 and abs(beat["bpm"] - 200) < 1e-6, beat
    gone = (beat["t"] - before["t"]) / 1e9
    # What was told while it was away is counted in bars of three beats of 0.3 s, and the bar that is told begins one.
    passed = (before["beat"] - 1) * 0.3 + gone
    assert abs(beat["bar"] - before["bar"] - passed / 0.9) <= 1.2, (before, beat)
    print(f"killed in bar {before['bar']} of entry 2 at 200 a minute, back after {gone:.2f} s in bar {beat['bar']}")
    assert device.command("stop", "now")["type"] == "done"
    while device.until("course")["isRunning"]:
        pass
    device.socket.close()
    time.sleep(0.2)
    os.remove(stand.log)
    _, device = kill(stand)
    stage, course = begun(device)
    assert stage["entry"] == 1 and not course["isRunning"] and abs(course["bpm"] - 200) < 1e-6, (stage, course)
    time.sleep(1)
    assert not stand.heard(), "it stood still, and plays"
    assert device.command("start")["type"] == "done"
    assert running(device)["bar"] == 1
    device.socket.close()
    # Whoever ends it as usual begins anew.
    assert stand.stop() == 143
    stand.start()
    device = Device(stand.port)
    stage, course = begun(device)
    assert stage["entry"] == 0 and abs(course["beats"][0]["bpm"] - 240) < 1e-6, (stage, course)
    device.socket.close()
    stand.stop()


def maps(binary):
    """A map whose bars differ: what went by while the stand was away is counted in them, and a map that has ended rests."""
    for lines, away, bar in (("fast: 6 4/4 240\nslow: 40 3/4 45\n", 4, 7), ("only: 5 4/4 240\n", 3, None)):
        stand = Stand(binary, ["Song.map"], start=False)
        path = os.path.join(stand.folder, "Song.map")
        with open(path, "w") as file:
            file.write("#!metronome 2\n" + lines)
        stand.command[2] = path
        stand.start()
        device = Device(stand.port)
        running(device)
        # In bar 5, two bars of a second before the end of the fast ones.
        while not stand.heard() or stand.heard()[-1]["bar"] < 5:
            time.sleep(0.02)
        began = stand.heard()[-1]["t"] / 1e9
        device.socket.close()
        stand.process.kill()
        stand.process.wait()
        time.sleep(max(0, began + away - time.monotonic()))
        stand.start()
        device = Device(stand.port)
        _, course = begun(device)
        gone = time.monotonic() - began
        if bar is None:
            assert not course["isRunning"], course
            print(f"killed in bar 5 of 5, back {gone:.1f} s later: at rest")
        else:
            # The slow bar sounds from the second to the sixth second.
            assert course["isRunning"] and (course["beats"][0]["bar"] == bar or gone > 5.9), (course["beats"][0], gone)
            print(f"killed in bar 5 of a map, back {gone:.1f} s later in bar {course['beats'][0]['bar']}")
        device.socket.close()
        stand.stop()


def count_ins(binary):
    """A second start that is killed in its count-in begins again, and not in a bar of the run before it."""
    stand = Stand(binary, ["240", "--count-in", "2"])
    device = Device(stand.port)
    running(device)
    while not stand.heard() or stand.heard()[-1]["bar"] < 3:
        time.sleep(0.02)
    assert device.command("stop", "now")["type"] == "done"
    while device.until("course")["isRunning"]:
        pass
    assert device.command("start", "now")["type"] == "done"
    running(device)
    time.sleep(0.3)
    device.socket.close()
    _, device = kill(stand)
    _, course = begun(device)
    assert course["isRunning"] and course["beats"][0]["bar"] <= 1, course["beats"][0]
    print(f"killed in the second count-in, back in bar {course['beats'][0]['bar']}")
    device.socket.close()
    stand.stop()


def songs(binary):
    """The song of a set list that was made on the page."""
    stand = Stand(binary, ["240"], start=False)
    for name in ("Song.pdf", "Sonata.pdf"):
        shutil.copy(os.path.join(SCORES, name), os.path.join(stand.folder, "scores"))
    stand.start()
    device = Device(stand.port)
    scores = {score["title"]: score["id"] for score in device.scores()}
    gig, song = os.urandom(16).hex(), os.urandom(16).hex()
    device.say(type="setlist", do="name", set=gig, name="Friday")
    device.say(type="setlist", do="add", set=gig, song=song, score=scores["Sonata"])
    device.say(type="song", id=song)
    while device.until("stage").get("song") != song:
        pass
    running(device)
    device.socket.close()
    _, device = kill(stand)
    stage, _ = begun(device)
    assert (stage.get("song"), stage["score"]) == (song, scores["Sonata"]), stage
    assert device.welcome["score"] == scores["Sonata"]
    device.socket.close()
    # Whoever ends it as usual begins anew.
    assert stand.stop() == 143
    stand.start()
    device = Device(stand.port)
    stage, _ = begun(device)
    assert "song" not in stage and "score" not in stage, stage
    device.socket.close()
    stand.stop()


def keys(binary):
    """The key of the devices on the network: one that had it is let in after a kill, and not after a usual end."""
    stand = Stand(binary, ["240"], options=["--lan"])
    cookie = f"stand-{stand.port}={stand.told.split('?k=')[1].strip()}"

    def status():
        request = http.client.HTTPConnection("localhost", stand.port)
        request.request("GET", "/", headers={"Cookie": cookie})
        return request.getresponse().status

    assert status() == 200
    # A run goes on from its first bar: it answers before that is kept, on a busy machine long before.
    store = os.path.join(stand.folder, "data/well-tempered/stand.sqlite")
    deadline = time.monotonic() + 30
    while not sqlite3.connect(store).execute("SELECT 1 FROM meta WHERE key = 'playing' AND value <> ''").fetchone():
        assert time.monotonic() < deadline, "no place of the run is kept"
        time.sleep(0.05)
    stand.process.kill()
    stand.process.wait()
    stand.start()
    assert status() == 200, "locked out by a kill"
    kept = os.path.join(stand.folder, "data/well-tempered/stand-run-token")
    assert os.stat(kept).st_mode & 0o077 == 0, "others can read the key"
    assert stand.stop() == 143
    assert not os.path.exists(kept)
    stand.start()
    assert status() == 401, "the key of a run that has ended"
    stand.stop()


def folders(binary):
    """Many scores: known at the next start without the program that reads them."""
    stand = Stand(binary, ["120"], start=False)
    with open(os.path.join(SCORES, "Song.pdf"), "rb") as file:
        song = file.read()
    for number in range(COUNT):
        with open(os.path.join(stand.folder, f"scores/{number:03}.pdf"), "wb") as file:
            file.write(song + b"%% %d\n" % number)
    # Stopped while it reads them: it does not wait for the programs that do, and says nothing.
    stand.start()
    assert stand.stop() == 143
    stand.start()
    started = time.monotonic()
    device = Device(stand.port)
    first = time.monotonic() - started
    shown = len(device.welcome["scores"])
    assert len(device.scores()) == COUNT
    device.socket.close()
    # Nobody reads the first, whose size and time are the same, again, and somebody does the second.
    for number, is_told in ((0, False), (1, True)):
        path = os.path.join(stand.folder, f"scores/{number:03}.pdf")
        status = os.stat(path)
        with open(path, "wb") as file:
            file.write(b"x" * status.st_size)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + is_told))
    killed, device = kill(stand)
    welcomed = time.monotonic() - killed
    names = [score["title"] for score in device.scores()]
    assert names == ["000"] + [f"{number:03}" for number in range(2, COUNT)], names
    print(f"{COUNT} scores: {first:.2f} s to the first welcome, with {shown} of them; {welcomed:.2f} s from the kill to the welcome at the next")
    device.socket.close()
    stand.stop()


try:
    entries(sys.argv[1])
    maps(sys.argv[1])
    count_ins(sys.argv[1])
    songs(sys.argv[1])
    keys(sys.argv[1])
    folders(sys.argv[1])
    print("restart: passed")
finally:
    Stand.end_all()
