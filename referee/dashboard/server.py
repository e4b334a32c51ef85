"""Runs the application behind waitress, and stops it without leaving a thread behind."""

from __future__ import annotations

import logging
import socket
import threading

from flask import Flask
from waitress import create_server, wasyncore

THREADS = 32
"""Threads that answer. Fewer than streams + 8 starves pages (4 threads: at the fourth phone); each costs memory."""
_HIGH_WATERMARK = 262144
"""Bytes held for a viewer that does not read; beyond it the writer waits (PI.md: stalled viewers kept to 37 MB)."""
_LOOP_S = 0.5
"""Seconds between looks at the stop flag when nothing happens; stopping also wakes the loop."""


class Server:
    """A running server. port: the one it listens on, also when 0 was asked for."""

    def __init__(self, app: Flask, host: str, port: int, threads: int) -> None:
        self._app = app
        self._sockets: dict[int, wasyncore.dispatcher] = {}
        # Waitress would leave its threads behind if it found the port taken, so that the port comes first.
        listening = listen(host, port)
        self.port: int = listening.getsockname()[1]
        self._server = create_server(
            app,
            sockets=[listening],
            threads=threads,
            map=self._sockets,
            outbuf_high_watermark=_HIGH_WATERMARK,
            ident=None,
        )
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="dashboard", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            wasyncore.loop(timeout=_LOOP_S, map=self._sockets, count=1, use_poll=True)

    def stop(self) -> None:
        """Ends streams and connections and waits for the threads. A second call does nothing."""
        if self._stop.is_set():
            return
        self._app.extensions["live"].close()
        self._stop.set()
        self._server.pull_trigger()
        self._thread.join()
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()  # wakes a thread that waits for a reader
        self._server.task_dispatcher.shutdown()
        wasyncore.close_all(self._sockets, ignore_all=True)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. host: an address or name of this machine; "::" is every address, those of IPv4 too.

    Raises OSError when there is no such address or the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, dualstack_ipv6=both)


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8080, *, threads: int = THREADS) -> Server:
    """Starts the server in the background. Raises OSError when the port is taken."""
    logging.getLogger("waitress").setLevel(logging.ERROR)  # a short queue, or a page that left, is no news
    return Server(app, host, port, threads)
