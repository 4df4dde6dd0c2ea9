"""Tables for the tests of the two pure functions."""

from __future__ import annotations

import pytest

from felt_daemon.rules import load
from felt_daemon.table import set_up
from felt_protocols.events import card, person

from . import felt as tables
from .felt import FLOOR, Felt, setup_of


@pytest.fixture
def felt() -> Felt:
    """A table that has heard nothing yet."""
    return Felt()


@pytest.fixture
def opened() -> Felt:
    """An open table, ready for its first round."""
    return tables.opened()


@pytest.fixture
def without_shaker() -> Felt:
    """A table that finds its starting position in some other way."""
    return Felt(setup=setup_of(devices={"shuffler-1": "shuffler", "shoe-1": "shoe"}))


@pytest.fixture
def permitted() -> Felt:
    """A table whose shoe is permitted for a round that nobody has begun, and whose reader might be."""
    pack = load("673a", {"decks": 1, "batches": 2})
    families = {"shoe-1": "shoe", "reader-1": "hole-card-reader", "shuffler-1": "shuffler"}
    felt = Felt(pack, set_up(pack, table="t-1", devices=families, decks={"red": "red", "blue": "blue"}))
    felt.start()
    felt.connect()
    for name in ("red", "blue"):
        felt.tell(person.DeckChanged(by=FLOOR, deck=name, preshuffled=True))
    felt.tell(card.ShoeLoaded(device="shoe-1"), person.TableOpened(by=FLOOR))
    felt.tell(card.CardDrawn(device="shoe-1", face_up=False))
    assert (set(felt.state.grants), felt.round.permitted) == ({"deal/shoe-1"}, True)
    return felt
