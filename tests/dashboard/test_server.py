"""Where the pages are listened for."""

from __future__ import annotations

import socket

import pytest

from referee.dashboard.server import listen


def _six() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not _six(), reason="this machine has no IPv6")
@pytest.mark.parametrize(("host", "reached"), [("::", ["::1", "127.0.0.1"]), ("::1", ["::1"])])
def test_an_address_of_six_is_listened_on(host: str, reached: list[str]) -> None:
    with listen(host, 0) as listening:
        for address in reached:
            socket.create_connection((address, listening.getsockname()[1]), timeout=5).close()
