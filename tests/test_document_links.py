"""Every link from one document of ours to another leads somewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("models/*.md")])


def anchors(text: str) -> set[str]:
    """The names that GitHub gives a document's headings: letters, digits, hyphens; a second one alike has a number."""
    prose = re.sub(r"(?ms)^```.*?^```", "", text)
    names = [
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for heading in re.findall(r"(?m)^#+ +(.+?) *$", prose)
    ]
    seen: Counter[str] = Counter()
    found = set()
    for name in names:
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def leads(document: Path, link: str) -> bool:
    """What the link names is there; one to another machine is believed."""
    if "://" in link or link.startswith("mailto:"):
        return True
    name, _, anchor = link.partition("#")
    target = document.parent / name if name else document
    if not anchor or target.suffix != ".md":
        return target.exists()
    return target.exists() and anchor in anchors(target.read_text(encoding="utf-8"))


def broken(document: Path) -> list[str]:
    """The links of a document to files and headings that are not there."""
    links = re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8"))
    return [link for link in links if not leads(document, link)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    assert broken(document) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("# Two words, `code`\n\n## Two words\n\n## Two words\n")
    document = tmp_path / "here.md"
    document.write_text(
        "# Here\n[1](there.md#two-words-code) [2](there.md#two-words-1) [3](#here) [4](https://example.org/#x)"
        " [5](there.md#three-words) [6](gone.md) [7](#there)"
    )
    assert broken(document) == ["there.md#three-words", "gone.md", "#there"]
