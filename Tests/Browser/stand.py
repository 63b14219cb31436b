"""The server under test, started as a musician does, and a device that only listens."""

import asyncio
import json
import os
import shlex
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

import websockets

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Another server that speaks the protocol may stand in: {port} and {scores} are put in.
COMMAND = os.environ.get("STAND_COMMAND") or os.path.join(
    os.environ.get("WELL_TEMPERED_BIN") or os.path.join(ROOT, ".build/release"), "musicstand"
) + " {scores} {plan} --device null --port {port} {options}"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Stand:
    """A server with a data folder of its own, which a second start finds again. It plays a plan, or the words of a tempo map
    for Song."""

    def __init__(self, *options, plan="120 --accent 4", song=None, scores=os.path.join(HERE, "scores")):
        self.plan, self.scores = plan, scores
        self.folder = tempfile.TemporaryDirectory(prefix="stand-")
        if song:
            self.plan = os.path.join(self.folder.name, "Song.map")
            with open(self.plan, "w") as file:
                file.write(song)
        self.port = free_port()
        self.options = options
        self.process = None
        self.start()
        # The command plays at once; tests start it themselves.
        listener = Listener(self.port)
        end = time.monotonic() + 5
        while listener.last("course") is None and time.monotonic() < end:
            time.sleep(0.02)
        if (listener.last("course") or {}).get("isRunning"):
            listener.command("stop")
            while listener.last("course")["isRunning"] and time.monotonic() < end:
                time.sleep(0.02)
        listener.close()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/"

    def start(self):
        words = {"port": self.port, "scores": self.scores, "options": " ".join(self.options),
                 "plan": self.plan}
        environment = {**os.environ, "XDG_DATA_HOME": self.folder.name, "XDG_CACHE_HOME": self.folder.name}
        self.log = open(os.path.join(self.folder.name, "log"), "a")
        self.process = subprocess.Popen(shlex.split(COMMAND.format(**words)), env=environment,
                                        stdin=subprocess.PIPE, stdout=self.log, stderr=self.log)
        for _ in range(200):
            try:
                with urllib.request.urlopen(self.address, timeout=2) as answer:
                    answer.read()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError("the server does not answer:\n" + open(self.log.name).read())

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.log.close()

    def stop_process(self):
        """Ends as by Ctrl-C; the folder stays for the next start."""
        self.process.terminate()
        self.process.wait(10)
        self.process.stdin.close()
        self.log.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdin.close()
        self.log.close()
        self.folder.cleanup()


class Listener:
    """A device that writes down what the server says: the truth that pages are held against."""

    def __init__(self, port):
        self.beats = {}  # (revision, n) -> the beat
        self.messages = []
        self.loop = asyncio.new_event_loop()
        self.port = port
        self.outbox = None
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        if not ready.wait(10):
            raise RuntimeError("the server does not welcome a device")

    def send(self, message):
        asyncio.run_coroutine_threadsafe(self.outbox.put(json.dumps(message)), self.loop).result(5)

    def command(self, do, value=None, when="now"):
        message = {"type": "command", "id": os.urandom(16).hex(), "do": do, "when": when, "at": time.monotonic_ns()}
        self.send({**message, **({} if value is None else {"value": value})})

    def last(self, kind):
        return next((message for message in reversed(self.messages) if message["type"] == kind), None)

    def heard(self, revision=None):
        """The beats of the course as it was served last, n -> beat."""
        revision = max(key[0] for key in self.beats) if revision is None else revision
        return {n: beat for (each, n), beat in self.beats.items() if each == revision}

    def close(self):
        self.loop.call_soon_threadsafe(self.task.cancel)

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.task = self.loop.create_task(self._listen(ready))
        try:
            self.loop.run_until_complete(self.task)
        except (asyncio.CancelledError, OSError, websockets.ConnectionClosed):
            pass

    async def _listen(self, ready):
        self.outbox = asyncio.Queue()
        address = f"ws://127.0.0.1:{self.port}/live"
        async with websockets.connect(address, origin=f"http://127.0.0.1:{self.port}", compression=None) as socket_:
            await socket_.send(json.dumps({"type": "hello", "device": os.urandom(16).hex(), "name": "test", "since": 0}))
            sender = asyncio.create_task(self._send(socket_))
            try:
                async for text in socket_:
                    message = json.loads(text)
                    self.messages.append(message)
                    if message["type"] == "course":
                        for beat in message["beats"]:
                            self.beats[message["revision"], beat["n"]] = beat
                    if message["type"] == "welcome":
                        ready.set()
            finally:
                sender.cancel()

    async def _send(self, socket_):
        while True:
            await socket_.send(await self.outbox.get())
