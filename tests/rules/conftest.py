"""A sound pack of a game that nobody plays, and ways to spoil it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules.check import check
from felt_daemon.rules.compose import composed
from felt_daemon.rules.library import parse_pack

from .lamp import LAMP

if TYPE_CHECKING:
    from collections.abc import Callable

    from .lamp import Compose

# Three Piles: three stacks of two from a deck of eight, two cards left. It has one shuffler and one shoe.
THREE_PILES = """
phases = ["betting", "dealing"]
families = ["shuffler", "shoe"]

[source]
chapter = "999a"
game = "Three Piles"
bulletin = "1 Pa.B. 1"
standing = "proposed"
since = 2030-01-01

[constants]
positions = 2
hand_cards = 2
deck_total = 8

[elections.decks]
says = "One deck, or two that alternate."
choices = [1, 2]
by_default = 1
cite = ["999a.1"]

[directives]
return-wagers = "Return every wager."
reshuffle = "Reshuffle the cards."
look = "Look at the device."

[reports.short-pile]
says = "A pile is short."
brief = "Pile short"
family = "shoe"
needs = [{ when = "phase != 'none'", says = "no pile lies on the table" }]

[[gates]]
id = "shuffle"
family = "shuffler"
per = "batch"
order = "permit"
args = { batch = "key" }
needs = [{ when = "deck != none", says = "no deck is in the shuffler" }]

[[gates]]
id = "deal"
family = "shoe"
per = "round"
order = "permit"
args = { round = "key", stacks = 3 }
needs = [{ when = "phase == 'betting'", says = "nobody may bet any more" }]

[[moves]]
from = ["betting"]
on = ["stack-dispensed"]
when = ["stacks == 1"]
to = "dealing"

[[moves]]
from = ["dealing"]
on = ["round-ended"]
to = "end"

[[clocks]]
id = "deck-age"
on = "deck-changed"
hours = 4

[[rules]]
id = "short-pile"
cite = ["999a.7(b)"]
since = 2030-01-01
on = ["stack-dispensed"]
when = ["size < hand_cards", "phase in ('betting', 'dealing')"]
subject = "round"
effect = "stop"
as_report = [{ reports = ["short-pile"], when = ["phase == 'dealing'"] }]
says = "A pile has not two cards."
do = ["return-wagers"]
void = true

[[rules.holds]]
binds = "device"
gates = ["deal"]
stops = true
cause_gone = [{ on = ["shoe-unloaded"] }]
ends = [{ on = ["shoe-unloaded"] }]
until = "the shoe is empty"

[[rules]]
id = "sorted"
cite = ["999a.5(a)"]
since = 2030-01-01
on = ["shuffle-completed"]
when = ["mode == 'sort'", "phase in ('betting', 'none')"]
subject = "deck"
effect = "no-new-round"
says = "The deck was sorted."
do = ["reshuffle"]

[[rules.holds]]
binds = "deck"
gates = ["deal"]
ends = [{ on = ["shuffle-completed"], when = ["mode == 'shuffle'"] }]
until = "the deck is shuffled"

[[rules]]
id = "jam"
basis = "own"
since = 2030-01-01
on = ["shuffle-interrupted"]
subject = "device"
effect = "no-new-round"
says = "The shuffler jammed."
do = ["look"]

[[rules.holds]]
binds = "device"
while_cause = ["shuffle"]
stops = true
cause_gone = [{ on = ["device-cleared"], when = ["code == ''"] }]
ends = [{ on = ["shuffle-completed"] }]
until = "the deck is shuffled"

[[rules]]
id = "silent"
basis = "own"
since = 2030-01-01
on = ["device-stale", "device-lost", "device-restarted", "events-lost"]
subject = "device"
effect = "advise"
says = "The device is not heard."
do = ["look"]
passing = true
done_on = ["device-back"]

[[doubts]]
family = "shuffler"
doubt = "stale"
rule = "nothing"

[[doubts]]
family = "shuffler"
doubt = "lost"
when = ["device_working == true"]
rule = "silent"

[[doubts]]
family = "shuffler"
doubt = "lost"
rule = "silent"

[[doubts]]
family = "shuffler"
doubt = "unverified"
rule = "silent"

[[doubts]]
family = "shoe"
doubt = "stale"
rule = "silent"

[[doubts]]
family = "shoe"
doubt = "lost"
phases = ["dealing"]
rule = "silent"

[[doubts]]
family = "shoe"
doubt = "lost"
phases = ["betting", "none", "void"]
rule = "nothing"

[[doubts]]
family = "shoe"
doubt = "unverified"
rule = "silent"

[[unseen]]
cite = "999a.9"
says = "Somebody looked under a pile."
why = "Only people see that."
do = ["return-wagers"]

[text."999a.1"]
title = "Cards"
subsections = "a"
aside = { a = "The whole section is cited." }

[text."999a.2"]
title = "Devices"
subsections = "a"
aside = { a = "The whole section is cited." }

[text."999a.4"]
title = "Opening"
subsections = "a"
aside = { a = "The whole section is cited." }

[text."999a.8"]
title = "Methods"
subsections = "a"
aside = { a = "The whole section is cited." }

[text."999a.9"]
title = "Looking"
subsections = "a"
aside = { a = "The whole section is cited." }

[text."999a.5"]
title = "Shuffle"
subsections = "a"

[text."999a.7"]
title = "Piles"
subsections = "a-b"
irregularities = true
aside = { a = "Only people see that." }
"""


@pytest.fixture
def three_piles() -> str:
    """The text of the sound pack."""
    return THREE_PILES


@pytest.fixture
def spoilt() -> Callable[[str, str], str]:
    """Give the sound pack with one place changed."""

    def change(old: str, new: str) -> str:
        assert THREE_PILES.count(old) == 1, f"{old!r} is not one place of the pack"
        return THREE_PILES.replace(old, new)

    return change


@pytest.fixture
def breaches(spoilt: Callable[[str, str], str]) -> Callable[[str, str], list[str]]:
    """Give every breach of the pack with one place changed."""
    return lambda old, new: check(parse_pack(spoilt(old, new)))


LOW_FOUR = Path(__file__).resolve().parents[2] / "examples" / "own-game" / "packs" / "900a.toml"


@pytest.fixture
def low_four() -> str:
    """The text of the pack of the example's own game, which is sound."""
    return LOW_FOUR.read_text(encoding="utf-8")


@pytest.fixture
def told(low_four: str) -> Callable[[str, str], list[str]]:
    """Give every breach of the example's own game with one place changed."""

    def change(old: str, new: str) -> list[str]:
        assert low_four.count(old) == 1, f"{old!r} is not one place of the pack"
        return check(parse_pack(low_four.replace(old, new)))

    return change


@pytest.fixture
def compose() -> Compose:
    """Compose a chapter with parts, given as texts by their names."""

    def composing(chapter: str, **parts: str) -> dict[str, Any]:
        texts = {"lamp": LAMP, **parts}
        return composed(tomllib.loads(chapter), lambda name: tomllib.loads(texts[name]))

    return composing
