"""A client of the music stand for tests: WebSocket by hand, so that it can also be a hostile one."""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time


class Stand:
    """A musicstand that plays, on ALSA's null device unless another one is named."""

    started = []

    def __init__(self, binary, arguments, folder=None, port=0, device="null", environment={}, options=(), start=True):
        self.folder = folder or tempfile.mkdtemp(prefix="stand-")
        os.makedirs(os.path.join(self.folder, "scores"), exist_ok=True)
        self.port = port or free_port()
        self.log = os.path.join(self.folder, "heard.jsonl")
        self.environment = dict(
            os.environ, XDG_DATA_HOME=os.path.join(self.folder, "data"),
            XDG_CACHE_HOME=os.path.join(self.folder, "cache"), XDG_CONFIG_HOME=os.path.join(self.folder, "config"), **environment)
        self.command = [
            binary, os.path.join(self.folder, "scores"), *arguments, "-D", device, "--port", str(self.port),
            "--log-heard", self.log, *options]
        if start:
            self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        Stand.started.append(self)
        self.told = self.process.stderr.readline()
        assert "open http" in self.told, self.told
        return self

    @staticmethod
    def end_all():
        """Leaves no process and no folder, however a test ends."""
        for stand in Stand.started:
            if stand.process.poll() is None:
                stand.process.kill()
                stand.process.wait()
            shutil.rmtree(stand.folder, ignore_errors=True)

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) // 1024

    def heard(self):
        with open(self.log) as log:
            return [json.loads(line) for line in log]

    def stop(self):
        self.process.terminate()
        status = self.process.wait(20)
        told = self.process.stderr.read()
        # SwiftNIO complains of what is told to a loop that is no more.
        assert "EventLoop" not in told, told
        return status


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Device:
    """A connection; a device once it has said hello."""

    def __init__(self, port, receive_buffer=None, hello=True, since=0, tls=None, origin=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(60)
        self.socket.connect(("127.0.0.1", port))
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        origin = origin or f"http{'s' * bool(tls)}://localhost:{port}"
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /live HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        self.status, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.kept = []
        if hello:
            self.say(type="hello", device=os.urandom(16).hex(), name="test", since=since)
            self.welcome = self.until("welcome")

    def fill(self):
        data = self.socket.recv(65536)
        if not data:
            raise EOFError
        self.buffer += data

    def frame(self, payload, opcode=1, last=True, length=None):
        told = len(payload) if length is None else length
        head = bytes([(0x80 if last else 0) | opcode])
        if told < 126:
            head += bytes([0x80 | told])
        elif told < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", told)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", told)
        mask = b"\x11\x22\x33\x44"
        self.socket.sendall(head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload)))

    def say(self, **message):
        self.frame(json.dumps(message).encode())

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def next(self):
        """The next message, as an object; pings are answered."""
        while True:
            first, second = self.take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(length)
            if first & 15 == 9:
                self.frame(payload, opcode=10)
            elif first & 15 == 8:
                raise EOFError
            elif first & 15 == 1:
                message = json.loads(payload)
                self.kept.append(message)
                return message

    def until(self, kind):
        while True:
            message = self.next()
            if message["type"] == kind:
                return message

    def scores(self):
        """The scores, once the folder has been read."""
        told = self.welcome
        while told["leftOut"]["coming"]:
            told = self.until("scores")
        return told["scores"]

    def command(self, do, when="now", value=None):
        identity = os.urandom(16).hex()
        message = dict(type="command", id=identity, do=do, when=when, at=time.monotonic_ns())
        if value is not None:
            message["value"] = value
        self.say(**message)
        while True:
            answer = self.next()
            if answer["type"] in ("done", "refused") and answer["id"] == identity:
                return answer

    def watch(self, beats, stand):
        """Reads until so many more beats have been heard."""
        goal = len(stand.heard()) + beats
        self.socket.settimeout(0.2)
        while len(stand.heard()) < goal:
            try:
                self.next()
            except TimeoutError:
                pass
        self.socket.settimeout(60)
