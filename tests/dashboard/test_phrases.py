"""Every phrase is there in every language, with the same blanks, and every phrase that is used exists."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from referee.cards import Colour, Rank
from referee.chronicle import PlayerRecord, Record
from referee.config import Config, every_field
from referee.configuring import Configuring
from referee.dashboard.phrases import load_phrases
from referee.dashboard.render import THEMES
from referee.dashboard.settings import LANGUAGES
from referee.dashboard.setup import MAT_WORDS
from referee.events import EVENTS
from referee.hardware.buttons import ButtonPlan, Role, button_trouble
from referee.hardware.cameras import CameraTrouble
from referee.hardware.debounce import Contact
from referee.health import Pace, State
from referee.observations import Quality
from referee.paths import shipped
from referee.rules import OPTIONS, PRESETS, Code, Phase, Tier
from referee.rules.sentences import CATALOGUES
from referee.vision.enrolment import Fault

WEB = shipped("web")
PHRASES = load_phrases(WEB / "locale")
SOURCES = [*sorted((WEB / "templates").glob("*.html")), *sorted((WEB / "static" / "js").glob("*.js"))]
USED = re.compile(r'(?<![\w.])t\((?:\s*\w[\w.()]*\s*\?)?\s*"([\w.+]+)"(?:\s*:\s*"([\w.+]+)")?\s*[,)]')
FAMILIES = {
    "eye.": [*(quality.value for quality in Quality), "paused", "no_camera", "not_set_up", "being_set_up",
             "deck_shown"],
    "phase.": [phase.value for phase in Phase],
    "colour.": [*(colour.value for colour in Colour), "none"],
    "rank.": [rank.value for rank in Rank if not rank.is_number],
    "tier.": [tier.value for tier in Tier],
    "rule.": sorted({code.section for code in Code}),
    "theme.": list(THEMES),
    "step.": [kind.ev for kind in EVENTS.values()],
    "figure.": [name for name in (f.name for f in fields(PlayerRecord)) if name != "turn_s"] + ["usual_turn_s"],
    "record.": [f.name for f in fields(Record)],
    "preset.": [name + end for name in PRESETS for end in ("", ".note")],
    "deck.trouble.": ["full", "read_only", "other", "damaged"],
    "deck.failed.": ["killed", "not_kept", "crashed"],
    "deck.fault.": [fault.value for fault in Fault],
}
"""Keys that the pages put together from a word on the board."""
TROUBLES = (
    *(button_trouble(ButtonPlan(17), contact) for contact in (Contact.STUCK, Contact.CHATTERING)), Pace(2, 60).trouble
)  # fmt: skip
SET_UP = {
    f"setup.{word}"
    for word in (
        "camera", "table", "piles", "seats", "cards", "buttons", "rules", "done", "size_a4", "size_letter", "size_own",
        "length_cm", "width_cm", "discard", "draw", "discard_size", "draw_size",
    )
}  # fmt: skip
"""Keys that the set-up page puts together."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase_with_the_same_blanks(language):
    def blanks(text):
        return set(re.findall(r"\{(\w+)\}", text))

    assert {k: blanks(v) for k, v in PHRASES[language].items()} == {k: blanks(v) for k, v in PHRASES["en"].items()}
    assert all(text.strip() for text in PHRASES[language].values())


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_every_phrase_that_is_used_exists(source):
    text = source.read_text("utf-8")
    used = {key for match in USED.finditer(text) for key in match.groups() if key and not key.endswith(".")}
    assert used - set(PHRASES["en"]) == set()


@pytest.mark.parametrize(("family", "words"), FAMILIES.items())
def test_every_word_of_the_board_has_a_phrase(family, words):
    assert {family + word for word in words} - set(PHRASES["en"]) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_are_called_alike_in_rulings_and_on_buttons(language):
    said = {k: v for k, v in CATALOGUES[language].items() if k.startswith(("colour.", "rank."))}
    assert said == {key: PHRASES[language][key] for key in said}
    assert CATALOGUES[language]["card"] == PHRASES[language]["card.of_colour"]


def test_every_rule_has_its_words():
    said = {f"option.{one.name}" for one in OPTIONS.values()} | {f"group.{one.group}" for one in OPTIONS.values()}
    said |= {f"option.{one.name}.note" for one in OPTIONS.values()}
    for one in OPTIONS.values():
        said |= {f"value.{value}".lower() for value in one.values if isinstance(value, bool | str)}
    assert said - set(PHRASES["en"]) == set()
    assert {key for key in PHRASES["en"] if key.startswith(("option.", "value.", "group."))} == said


def test_the_set_up_page_has_all_its_words():
    words = {f"role.{role.value}" for role in Role} | {f"trouble.{trouble.value}" for trouble in CameraTrouble}
    words |= {f"mat.{word}" for word in MAT_WORDS} | SET_UP
    assert words - set(PHRASES["en"]) == set()


def test_the_page_about_the_machine_has_the_words_of_the_configuration():
    words = {}
    for field in Configuring(Path("none.toml"), lambda: None).fields():
        about = next(one.about for one in every_field(Config()) if one.name == field["name"])
        words |= {f"machine.{field['name']}": about.title, f"machine.{field['name']}.note": about.text}
    assert {key: PHRASES["en"].get(key) for key in words} == words
    assert {"machine." + key.split(".")[1] for key in words} <= PHRASES["en"].keys()
    dotted = {key for key in PHRASES["en"] if key.startswith("machine.") and key.count(".") > 1}
    assert dotted <= words.keys()
    units = {field["unit"] for field in Configuring(Path("none.toml"), lambda: None).fields()} - {"", "m", "Hz"}
    assert {"unit." + unit for unit in units} == {key for key in PHRASES["en"] if key.startswith("unit.")}


def test_every_trouble_has_a_phrase_with_the_blanks_that_are_filled():
    package = WEB.parent / "referee"
    text = "".join(file.read_text("utf-8") for file in (*(package / "hardware").glob("*.py"), package / "health.py"))
    codes = set(re.findall(r'(?:GpioError|Trouble)\(\s*"(\w+)"', text))
    assert {"crashed", "no_gpio", "bad_pin", "button_stuck", "camera_slow"} <= codes
    assert {"trouble." + code for code in codes} - set(PHRASES["en"]) == set()
    filled = {"bad_pin": {"pin": 4}, **{trouble.code: trouble.facts for trouble in TROUBLES}}
    for language, code in ((language, code) for language in LANGUAGES for code in filled):
        PHRASES[language][f"trouble.{code}"].format(**filled[code])


def test_every_state_of_the_camera_has_a_phrase():
    states = {"camera_" + state.value for state in State if state is not State.RUNNING}
    told = re.findall(r'set_eye\(Quality\.\w+, "(\w+)"\)', (WEB.parent / "referee" / "app.py").read_text("utf-8"))
    assert {"no_camera", "not_set_up"} <= {*told}
    assert {w for w in {*states, *told} if not {"eye." + w, "service." + w} & set(PHRASES["en"])} == set()


def test_every_error_has_a_phrase():
    package = "".join(file.read_text("utf-8") for file in (WEB.parent / "referee" / "dashboard").glob("*.py"))
    codes = set(re.findall(r'Refused\(\s*"(\w+)"', package))
    assert codes
    assert {"error." + code for code in codes} - set(PHRASES["en"]) == set()


def test_every_blank_of_a_phrase_is_filled_where_it_is_said():
    text = "\n".join(source.read_text("utf-8") for source in SOURCES)
    blanks = {
        (key, blank, filled)
        for key, filled in re.findall(r'\bt\("([\w.]+)", \{(.*?)\}\)', text)
        for blank in re.findall(r"\{(\w+)\}", PHRASES["en"].get(key, ""))
    }
    assert len(blanks) > 50
    missing = {(key, blank) for key, blank, filled in blanks
               if not re.search(rf"(^|[ ,]){blank}(:|,| ?$)", filled) and "..." not in filled}  # fmt: skip
    assert missing == set()


def test_no_phrase_is_left_over():
    text = "".join(source.read_text("utf-8") for source in SOURCES)
    families = ("eye.", "phase.", "mine.", "rank.", "tier.", "preset.", "colour.", "error.", "answer.", "step.",
                "figure.", "record.", "theme.", "voice.", "hand.", "mat.", "side.", "advice.", "rule.",
                "option.", "value.", "group.", "role.", "trouble.", "service.",
                "unit.", "deck.fault.", "deck.trouble.", "deck.failed.",
                "machine.general", "machine.camera", "machine.buttons", "machine.signals")  # fmt: skip
    unused = [key for key in PHRASES["en"] if f'"{key}"' not in text and not key.startswith(families)]
    unused = [key for key in unused if key not in SET_UP]
    assert unused == []


@pytest.mark.parametrize("damage", ["", "[]", '{"a": 1}'])
def test_a_damaged_catalogue_is_named(tmp_path, damage):
    for language in LANGUAGES:
        (tmp_path / f"{language}.json").write_text(json.dumps({"a": "b"}))
    (tmp_path / "de.json").write_text(damage)
    with pytest.raises(ValueError, match=r"de\.json"):
        load_phrases(tmp_path)
