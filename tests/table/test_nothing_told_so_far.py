"""What a table takes for so while nobody has told it anything."""

from __future__ import annotations

import dataclasses

import pytest

from felt_daemon.table.state import Deck, Device, Grant, Hold, Incident, Notice, Round, Setup, State, Timer

# What is there at all has come once, and the cause of a hold is there as the hold opens.
ONCE = {"Notice.times": 1, "Incident.times": 1, "Hold.cause": True}


@pytest.mark.parametrize("kind", [Deck, Device, Grant, Hold, Incident, Notice, Round, Setup, State, Timer])
def test_where_nothing_was_told_nothing_is_so_and_every_number_is_none(kind: type) -> None:
    begins = {
        f"{kind.__name__}.{one.name}": one.default
        for one in dataclasses.fields(kind)
        if isinstance(one.default, int)
    }
    assert begins
    assert {name: value for name, value in begins.items() if value or name in ONCE} == {
        name: value for name, value in ONCE.items() if name in begins
    }
