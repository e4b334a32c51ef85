"""The document on what is enforced is up to date, and complete."""

from __future__ import annotations

from pathlib import Path

from referee.rules import OPTIONS, Code
from referee.rules.enforced import RULES, markdown

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "rules-we-enforce.md"


def test_the_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text() == markdown(), "run: python -m referee.rules.enforced > docs/rules-we-enforce.md"


def test_every_option_and_ruling_belongs_to_a_rule() -> None:
    assert {name for rule in RULES for name in rule.options} == set(OPTIONS)
    assert {code for rule in RULES for code in rule.codes} == set(Code)
