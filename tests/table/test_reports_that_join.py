"""What people report and a device shows is one trouble where it only tells, whichever comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols.events import card, incident, ruling

if TYPE_CHECKING:
    from .felt import Felt

IN_ERROR = card.CardDrawn(device="shoe-1", face_up=False)


def joined(felt: Felt) -> list[tuple[int, int]]:
    """Which incidents were joined, and how often each was told then."""
    return [(one.incident, one.times) for one in felt.of(incident.IncidentJoined)]


def fired(felt: Felt) -> list[tuple[str, bool]]:
    """Rows that were ruled on, and whether people had reported it."""
    return [(one.row, one.reported) for one in felt.of(ruling.RulingMade)]


@pytest.fixture
def dealing(opened: Felt) -> Felt:
    """A table that has dealt three of seven stacks."""
    opened.ready_to_deal()
    opened.deal(7, 7, 7)
    return opened


def test_a_report_of_what_the_shoe_has_shown_joins_it(dealing: Felt) -> None:
    dealing.tell(IN_ERROR)
    dealing.report("card-drawn-in-error")
    assert fired(dealing) == [("card-drawn-in-error", False)]
    assert joined(dealing) == [(1, 2)]
    assert [notice.times for notice in dealing.round.notices] == [2]


def test_the_shoe_that_shows_what_was_reported_joins_it(dealing: Felt) -> None:
    dealing.report("card-drawn-in-error")
    dealing.tell(IN_ERROR)
    assert fired(dealing) == [("card-drawn-in-error", True)]
    assert joined(dealing) == [(1, 2)]


def test_what_was_joined_once_is_joined_no_more(dealing: Felt) -> None:
    dealing.tell(IN_ERROR)
    dealing.report("card-drawn-in-error")
    dealing.tell(IN_ERROR)
    dealing.report("card-drawn-in-error")
    assert fired(dealing) == [("card-drawn-in-error", False)] * 2
    assert joined(dealing) == [(1, 2), (2, 2)]


def test_two_cards_that_the_shoe_shows_are_two_troubles(dealing: Felt) -> None:
    dealing.tell(IN_ERROR, IN_ERROR)
    assert len(fired(dealing)) == 2
    assert joined(dealing) == []


def test_a_join_of_what_is_shown_no_more_changes_nothing(dealing: Felt) -> None:
    dealing.tell(IN_ERROR)
    before = dealing.round
    last = dealing.rows[-1]
    stray = incident.IncidentJoined(incident=99, times=2)
    dealing.table.told(type(last)("t-1", dealing.state.seq + 1, stray, last.at))
    assert dealing.round == before
