"""`referee enrol SOURCE`: shows the camera each face of a new or odd deck once (CONTRACT)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cards import Card
from referee.commands.data import Refused, kept_in

if TYPE_CHECKING:
    from referee.frame import Image
    from referee.vision.deck import Deck
    from referee.vision.enrolment import Enrolment, Step
    from referee.vision.nets import Models

LOOK_S = 0.2
"""Seconds between looks at a camera or a recording. Shorter costs time; longer keeps people waiting."""


@click.command(name="enrol")
@click.argument("source", required=False)
@click.option("--deck", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The deck's file. [default: the one that `serve` uses]")  # fmt: skip
@click.option("--name", default="my deck", show_default=True, help="What the deck is called.")
@click.option("--face", "faces", multiple=True, metavar="CARD", help="Look at this face again; may be repeated.")
@click.option("--finish", is_flag=True, help="Be done with the faces seen so far.")
@click.option("--restart", is_flag=True, help="Forget the looks of an earlier run.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def command(
    source: str | None, file: Path | None, name: str, faces: tuple[str, ...], finish: bool, restart: bool, as_json: bool
) -> None:
    """Show the camera SOURCE each face of a deck once, so that the eye reads it better.

    SOURCE is `pi`, `usb:0`, a video file, or a folder of pictures; pictures named after faces (R7.jpg, W+4.png) may
    come in any order. What was seen is kept after each face: the same command goes on where it was stopped, and so does
    the page. A deck in use stays in use until then. Without SOURCE it is fitted again, as after an update.
    """
    from referee.hardware.cameras import CameraError
    from referee.vision.deck import FILE_NAME, DeckError, load_deck, unlearned
    from referee.vision.nets import ModelError, load_models
    from referee.vision.picture_file import PictureError

    file = file or kept_in() / FILE_NAME
    looks = unlearned(file)
    try:
        import cv2

        cv2.setNumThreads(1)
        models = load_models()
        begun = looks.exists() and (source is not None or finish or not file.exists())
        kept = looks if begun else file
        deck = _deck(name) if restart or not kept.exists() else load_deck(kept, models.readers)
        deck = _without(deck, faces)
        if source is not None and deck.missing:
            deck = _show(source, models, deck, looks)
        if deck.missing and not finish and source is not None:
            raise Refused(
                f"{source}: {len(deck.missing)} faces were not seen, {deck.missing[0]} first; what was seen is kept in "
                f"{looks}: show the others, or add --finish"
            )
        if not deck.looks:
            raise Refused(f"{file}: no face has been seen yet: name a camera, a video or a folder of pictures")
        _finish(deck, models, file, as_json)
        if source is not None or begun:
            looks.unlink(missing_ok=True)
    except (CameraError, DeckError, ModelError, PictureError) as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(f"{error.filename or file}: {error.strerror or error}; name another file with --deck") from None
    except KeyboardInterrupt:
        click.echo(f"\nStopped; what was seen is kept in {looks}. The same command goes on.", err=True)
        sys.exit(130)


def _deck(name: str) -> Deck:
    from referee.vision.deck import Deck

    return Deck(name)


def _without(deck: Deck, faces: tuple[str, ...]) -> Deck:
    from referee.vision.deck import Deck

    if not faces:
        return deck
    try:
        again = {Card.parse(word) for word in faces}
    except ValueError as error:
        raise Refused(f"--face: {error}") from None
    return Deck(deck.name, {card: crop for card, crop in deck.looks.items() if card not in again})


def _show(source: str, models: Models, deck: Deck, file: Path) -> Deck:
    """Looks until all faces are seen or the source ends; the file is written after each."""
    from referee.paths import written
    from referee.vision.deck import save_deck
    from referee.vision.enrolment import Enrolment

    folder = written(source)
    labelled = _labelled(folder) if folder.is_dir() else {}
    enrolment = Enrolment(models, deck, moving=not folder.is_dir())
    teller = _Teller(len(deck.looks))
    for t, image, face in _pictures(source, folder, labelled):
        if enrolment.wanted is None:
            break
        if face is not None and face in enrolment.deck.looks:
            continue
        if face is not None:
            enrolment.trust()
        step = enrolment.look(image, face)
        teller.tell(t, step, enrolment)
        if step.fault is None:
            save_deck(enrolment.deck, file)
    teller.end()
    return enrolment.deck


def _labelled(folder: Path) -> dict[Path, Card]:
    """The pictures of a folder that are named after faces: R7.jpg, R7-2.jpg, W+4.png."""
    from referee.vision.picture_file import ENDINGS

    found = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in ENDINGS:
            try:
                found[path] = Card.parse(path.stem.split("-")[0].split("_")[0])
            except ValueError:
                continue
    return found


def _pictures(source: str, folder: Path, labelled: dict[Path, Card]) -> Iterator[tuple[float, Image, Card | None]]:
    """(seconds, picture, face it is named after) of a source, no more than one every `LOOK_S`."""
    from referee.hardware.cameras import frames, open_camera, parse_source
    from referee.vision.picture_file import load_picture

    if labelled:
        for number, (path, card) in enumerate(labelled.items()):
            yield float(number), load_picture(path), card
        return
    with open_camera(parse_source(source)) as camera:
        last = -LOOK_S
        for frame in frames(camera):
            if folder.is_dir() or frame.t - last >= LOOK_S:
                last = frame.t
                yield frame.t, frame.image, None


class _Teller:
    """Says on standard error which face is wanted and what is wrong; on a terminal with a bar, else a line a face."""

    def __init__(self, seen: int) -> None:
        from referee.dashboard.phrases import load_phrases
        from referee.paths import shipped
        from referee.vision.enrolment import Patience

        self._seen = seen
        self._terminal = sys.stderr.isatty()
        self._patience = Patience()
        self._phrases = load_phrases(shipped("web") / "locale")["en"]

    def tell(self, t: float, step: Step, enrolment: Enrolment) -> None:
        from referee.rules.sentences import card_name
        from referee.vision.enrolment import Fault

        if self._patience.over(t, step):
            enrolment.trust()
        if step.fault is None:
            self._seen += 1
            if not self._terminal:
                click.echo(f"{step.wanted} taken, {len(enrolment.deck.missing)} to go", err=True)
                return
        elif not self._terminal:
            if step.fault is not Fault.SAME and step.quad is not None and self._patience.since in (None, t):
                click.echo(f"{step.wanted} not taken: {self._why(step)}", err=True)
            return
        total = self._seen + len(enrolment.deck.missing)
        done = round(24 * self._seen / max(1, total))
        wanted = enrolment.wanted
        say = "all seen" if wanted is None else f"show {card_name(wanted)} ({wanted})"
        why = f" - {self._why(step)}" if step.fault is not None else " - taken"
        bar = "#" * done + "." * (24 - done)
        click.echo(f"\r\x1b[K[{bar}] {self._seen}/{total}  {say}{why}", nl=False, err=True)

    def _why(self, step: Step) -> str:
        from referee.rules.sentences import card_name

        if step.fault is None:
            return ""
        seen = "" if step.seen is None else card_name(step.seen)
        return self._phrases[f"deck.fault.{step.fault.value}"].format(seen=seen, wanted=card_name(step.wanted))

    def end(self) -> None:
        if self._terminal:
            click.echo(err=True)


def _finish(deck: Deck, models: Models, file: Path, as_json: bool) -> None:
    from referee.deck_fitting import learn
    from referee.vision.deck import save_deck

    with click.progressbar(length=100, label="Learning the deck", file=sys.stderr) as bar:
        learned = learn(deck, models, lambda share: bar.update(round(100 * share) - bar.pos))
    save_deck(learned.deck, file)
    faces = len(deck.looks)
    facts = {"file": str(file), "faces": faces, "read_before": learned.before, "read_now": learned.now}
    if as_json:
        click.echo(json.dumps(facts))
        return
    click.echo(f"{file}: {faces} faces. Of the looks, {learned.before} were read before and {learned.now} are now.")
