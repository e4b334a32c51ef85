"""The pages: what comes at first, how much it weighs, and in which language."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from fake_parts import FakeSetUp
from fake_table import running

FIRST_PAINT_BYTES = 50_000
PAGES = ["/", "/play", "/board", "/host", "/rules"]
ASK = {"Accept-Encoding": "gzip"}


class Found(HTMLParser):
    """Collects what a page loads, and what it must not hold."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "style" or "style" in found or any(name.startswith("on") for name in found):
            self.inline.append(self.get_starttag_text() or tag)
        if tag == "script" and "src" not in found and found.get("type") != "application/json":
            self.inline.append("script")
        for name in ("src", "href") if tag in ("script", "link", "img") else ():
            if found.get(name):
                self.loads.append(str(found[name]))


def loaded(phone, path: str) -> dict[str, int]:
    """Every file a page loads, with the imports of its modules, and its size on the wire."""
    sizes: dict[str, int] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        answer = phone.get(file, headers=ASK)
        assert answer.status_code == 200, file
        sizes[file] = len(answer.data)
        text = phone.get(file).text if not file.endswith(".jpg") else ""
        more = Found(text).loads if file == path else []
        if file.endswith(".js"):
            more = [file.rsplit("/", 1)[0] + "/" + name for name in re.findall(r'from "\./([\w.]+)"', text)]
        waiting += [name for name in more if name not in sizes]
    return sizes


@pytest.mark.parametrize("path", PAGES)
def test_first_paint_is_light_and_loads_nothing_from_elsewhere(dashboard, path):
    sizes = loaded(dashboard.phone("Ben", host=True), path)
    assert all(name.startswith("/") and not name.startswith("//") for name in sizes)
    assert sum(sizes.values()) < FIRST_PAINT_BYTES, sizes


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_inline_that_the_policy_would_block(dashboard, path):
    assert Found(dashboard.phone().get(path).text).inline == []


@pytest.mark.parametrize("path", PAGES)
def test_a_name_cannot_become_markup(make, path):
    board = running()
    board["players"][0]["name"] = "</script><b>"
    assert "</script><b>" not in make(board).phone().get(path).text


def test_files_are_kept_until_they_change(dashboard):
    phone = dashboard.phone()
    (sheet,) = [name for name in Found(phone.get("/play").text).loads if name.endswith("main.css")]
    assert "immutable" in phone.get(sheet).headers["Cache-Control"]
    old = phone.get("/static/00000000/css/main.css")
    assert old.status_code == 200
    assert "immutable" not in old.headers["Cache-Control"]


@pytest.mark.parametrize("name", ["../templates/base.html", "..%2f..%2fpyproject.toml", "css/nothing.css"])
def test_only_the_static_folder_is_served(dashboard, name):
    assert dashboard.phone().get(f"/static/x/{name}").status_code == 404


@pytest.mark.parametrize(
    ("asked", "said"), [("de-AT,de;q=0.9,en;q=0.5", "Dein Name"), ("es", "Tu nombre"), ("ja", "Your name")]
)
def test_the_browser_chooses_the_language(make, asked, said):
    assert said in make().phone().get("/", headers={"Accept-Language": asked}).text


def test_a_person_chooses_another(make):
    phone = make().phone()
    answer = phone.get("/language/de", headers={"Referer": "http://localhost/host"})
    assert answer.location == "/host"
    assert 'lang="de"' in phone.get("/").text
    assert phone.get("/language/xx", headers={"Referer": "http://evil.example/host"}).location == "/"
    assert 'lang="de"' in phone.get("/").text


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.168.7.7:8080", "192.168.7.7:8080"),
        ("[fd00::5]:8080", "[fd00::5]:8080"),
        ("referee.local:8080", "192.168.1.20:8080"),
        ("localhost:8080", "192.168.1.20:8080"),
        ("127.0.0.1:8080", "192.168.1.20:8080"),
    ],
)
def test_the_address_to_join_is_an_ip(dashboard, host, address):
    page = dashboard.phone().client.get("/", base_url=f"http://{host}")
    assert f'<p class="address">{address}</p>' in page.text


def test_a_page_that_is_not_there_leads_back(dashboard):
    answer = dashboard.phone().get("/nothing", headers={"Accept-Language": "de"})
    assert answer.status_code == 404
    assert "Diese Seite gibt es nicht." in answer.text
    assert '<a class="act strong" href="/">Zum Anfang</a>' in answer.text


def test_the_qr_is_drawn(dashboard):
    answer = dashboard.phone().get("/qr.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.text.startswith("<svg")


def test_text_is_sent_compressed_to_who_can_read_it(dashboard):
    phone = dashboard.phone()
    plain, squeezed = phone.get("/play"), phone.get("/play", headers=ASK)
    assert "Content-Encoding" not in plain.headers
    assert squeezed.headers["Content-Encoding"] == "gzip"
    assert len(squeezed.data) < len(plain.data) / 2
    assert "Content-Encoding" not in phone.get("/photo/p39.jpg", headers=ASK).headers


@pytest.mark.parametrize("path", [*PAGES, "/history", "/setup"])
def test_a_page_names_every_script_so_that_a_slow_network_fetches_all_at_once(make, path):
    phone = make(running(), set_up=FakeSetUp()).phone(host=True)
    page = phone.get(path)
    scripts = {file for file in loaded(phone, path) if file.endswith(".js")}
    assert scripts == {file for file in Found(page.text).loads if file.endswith(".js")}
