"""The check by mutation, which takes a minute and is run by hand, still finds what it breaks."""

from __future__ import annotations

import pytest
from mutations import BREAKS, source


@pytest.mark.parametrize("title", BREAKS)
def test_what_is_to_be_broken_stands_there(title: str) -> None:
    module, old, new = BREAKS[title]
    assert old in source(module)
    assert old != new
