"""A network between page and server: delays in order, as Wi-Fi makes them, and cuts."""

import asyncio
import random
import socket
import threading
import time

BEACON = 0.1024  # s: a sleeping radio hears the access point this often
AWAKE = 0.05  # s without traffic after which the radio sleeps
BURST = 0.3  # s that a burst of the page takes at most


class Network:
    """A TCP proxy on a port of its own. `mode`: plain, wifi, bad, sleepy or lopsided."""

    def __init__(self, target, mode="plain", seed=1):
        self.target, self.mode = target, mode
        self.random = random.Random(seed)
        self.last_down = 0.0
        self.dozes = 0
        self.is_cut = False
        self.writers = set()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait(5)

    def cut(self):
        """Nothing arrives any more, and nobody is told."""
        self.is_cut = True

    def heal(self):
        """The network is back; what was on its way is lost."""
        self.is_cut = False
        self.loop.call_soon_threadsafe(lambda: [writer.transport.abort() for writer in list(self.writers)])

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

    def _run(self, ready):
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self._connect, "127.0.0.1", self.port))
        ready.set()
        self.loop.run_forever()

    def _delay(self, down):
        draw = self.random.expovariate
        if self.mode == "wifi":
            return 0.0007 + draw(1 / 0.002)
        if self.mode == "bad":
            return 0.001 + draw(1 / 0.006) + (draw(1 / 0.08) if self.random.random() < 0.05 else 0)
        if self.mode == "lopsided":
            return (0.001 if down else 0.005) + draw(1 / 0.001)
        if self.mode == "sleepy":
            now = time.monotonic()
            sleeps = down and now - self.last_down > AWAKE
            # Pings of a burst are 30 ms apart: the radio sleeps between two only where the machine stalls.
            self.dozes += sleeps and now - self.last_down < BURST
            return 0.0007 + draw(1 / 0.0015) + (BEACON - now % BEACON if sleeps else 0)
        return 0

    async def _connect(self, reader, writer):
        self.writers.add(writer)
        try:
            while self.is_cut:
                await asyncio.sleep(0.1)
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self.writers.add(up_writer)
        await asyncio.gather(self._pump(reader, up_writer, False), self._pump(up_reader, writer, True))
        self.writers -= {writer, up_writer}

    async def _pump(self, reader, writer, down):
        queue = asyncio.Queue()
        sender = asyncio.create_task(self._send(queue, writer, down))
        free = 0.0
        while True:
            try:
                data = await reader.read(65_536)
            except OSError:
                data = b""
            if not down and data.startswith(b"GET "):
                # The server answers to its own address only.
                data = data.replace(b"127.0.0.1:%d" % self.port, b"127.0.0.1:%d" % self.target)
            free = max(free, time.monotonic() + self._delay(down))
            queue.put_nowait((free, data))
            if not data:
                break
        await sender

    async def _send(self, queue, writer, down):
        try:
            while True:
                due, data = await queue.get()
                while (wait := due - time.monotonic()) > 0:
                    await asyncio.sleep(wait)
                if not data:
                    writer.close()
                    return
                if self.is_cut:
                    continue
                if down:
                    self.last_down = time.monotonic()
                writer.write(data)
                await writer.drain()
        except OSError:
            writer.transport.abort()
