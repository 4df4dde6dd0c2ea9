"""Packs in files of a house's own, with parts beside them, and the text that the journal stores."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import exits, main
from felt_daemon.rules import chapters, load
from felt_daemon.rules.check import check
from felt_daemon.rules.library import (
    BadPack,
    digest_of,
    document_of,
    load_file,
    packs_in,
    parse_pack,
    stored,
    text_of,
    text_of_file,
)

if TYPE_CHECKING:
    from pathlib import Path

SORTED = '[[rules]]\nid = "sorted"'
JAM = '[[rules]]\nid = "jam"'


@pytest.fixture
def house(tmp_path: Path, three_piles: str) -> Path:
    """A folder with one pack, of which one rule stands in a part."""
    start, end = three_piles.index(SORTED), three_piles.index(JAM)
    part = three_piles[start:end].replace('cite = ["999a.5(a)"]\nsince = 2030-01-01\n', "")
    head = 'parts = ["piles"]\n' + three_piles[:start] + three_piles[end:]
    cite = head.replace("[constants]", '[cite.rules]\nsorted = ["999a.5(a)"]\n\n[constants]')
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "piles.toml").write_text(part, encoding="utf-8")
    (tmp_path / "999a.toml").write_text(cite, encoding="utf-8")
    return tmp_path


def test_a_pack_of_ones_own_has_its_parts_beside_it(house: Path, three_piles: str) -> None:
    packs = packs_in(house)
    assert packs == {"999a": house / "999a.toml"}
    pack, whole = load_file(packs["999a"]), parse_pack(three_piles)
    assert check(pack) == []
    assert pack.by_id == whole.by_id
    assert [rule.id for rule in pack.rules] == ["short-pile", "jam", "silent", "sorted"]


def test_a_pack_of_ones_own_may_take_the_products_parts_and_replace_one(house: Path) -> None:
    file = house / "999a.toml"
    text = file.read_text(encoding="utf-8").replace('["piles"]', '["piles", "silence-shaker"]')
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadPack, match=r"^part silence-shaker needs the rule device-silent: devices has it$"):
        load_file(file)
    # The row may be the chapter's own.
    file.write_text(text.replace('"silent"', '"device-silent"'), encoding="utf-8")
    assert load_file(file).families == ("shuffler", "shoe", "shaker")
    (house / "parts" / "silence-shaker.toml").write_text('families = ["lamp"]\n', encoding="utf-8")
    assert load_file(file).families == ("shuffler", "shoe", "lamp")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ('["piles", "pile"]', "no part is called pile; did you mean piles?"),
        ('["piles", "shufler"]', "no part is called shufler; did you mean shuffler?"),
        ('["piles", "xyz"]', "no part is called xyz"),
    ],
)
def test_a_part_that_is_nowhere_is_told_with_its_neighbour(house: Path, parts: str, said: str) -> None:
    file = house / "999a.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('["piles"]', parts), encoding="utf-8")
    with pytest.raises(BadPack) as refusal:
        load_file(file)
    assert str(refusal.value) == said


def test_without_a_folder_of_parts_there_are_those_of_the_product(house: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone" / "999a.toml"
    alone.parent.mkdir()
    alone.write_text((house / "999a.toml").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(BadPack, match=r"^no part is called piles$"):
        load_file(alone)


def test_a_part_that_is_not_toml_is_named(house: Path) -> None:
    (house / "parts" / "piles.toml").write_text("= 3", encoding="utf-8")
    with pytest.raises(BadPack, match=r"^part piles: not TOML: Invalid statement"):
        load_file(house / "999a.toml")


def test_the_stored_text_is_complete_by_itself(house: Path) -> None:
    text = text_of_file(house / "999a.toml")
    assert '"id": "sorted"' in text
    assert '"since": "2030-01-01"' in text
    for file in (house / "parts" / "piles.toml", house / "999a.toml"):
        file.unlink()
    pack = parse_pack(text)
    assert [rule.id for rule in pack.rules] == ["short-pile", "jam", "silent", "sorted"]
    assert stored(json.loads(text)) == text


def test_a_stored_text_is_json_that_people_can_read() -> None:
    text = stored({"source": {"since": dt.date(2030, 1, 1)}, "says": "§ 5: five of seven"})
    assert text == ('{\n "source": {\n  "since": "2030-01-01"\n },\n "says": "§ 5: five of seven"\n}\n')


@pytest.mark.parametrize("chapter", chapters())
def test_every_stored_text_makes_the_same_pack_again(chapter: str) -> None:
    text = text_of(chapter)
    assert parse_pack(text) == load(chapter)
    assert digest_of(text) == digest_of(stored(document_of(chapter)))
    assert load(chapter, {"nobody-asks": 3}) == load(chapter)


@pytest.mark.parametrize(
    ("text", "said"), [('{"source": ', "not JSON: Expecting value"), ("= 3", "not TOML: Invalid statement")]
)
def test_a_text_that_is_neither_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadPack, match=f"^{said}"):
        parse_pack(text)


def test_felt_rules_check_tells_what_is_wrong_whatever_the_house_elects(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = house / "999a.toml"
    assert main(["rules", "check", str(file)]) == exits.OK
    assert capsys.readouterr().out == f"{file}: sound\n"
    sets = '[elections.decks.sets]\nhand_cards = { "1" = 2, "2" = "two" }\n\n[directives]'
    file.write_text(file.read_text(encoding="utf-8").replace("[directives]", sets), encoding="utf-8")
    assert main(["rules", "check", str(file)]) == exits.REFUSED
    assert capsys.readouterr().err == f"{file}: constant hand_cards: every pack has it, a whole number\n"
    file.write_text('parts = ["piles"]\nown = ["sortd", "srted"]\n', encoding="utf-8")
    assert main(["rules", "check", str(file)]) == exits.REFUSED
    assert [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "own: no part has sortd; did you mean sorted?",
        "own: no part has srted; did you mean sorted?",
        (
            "part piles, rule sorted: this chapter does not cite it; "
            'write sorted = ["999a.…"] under [cite.rules], or name it in own or in without'
        ),
    ]
