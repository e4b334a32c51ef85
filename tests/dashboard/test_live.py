"""Live updates over real sockets: streams, their cap, polling, resuming, and a stop that leaves nothing behind."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_table import running

from referee.dashboard import Server, serve

PATIENCE_S = 60.0


class Screen:
    """Reads a stream as a browser does."""

    def __init__(self, port: int, path: str = "/api/stream", last: str | None = None) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._line.request("GET", path, headers={"Last-Event-ID": last} if last else {})
        self.answer = self._line.getresponse()
        self.status = self.answer.status
        self.tag = last

    def message(self) -> tuple[str, Any]:
        """The next event: its name and its data."""
        name, data = "", ""
        while True:
            line = self.answer.readline().decode()
            if not line:
                return "end", None
            if line == "\n" and name:
                return name, json.loads(data) if data else None
            key, _, value = line.rstrip("\n").partition(":")
            value = value.removeprefix(" ")
            if key == "event":
                name = value
            elif key == "data":
                data = value
            elif key == "id":
                self.tag = value

    def board(self) -> dict[str, Any]:
        """The next board, past signs of life and the version."""
        while True:
            name, data = self.message()
            if name == "board":
                return data
            assert name in ("beat", "version"), name

    def close(self) -> None:
        self.answer.close()
        self._line.close()


@pytest.fixture
def running_server(make) -> Iterator[Callable[..., tuple[Any, Server, Callable[..., Screen]]]]:
    """Starts a server on a fake table: `(dashboard, server, screen)`, where `screen(...)` opens a stream."""
    servers: list[Server] = []
    screens: list[Screen] = []

    def start(**settings: Any) -> tuple[Any, Server, Callable[..., Screen]]:
        dashboard = make(running(), **settings)
        server = serve(dashboard.app, "127.0.0.1", 0)
        servers.append(server)

        def screen(*args: Any, **kwargs: Any) -> Screen:
            screens.append(Screen(server.port, *args, **kwargs))
            return screens[-1]

        return dashboard, server, screen

    yield start
    for screen in screens:
        screen.close()
    for server in servers:
        server.stop()


def get(port: int, path: str) -> tuple[int, dict[str, str], bytes]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    line.request("GET", path)
    answer = line.getresponse()
    body = answer.read()
    line.close()
    return answer.status, dict(answer.headers), body


def test_a_stream_brings_the_board_and_every_change(running_server):
    dashboard, _, screen = running_server()
    stream = screen()
    assert stream.answer.headers["Content-Type"].startswith("text/event-stream")
    assert stream.board()["turn"] == "Ben"
    dashboard.table.change(turn="Cleo")
    assert stream.board()["turn"] == "Cleo"


def test_a_stream_speaks_at_once_and_stays_alive_in_silence(running_server):
    _, _, screen = running_server(comment_s=1.0)
    stream = screen()
    assert stream.answer.readline() == b"retry: 2000\n"
    assert stream.message()[0] == "version"
    assert stream.board()["turn"] == "Ben"
    assert stream.message() == ("beat", None)


@pytest.mark.parametrize("by", ["header", "query"])
def test_a_screen_that_comes_back_hears_only_what_it_missed(running_server, by):
    dashboard, _, screen = running_server()
    first = screen()
    first.board()
    again = screen(last=first.tag) if by == "header" else screen(f"/api/stream?since={first.tag}")
    dashboard.table.change(turn="Dana")
    assert again.board()["turn"] == "Dana"
    dashboard.table.change(turn="Ana")
    late = screen(last=first.tag)
    assert late.board()["turn"] == "Ana"


def test_above_the_cap_a_screen_is_told_to_ask_and_gets_the_same(running_server):
    dashboard, server, screen = running_server(streams=2)
    streams = [screen(), screen()]
    refused = screen()
    assert (refused.status, refused.answer.headers["Retry-After"]) == (503, "2")
    _, headers, body = get(server.port, "/api/board")
    assert json.loads(body) == streams[0].board()
    dashboard.table.change(turn="Dana")
    status, _, body = get(server.port, f"/api/board?since={headers['X-Board-Tag']}")
    assert (status, json.loads(body)["turn"]) == (200, "Dana")


def test_a_stream_that_ended_makes_room(running_server):
    dashboard, _, screen = running_server(streams=1, comment_s=1.0)
    first = screen()
    first.board()
    first.close()
    for _ in range(100):  # the server notices when it next writes
        dashboard.table.change(turn="Ana")
        second = screen()
        if second.status == 200:
            break
        second.close()
        threading.Event().wait(0.1)
    assert second.board()["turn"] == "Ana"


def test_joining_is_seen_by_everybody(running_server):
    dashboard, _, screen = running_server()
    stream = screen()
    assert stream.board()["people"] == []
    dashboard.phone("Ben")
    assert stream.board()["people"] == ["Ben"]


def test_ten_phones_and_a_television_see_every_update_while_pages_load(running_server):
    dashboard, server, screen = running_server()
    streams = [screen() for _ in range(11)]
    for stream in streams:
        stream.board()
    heard: dict[int, list[int]] = {}

    def listen(n: int) -> None:
        heard[n] = []
        while True:
            hand = streams[n].board()["hand"]
            heard[n].append(hand)
            if hand == 130:
                return

    listeners = [threading.Thread(target=listen, args=(n,)) for n in range(len(streams))]
    for listener in listeners:
        listener.start()
    for hand in range(101, 131):
        dashboard.table.change(hand=hand)
        if hand % 10 == 0:
            assert get(server.port, "/play")[0] == 200
    for listener in listeners:
        listener.join(PATIENCE_S)
        assert not listener.is_alive()
    assert all(seen == sorted(seen) and seen[-1] == 130 for seen in heard.values())


def test_a_stop_ends_open_streams_at_once(running_server):
    _, server, screen = running_server(comment_s=60.0)
    stream = screen()
    stream.board()
    server.stop()
    assert stream.message() == ("end", None)
    server.stop()


def test_a_port_that_is_taken_is_refused(running_server, make):
    _, server, _ = running_server()
    with pytest.raises(OSError, match="in use"):
        serve(make().app, "127.0.0.1", server.port)
