"""Work in parts: what is left of reading a card is done with the next frame, and nothing depends on how it is cut."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from drawn_table import TABLE, Knower, Laid, Table

from referee.frame import Image
from referee.vision.eye import READ_AT_ONCE
from referee.vision.in_parts import Parts, begun, finished
from referee.vision.nets import Models, Read, load_models


@pytest.fixture(scope="module")
def models() -> Models:
    return load_models()


@pytest.mark.parametrize(("count", "at_once"), [(0, 0), (1, 1), (3, 3), (9, 3)])
def test_so_many_parts_are_done_at_once_and_the_rest_when_it_is_asked_for(count: int, at_once: int) -> None:
    done: list[int] = []

    def work() -> Parts[str]:
        for number in range(3):
            done.append(number)
            yield
        return "outcome"

    rest = begun(work(), count)
    assert len(done) == at_once
    assert finished(rest) == "outcome"
    assert done == [0, 1, 2]


def test_a_card_is_read_alike_however_the_work_is_cut(models: Models) -> None:
    noise = np.random.default_rng(2).integers(0, 256, (240, 300, 3), np.uint8)
    quad = np.array([[100, 60], [170, 64], [166, 172], [97, 168]], np.float32)
    (read,) = models.reader.read(noise, [quad], quick=True)
    for count in range(12):
        again = finished(begun(models.reader.reading(noise, quad, quick=True), count))
        assert again.reading == read.reading
        assert np.array_equal(again.quad, read.quad)


def test_what_is_left_of_reading_is_done_with_the_next_frame_on_the_picture_of_this_one() -> None:
    seen: list[tuple[float, int]] = []

    class Slow(Knower):
        def reading(self, image: Image, quad: npt.NDArray[np.float32], quick: bool) -> Parts[Read]:
            for _ in range(READ_AT_ONCE + 2):
                seen.append((table.t, int(image.sum())))
                yield
            return self.read(image, [quad], quick)[0]

    table = Table(Slow(finds=True), fps=30)
    table.run(0.5).reach(Laid("R7", 290, 210))
    times = [t for t, _ in seen]
    assert times.count(times[0]) == READ_AT_ONCE
    assert times.count(times[-1]) == 2
    assert times[-1] - times[0] == pytest.approx(1 / 30)
    assert len({picture for _, picture in seen}) == 1


def test_a_part_of_a_picture_is_searched_as_the_whole_is(models: Models) -> None:
    image = Table(Knower(laid=[Laid("R7", 290, 210)])).frame().image
    high, card_px = image.shape[0], 87 * TABLE.px_per_mm()
    found = models.pile_finder.find(image, card_px)
    assert found
    shifted = models.pile_finder.find(image, card_px, (slice(0, high), slice(0, image.shape[1])))
    assert [(one.quad.tolist(), one.score) for one in shifted] == [(one.quad.tolist(), one.score) for one in found]
