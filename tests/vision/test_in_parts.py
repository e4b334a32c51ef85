"""Work in parts: what is left of reading a card is done with the next frame, and nothing depends on how it is cut."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from drawn_table import TABLE, Knower, Laid, Table

from referee.frame import Frame, Image
from referee.vision.eye import READ_ON
from referee.vision.in_parts import Parts, advanced, finished
from referee.vision.nets import Models, Read, load_models


@pytest.fixture(scope="module")
def models() -> Models:
    return load_models()


def test_parts_are_done_one_by_one_or_all_that_are_left() -> None:
    done: list[int] = []

    def work() -> Parts[str]:
        for number in range(3):
            done.append(number)
            yield
        return "outcome"

    parts = work()
    assert advanced(parts) is None
    assert done == [0]
    assert finished(parts) == "outcome"
    assert done == [0, 1, 2]

    parts = work()
    assert [advanced(parts) for _ in range(4)] == [None, None, None, "outcome"]


def test_a_card_is_read_alike_however_the_work_is_cut(models: Models) -> None:
    noise = np.random.default_rng(2).integers(0, 256, (240, 300, 3), np.uint8)
    quad = np.array([[100, 60], [170, 64], [166, 172], [97, 168]], np.float32)
    (read,) = models.reader.read(noise, [quad], quick=True)
    for count in range(12):
        parts = models.reader.reading(noise, quad, quick=True)
        again = next(filter(None, (advanced(parts) for _ in range(count))), None) or finished(parts)
        assert again.reading == read.reading
        assert np.array_equal(again.quad, read.quad)


@pytest.mark.parametrize(
    ("fps", "runs", "on"),
    [(30, 1, [1]), (30, 2, [1, 1]), (30, READ_ON + 2, [1] * READ_ON + [2]), (25, READ_ON + 2, [1, READ_ON + 1])],
)
def test_a_card_is_read_on_several_frames_and_on_the_picture_of_the_first(fps: int, runs: int, on: list[int]) -> None:
    seen: list[tuple[float, int]] = []

    class Slow(Knower):
        def reading(self, image: Image, quad: npt.NDArray[np.float32], quick: bool) -> Parts[Read]:
            for _ in range(runs):
                seen.append((table.t, int(image.sum())))
                yield
            return self.read(image, [quad], quick)[0]

    class ByTurns(Table):
        """Of a camera that has memory for two frames."""

        def frame(self) -> Frame:
            frame = super().frame()
            kept = memory[frame.seq % 2]
            kept[:] = frame.image
            return Frame(kept, frame.seq, frame.t)

    memory = np.empty((2, 720, 1280, 3), np.uint8)
    table = ByTurns(Slow(finds=True), fps=fps)
    table.run(0.5).reach(Laid("R7", 290, 210))
    times = sorted({t for t, _ in seen})
    assert [sum(t == time for t, _ in seen) for time in times] == on
    assert times[-1] - times[0] == pytest.approx((len(on) - 1) / fps)
    assert len({picture for _, picture in seen}) == 1


def test_a_part_of_a_picture_is_searched_as_the_whole_is(models: Models) -> None:
    image = Table(Knower(laid=[Laid("R7", 290, 210)])).frame().image
    high, card_px = image.shape[0], 87 * TABLE.px_per_mm()
    found = models.pile_finder.find(image, card_px)
    assert found
    shifted = models.pile_finder.find(image, card_px, (slice(0, high), slice(0, image.shape[1])))
    assert [(one.quad.tolist(), one.score) for one in shifted] == [(one.quad.tolist(), one.score) for one in found]
