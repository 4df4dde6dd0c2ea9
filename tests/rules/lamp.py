"""A part of a game with a lamp and a bell, a chapter made of it, and what is wrong with such a chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.rules.compose import BadPack

if TYPE_CHECKING:
    from collections.abc import Callable

    Compose = Callable[..., dict[str, Any]]

# A game with a lamp and a bell, of which other chapters have the rows too.
LAMP = """
families = ["lamp"]

[holds.lit]
binds = "table"
gates = ["deal"]
ends = [{ on = ["lit"] }]
until = "the lamp burns"

[directives]
light = "Light the lamp."
ring = "Ring the bell."

[brief]
light = "LIGHT"

[reports.dark]
says = "It is dark."
needs = [{ when = "phase == 'play'", says = "nobody plays" }]

[methods.deal.by-lamp]
says = "The cards are dealt by lamplight."
family = "lamp"

[methods.deal.by-day]
says = "The cards are dealt by day."

[[gates]]
id = "deal"
args = { round = "key" }

[[clocks]]
id = "oil"
hours = 4

[[doubts]]
family = "lamp"
doubt = "lost"
rule = "dark"

[[inferences]]
becomes = "round-ended"

[[rules]]
id = "dark"
says = "It is dark."
do = ["light"]
holds = ["lit", { binds = "table" }]

[[rules]]
id = "smoke"
basis = "own"
says = "The lamp smokes."
"""

# The same with texts that say where they are written.
CITED = (
    LAMP.replace('"It is dark."\nneeds', '"It is dark ({cite})."\nneeds')
    .replace('"nobody plays"', '"nobody plays, {cite}"')
    .replace('lamplight."', 'lamplight ({cite})."')
)

CHAPTER = """
parts = ["lamp"]
families = ["shoe"]

[source]
chapter = "999a"
since = 2030-01-01

[cite.rules]
dark = ["999a.7(b)"]

[directives]
look = "Look."

[[rules]]
id = "mine"
cite = ["999a.8"]
since = 2031-01-01
do = ["look"]
"""


def mistakes(compose: Compose, chapter: str, **parts: str) -> list[str]:
    """Every mistake that composing tells."""
    with pytest.raises(BadPack) as refusal:
        compose(chapter, **parts)
    return str(refusal.value).splitlines()
