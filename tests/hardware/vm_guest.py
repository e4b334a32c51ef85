"""Runs inside the virtual machine of vm_tier.sh, as root: the finger on the buttons, the phones, and the test's eyes.

What to do stands on the kernel's command line (lab=presses, hand, look, usb or v4l2). What it sees goes to the virtual
console as JSON, one object a line. Only the standard library, because it is not the program under test.
"""

from __future__ import annotations

import http.cookiejar
import json
import os
import random
import re
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recorded_bounce import press_edges

BUTTON, LAMP = 17, 22
URL = "http://127.0.0.1:8080"
PRESSES = 200
PYTHON = "/opt/uno-referee/current/bin/python"
DATA = Path("/var/lib/uno-referee")
REST_S = (0.4, 0.6)
RELEASE_S = 0.1
"""What the referee takes for a release: DebounceLimits.release_s."""


def say(**what: Any) -> None:
    Path("/dev/hvc0").write_text(json.dumps(what) + "\n")


# --- the line -------------------------------------------------------------------------------------------------------


def line(pin: int, what: str) -> Path:
    return next(Path("/sys/devices/platform").glob(f"gpio-sim.*/gpiochip*/sim_gpio{pin}/{what}"))


class Finger:
    """Presses the button on the simulated chip and looks at the lamp. It does not share this machine's processor with
    the referee, as a person's does not: it comes before everything else."""

    def __init__(self, rng: random.Random) -> None:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        self._pull, self._lamp, self._rng = line(BUTTON, "pull"), line(LAMP, "value"), rng
        self.stretched = 0
        """Openings within a push that this machine, coming late, made as long as a release."""

    def press(self, number: int) -> tuple[float | None, int]:
        """Pushes and lets go, as recorded; edges that are nearer than this machine can write come one after the other.
        Seconds from the first edge to the lamp (None: it stayed dark), and the number of edges."""
        first, opened, lit, edges = time.monotonic(), None, None, 0
        for gap, closed in press_edges(number, self._rng):
            due = time.monotonic() + gap
            while (left := due - time.monotonic()) > 0:
                lit = lit or self._look(first)
                time.sleep(min(left, 0.001))
            self._pull.write_text("pull-down" if closed else "pull-up")
            if closed and opened is not None and time.monotonic() - opened >= RELEASE_S:
                self.stretched += 1
            opened = None if closed else time.monotonic()
            edges += 1
        while lit is None and time.monotonic() < first + 1.0:
            lit = self._look(first)
            time.sleep(0.001)
        return lit, edges

    def push(self, down: bool) -> None:
        """Presses, or lets go, without bounce."""
        self._pull.write_text("pull-down" if down else "pull-up")

    def rattle(self, seconds: float) -> None:
        """A wire that is loose: 125 edges a second."""
        for edge in range(round(seconds / 0.008)):
            self.push(edge % 2 == 0)
            time.sleep(0.008)
        self.push(False)

    def _look(self, first: float) -> float | None:
        """Seconds since `first` when the lamp is on."""
        return time.monotonic() - first if self._lamp.read_text().strip() == "1" else None


# --- the phones -----------------------------------------------------------------------------------------------------


class Phone:
    """The host's browser."""

    def __init__(self) -> None:
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())).open

    def get(self, path: str) -> Any:
        return json.load(self._open(URL + path, timeout=60))

    def post(self, path: str, **body: Any) -> Any:
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", "Origin": URL}
        asked = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)
        try:
            return json.load(self._open(asked, timeout=60))
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path} {body}: {error.code} {error.read().decode()}") from None

    def become_host(self) -> None:
        said = subprocess.run(["journalctl", "-b", "-u", "uno-referee", "--no-pager"], capture_output=True, text=True)
        found = re.search(r"PIN: (\d+)", said.stdout)
        if found is None:
            raise SystemExit(f"no PIN in the log: {said.stdout[-800:]}")
        self.post("/api/host", pin=found[1])


def start_game(phone: Phone) -> None:
    phone.become_host()
    phone.post("/api/game", players=["Ana", "Ben", "Cleo"], preset="official_108", dealer="Ana")
    phone.post("/api/act/missed", card="R7")


# --- what is asked --------------------------------------------------------------------------------------------------


def presses() -> None:
    """Every press is told once and answered; a button that is jammed or loose is named."""
    phone = Phone()
    start_game(phone)
    phone.post("/api/act/pause")  # so that no ruling lights the lamp, too
    time.sleep(5.0)
    finger, rng = Finger(random.Random(5)), random.Random(6)
    answers, edges, stamps = [], 0, []
    for number in range(PRESSES):
        stamps.append(time.monotonic())
        lit, made = finger.press(number)
        answers.append(lit)
        edges += made
        time.sleep(rng.uniform(*REST_S))
        if number % 20 == 19:
            say(presses=number + 1)
    journal = sqlite3.connect(f"file:{DATA}/journal.db?mode=ro", uri=True)
    rows = [json.loads(event) for (event,) in journal.execute("SELECT event FROM entries ORDER BY number")]
    times = sorted(row["t"] for row in rows if row["ev"] == "uno")
    lit_s = sorted(answer for answer in answers if answer is not None)
    # A press is stamped at its first edge: the journal's intervals are those of the finger.
    drift = [abs((b - a) - (d - c)) for a, b, c, d in zip(times, times[1:], stamps, stamps[1:], strict=False)]
    finger.push(True)
    time.sleep(11.0)
    say(jammed=pin_troubles(phone))
    finger.push(False)
    time.sleep(1.0)
    finger.rattle(1.5)
    say(loose=pin_troubles(phone))
    time.sleep(3.0)
    say(well=pin_troubles(phone))
    say(
        done="presses", presses=PRESSES, edges=edges, stretched=finger.stretched, events=len(times),
        answered=len(lit_s),
        lamp_ms=[ms(lit_s[round(part * (len(lit_s) - 1))]) for part in (0.5, 0.99, 1.0)],  # median, 99 %, worst
        worst_stamp_error_ms=ms(max(drift, default=0.0)),
    )  # fmt: skip


def pin_troubles(phone: Phone) -> list[str]:
    """What the page says is wrong with the buttons."""
    return [one["what"] for one in phone.get("/api/board")["troubles"] if one["code"].startswith("button")]


def ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def hand() -> None:
    """Plays on for ever, and says after each acknowledged event where the game stands, until the plug is pulled."""
    phone, finger, rng = Phone(), Finger(random.Random(7)), random.Random(8)
    start_game(phone)
    while True:
        board = phone.get("/api/board")
        player, top = board["turn"], board["top"]
        if player is None or board["phase"] != "turn":
            raise SystemExit(f"nobody is in turn: {board['phase']}")
        best = next(one["best"] for one in board["players"] if one["name"] == player)
        if best <= 3 or rng.random() < 0.4:
            number = phone.post("/api/act/drew", by=player, n=1)["number"]
            if (now := phone.get("/api/board"))["turn"] == player and now["phase"] == "drawn":
                number = phone.post("/api/act/pass", by=player)["number"]
        else:
            number = phone.post("/api/act/missed", card=top[0] + str(rng.randrange(1, 10)), by=player)["number"]
        if rng.random() < 0.3:
            finger.press(number)
        say(number=number, stands=position(phone))


def look() -> None:
    """The same after a boot, with all that is on the disk."""
    journal = sqlite3.connect(f"file:{DATA}/journal.db?mode=ro", uri=True)
    entries = [[number, json.loads(event)] for number, event in journal.execute("SELECT number, event FROM entries")]
    say(stands=position(Phone()), entries=entries, done="look")


def usb() -> None:
    """A USB camera on the kernel's own V4L2 test driver: frames, locks, busy, no permission, unplugged; then the same
    moments on the page of `referee serve`."""
    subprocess.run(["modprobe", "vivid", "n_devs=1"], check=True)
    subprocess.run(["udevadm", "settle"], check=True)
    for script in ("vm_usb.py", "vm_serve.py"):
        run("usb", [PYTHON, f"/opt/lab/{script}"])
    say(done="usb")


def run(name: str, command: list[Any], **environment: Any) -> None:
    """Runs a program and passes on every line that it says."""
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**env, **environment}
    ) as process:
        assert process.stdout is not None
        for text in process.stdout:
            say(**{name: text.strip()})
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")


def v4l2() -> None:
    """The scripted hand through a V4L2 driver: vm_feeder.py gives the pictures to it, the referee takes them."""
    folder = Path("/opt/hand")
    subprocess.run(["mount", "-o", "rw", "/dev/vdb", folder], check=True)
    subprocess.run(["modprobe", "v4l2loopback", "video_nr=0", "exclusive_caps=1", "card_label=table"], check=True)
    subprocess.run(["udevadm", "settle"], check=True)
    (folder / "ready").unlink(missing_ok=True)  # of a run that was cut off
    every = {"EVERY": words()["every"]}
    feeder = subprocess.Popen(["/usr/bin/python3", "/opt/lab/vm_feeder.py", "/dev/video0", folder], env=every)
    code = folder / "code"
    hand = code / "tests/hardware/hand_through_drivers.py"
    try:
        run("v4l2", [PYTHON, hand, "live", folder, "usb:0"], PYTHONPATH=code, **every)
    finally:
        feeder.kill()
    say(account=json.loads((folder / "live.json").read_text()))
    say(done="v4l2")


def position(phone: Phone) -> dict[str, Any]:
    """What of the board is the game, and not the clock or the eye."""
    board = phone.get("/api/board")
    drop = ("seq", "t", "eye", "pace", "troubles", "paused")
    return {key: value for key, value in board.items() if key not in drop}


def words() -> dict[str, str]:
    """The kernel's command line."""
    return dict(word.partition("=")[::2] for word in Path("/proc/cmdline").read_text().split())


def main() -> None:
    jobs: dict[str, Callable[[], None]] = {"presses": presses, "hand": hand, "look": look, "usb": usb, "v4l2": v4l2}
    say(up=float(Path("/proc/uptime").read_text().split()[0]), job=words().get("lab"))
    try:
        jobs[words()["lab"]]()
    except BaseException as error:
        say(failed=f"{type(error).__name__}: {error}")
        log = subprocess.run(["journalctl", "-b", "--no-pager", "-n", "60"], capture_output=True, text=True).stdout
        say(log=log)
    os.sync()
    subprocess.run(["systemctl", "poweroff", "--force", "--force"])


if __name__ == "__main__":
    main()
