"""Messages between the service and its camera process: pickled objects with their length, over a socket pair.

The receiver never blocks in the middle of a message, so that a sender that is stopped or killed cannot hang it.
Both ends are our own processes on one machine; nothing else can reach the socket.
"""

from __future__ import annotations

import pickle
import socket
import struct
from typing import Any

_HEADER = struct.Struct("<I")
_CHUNK = 1 << 16


def send(sock: socket.socket, message: Any) -> None:
    """Sends one message; blocks until the other end has room. Raises OSError when it is gone."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    sock.sendall(_HEADER.pack(len(data)) + data)


class Receiver:
    """Cuts the stream of a socket into messages. `closed` is True once the other end is gone."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._buffer = bytearray()
        self.closed = False

    def receive(self, timeout_s: float | None) -> list[Any]:
        """The messages that are complete, waiting up to `timeout_s` (None: for ever) for the first byte."""
        self._sock.settimeout(timeout_s)
        try:
            data = self._sock.recv(_CHUNK)
        except (TimeoutError, BlockingIOError):
            return []
        except ConnectionError:
            data = b""
        if not data:
            self.closed = True
        self._buffer += data
        messages = []
        while len(self._buffer) >= _HEADER.size:
            (length,) = _HEADER.unpack_from(self._buffer)
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            messages.append(pickle.loads(bytes(self._buffer[_HEADER.size : end])))
            del self._buffer[:end]
        return messages
