"""Replays and pictures that a floor system asks for: only for consumers that are configured."""

from __future__ import annotations

import pytest

from felt_daemon.table import admit, blank
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person
from felt_protocols.events.person import Person

from .felt import PACK, setup_of

HUB = Person(role="floor-system", name="hub")
STATE = blank(setup_of(consumers=frozenset({"rating", "pit"})))


def test_a_replay_for_a_consumer_is_recorded_with_the_row_behind_which_it_begins() -> None:
    assert admit(PACK, STATE, commands.Replay(consumer="pit", after=41), HUB) == person.ReplayAsked(
        by=HUB, consumer="pit", after=41
    )


def test_a_picture_for_a_consumer_is_recorded() -> None:
    fact = admit(PACK, STATE, commands.Snapshot(consumer="rating"), HUB)
    assert fact == person.SnapshotAsked(by=HUB, consumer="rating")


@pytest.mark.parametrize(
    "command", [commands.Replay(consumer="bar", after=0), commands.Snapshot(consumer="bar")]
)
def test_whoever_asks_for_a_consumer_that_there_is_not_hears_which_there_are(
    command: commands.Command,
) -> None:
    with pytest.raises(CommandRefused, match=r"^table t-1 has no consumer bar; there are: pit, rating$"):
        admit(PACK, STATE, command, HUB)
