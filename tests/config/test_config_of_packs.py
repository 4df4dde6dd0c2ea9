"""Which game a table deals: a chapter that comes along, or a pack of the house's own, and what it asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.config import parse
from felt_daemon.rules import load
from felt_daemon.rules.library import read_document, stored, text_of
from felt_daemon.setup import pack_of, pack_text_of, setup_of

if TYPE_CHECKING:
    from pathlib import Path

    from felt_daemon.config import Config, Problem

    Mistakes = Callable[[str], list[Problem]]

House = Callable[..., str]
INFERENCE = {"becomes": "round-ended", "choice": "shoe-loaded", "on": ["shoe-loaded"]}
Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def house(tmp_path: Path, valid: str) -> House:
    """Write 659a, changed, as the house's own pack `house-asia`; a configuration with it."""

    def written(*changes: Change) -> str:
        pack = read_document(text_of("659a"))
        for change in changes:
            change(pack)
        (tmp_path / "house-asia.toml").write_text(stored(pack), encoding="utf-8")
        named = valid.replace('game = "659a"', 'game = "house-asia"')
        return f'{named}[rules]\npacks = "{tmp_path}"\n'

    return written


def _with(*path: str, value: object) -> Change:
    """Set what stands at a path of a pack."""

    def change(pack: dict[str, Any]) -> None:
        *above, last = path
        for part in above:
            pack = pack.setdefault(part, {})
        pack[last] = value

    return change


def _without(*path: str) -> Change:
    """Take away what stands at a path of a pack."""

    def change(pack: dict[str, Any]) -> None:
        *above, last = path
        for part in above:
            pack = pack[part]
        del pack[last]

    return change


def _found(problems: list[Problem]) -> list[tuple[int, str, str]]:
    return [(one.line, one.key, one.text) for one in problems]


def _config(text: str) -> Config:
    return parse(text.encode(), "table.toml")


def test_a_table_may_deal_by_a_pack_of_the_house(house: House) -> None:
    config = _config(house(_with("source", "game", value="House Asia")))
    assert config.table.game == "house-asia"
    assert pack_of(config).source.game == "House Asia"
    assert '"House Asia"' in pack_text_of(config)


def test_the_packs_that_come_along_are_there_beside_a_folder(house: House, mistakes: Mistakes) -> None:
    assert mistakes(house().replace('"house-asia"', '"659a"')) == []


def test_a_name_that_no_pack_has_is_answered_with_the_nearest_of_all(
    house: House, mistakes: Mistakes
) -> None:
    (problem,) = mistakes(house().replace('"house-asia"', '"huose-asia"'))
    assert (problem.line, problem.key, problem.value) == (4, "table.game", '"huose-asia"')
    assert problem.text.startswith('must be one of "')
    assert problem.text.endswith(', "house-asia"; nearest: "house-asia"')


def test_a_broken_pack_is_refused_with_its_file_and_every_mistake(
    tmp_path: Path, house: House, mistakes: Mistakes
) -> None:
    text = house(_with("source", "standing", value="fnial"), _with("constants", "hand_cards", value=7.5))
    found = mistakes(text)
    assert {(one.line, one.key) for one in found} == {(4, "table.game")}
    where = f"no valid pack, {tmp_path}/house-asia.toml"
    assert [one.text.split(": ")[:2] for one in found] == [
        [where, "source.standing"],
        [where, "constants.hand_cards.int"],
        [where, "constants.hand_cards.str"],
    ]


def test_a_pack_that_leaves_something_uncovered_is_refused(
    tmp_path: Path, house: House, mistakes: Mistakes
) -> None:
    text = house(_with("inferences", value=[{**INFERENCE, "told": "round-ends"}]))
    assert _found(mistakes(text)) == [
        (
            4,
            "table.game",
            (
                f"no valid pack, {tmp_path}/house-asia.toml: told round-ends:"
                " a house chooses about no-more-bets and round-end alone"
            ),
        )
    ]


def test_of_very_many_mistakes_in_a_pack_the_first_twenty_are_told(
    tmp_path: Path, house: House, mistakes: Mistakes
) -> None:
    text = house()
    (tmp_path / "house-asia.toml").write_text("".join(f"a{n} = 1\n" for n in range(30)), encoding="utf-8")
    found = mistakes(text)
    assert len(found) == 21
    # The keys that every pack has are missing, too.
    assert found[-1].text.endswith("more mistakes in it")


def test_a_folder_that_cannot_be_read_is_a_mistake_on_its_line(
    tmp_path: Path, house: House, mistakes: Mistakes
) -> None:
    text = house().replace(str(tmp_path), f"{tmp_path}/none").replace('"house-asia"', '"659a"')
    assert _found(mistakes(text)) == [(40, "rules.packs", "cannot be read: No such file or directory")]


def test_a_file_that_cannot_be_read_is_no_pack(tmp_path: Path, house: House, mistakes: Mistakes) -> None:
    text = house()
    (tmp_path / "house-asia.toml").unlink()
    (tmp_path / "house-asia.toml").mkdir()
    assert _found(mistakes(text)) == [
        (4, "table.game", f"{tmp_path}/house-asia.toml: cannot be read: Is a directory")
    ]


def test_a_pack_of_the_house_takes_no_name_of_one_that_comes_along(
    tmp_path: Path, house: House, mistakes: Mistakes
) -> None:
    text = house()
    (tmp_path / "659a.toml").write_text("", encoding="utf-8")
    (tmp_path / "My Game.toml").write_text("", encoding="utf-8")
    assert _found(mistakes(text)) == [
        (40, "rules.packs", "659a.toml: a pack of this name comes along; give yours another"),
        (
            40,
            "rules.packs",
            (
                "My Game.toml: the file's name before .toml must be an id: 1 to 32 of a to z, 0 to 9 and -,"
                ' beginning with a letter or a figure, and not "floor", which the topics of the floor system'
                " need"
            ),
        ),
    ]


def test_a_pack_asks_its_own_elections_and_gives_defaults(house: House) -> None:
    signs = {"says": "Signs.", "choices": ["yes", "no"], "by_default": "no"}
    config = _config(house(_with("elections", "signs", value=signs)))
    assert config.elections == {
        "decks": 2,
        "deal": "automated-shoe",
        "start": "shaker",
        "shuffle": "device",
        "self_reshuffling": "no",
        "signs": "no",
    }
    shown = {one.key: (one.value, one.source) for one in config.effective()}
    assert shown["elections.signs"] == ('"no"', "default")


def test_an_election_that_must_be_answered_is_missing_with_its_question(
    house: House, mistakes: Mistakes
) -> None:
    text = house(_without("elections", "decks", "by_default"))
    assert _found(mistakes(text.replace("decks = 2\n", "dekcs = 2\n"))) == [
        (
            12,
            "elections.decks",
            (
                "missing; must be one of 1, 2. One deck, or two that alternate in and out of"
                " play (659a.3(a), 659a.3(b))."
            ),
        ),
        (13, "elections.dekcs", 'no election of this game; nearest valid key: "decks"'),
    ]


def test_an_answer_sets_the_constants_that_the_pack_says(house: House) -> None:
    sets = {"deck_total": {"1": 53, "2": 54}}
    text = house(_with("elections", "jokers", value={"says": "J.", "choices": [1, 2], "sets": sets}))
    config = _config(text.replace("decks = 2\n", "decks = 2\njokers = 2\n"))
    assert setup_of(config, pack_of(config)).deck_total == 54


def test_a_device_that_the_game_has_no_rules_for_is_refused(valid: str, mistakes: Mistakes) -> None:
    reader = '[devices.reader-1]\nfamily = "hole-card-reader"\nport = "/dev/ttyS9"\n'
    assert _found(mistakes(valid + reader)) == [
        (
            40,
            "devices.reader-1.family",
            f"game 659a has no rules for it; its devices are {', '.join(load('659a').families)}",
        )
    ]


@pytest.mark.parametrize("decks", [0, 3])
def test_where_a_game_lets_nobody_choose_one_or_two_decks_are_in_use(
    house: House, mistakes: Mistakes, decks: int
) -> None:
    text = house(_without("elections", "decks", "in_use"))
    assert mistakes(text) == []
    start, end = text.index("[decks.red]"), text.index("[broker]")
    more = "".join(
        f'[decks.d{n}]\nback = "{colour}"\n' for n, colour in zip(range(decks), "abc", strict=False)
    )
    (problem,) = mistakes(f"{text[:start]}[decks]\n{more}{text[end:]}")
    assert (problem.line, problem.key) == (30, "decks")
    assert problem.text.endswith(
        "and one or two can be in use; give one table, such as [decks.red], for each deck or batch of decks"
        " in use"
    )


def test_a_pack_that_an_answer_breaks_is_refused_with_that_answer_alone(
    tmp_path: Path, house: House, mistakes: Mistakes
) -> None:
    question = {"says": "Seats.", "choices": [1, 2], "sets": {"positions": {"1": 6, "2": "six"}}}
    text = house(_with("elections", "seats", value=question))
    assert mistakes(text.replace("decks = 2\n", "decks = 2\nseats = 1\n")) == []
    assert _found(mistakes(text.replace("decks = 2\n", "decks = 2\nseats = 2\n"))) == [
        (
            4,
            "table.game",
            (
                f"no valid pack, {tmp_path}/house-asia.toml: constant positions: every pack has it,"
                " a whole number"
            ),
        )
    ]


def test_a_folder_of_packs_is_an_absolute_path(valid: str, mistakes: Mistakes) -> None:
    assert _found(mistakes(f'{valid}[rules]\npacks = "packs"\n')) == [
        (40, "rules.packs", 'must be an absolute path in quotes (it begins with "/")')
    ]
