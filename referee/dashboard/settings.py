"""What the dashboard is told when it is made."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("en", "de", "es")
"""Languages with a catalogue in `web/locale`; the first is the fall-back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardSettings:
    """Settings of the dashboard.

    address: what phones type, for example "http://192.168.1.20:8080": the QR carries it, so it holds the IP address
    and never a `.local` name, which many Androids cannot resolve (PI.md, Service).
    streams: most live streams at once; above it phones poll. Too many starve the pages, for each takes a thread of
    the server (32); too few make phones poll.
    comment_s: seconds between signs of life on a quiet stream. Too long and a phone that slept keeps a dead
    connection; too short wastes radio.
    presets: names of rule presets offered for a new game, the first is the default.
    language: used where the browser asks for none that there is.
    """

    address: str
    streams: int = 24
    comment_s: float = 12.0
    presets: tuple[str, ...] = ("official_108",)
    language: str = "en"
    web: Path | None = None
    """Folder with templates, static and locale; None: the one that ships."""

    def __post_init__(self) -> None:
        if not self.address.startswith(("http://", "https://")):
            raise ValueError(f"address is {self.address!r}: expected http://IP:PORT")
        if self.streams < 1:
            raise ValueError(f"streams is {self.streams}: expected 1 or more")
        if not 1.0 <= self.comment_s <= 60.0:
            raise ValueError(f"comment_s is {self.comment_s}: expected 1 to 60 seconds")
        if not self.presets:
            raise ValueError("presets is empty: expected at least one name")
        if self.language not in LANGUAGES:
            raise ValueError(f"language is {self.language!r}: expected one of {', '.join(LANGUAGES)}")


def lan_address(port: int) -> str:
    """`http://IP:port` as other machines of the network reach this one; 127.0.0.1 without a network.

    Nothing is sent: connecting a datagram socket only makes the kernel choose the address it would send from.
    """
    ip = "127.0.0.1"
    for target in ("192.168.255.254", "10.255.255.254", "203.0.113.1"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                ip = probe.getsockname()[0]
                break
            except OSError:
                continue
    return f"http://{ip}:{port}"


def is_lan_ip(host: str) -> bool:
    """Whether `host` (without a port) is an address that other machines can use, not a name or a loopback."""
    try:
        ip = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return not (ip.is_loopback or ip.is_unspecified)
