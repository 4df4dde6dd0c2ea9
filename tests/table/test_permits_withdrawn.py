"""A shoe's permit is withdrawn where the house deals in another way, and where the table closes or idles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from felt_daemon.table import inhibits
from felt_protocols.events import device, person
from felt_protocols.events import round as rounds

from .felt import FLOOR
from .test_rows_applied import after

if TYPE_CHECKING:
    from felt_daemon.table import State
    from felt_protocols.events import Event

    from .felt import Felt


def withdrawn(state: State) -> list[str]:
    """The permits that were withdrawn."""
    return [name for name, grant in state.grants.items() if grant.withdrawn]


def way(deal: str, shuffle: str = "device", start: str = "shaker") -> person.MethodChosen:
    """The house deals in this way from now on."""
    return person.MethodChosen(by=FLOOR, shuffle=shuffle, deal=deal, start=start)


def sign(name: str, kind: Literal["covered", "removed"]) -> person.SignMoved:
    """A device is covered, or its cover is taken away."""
    return person.SignMoved(by=FLOOR, device=name, sign=kind)


@pytest.mark.parametrize(
    ("row", "gone"),
    [
        (way("hand"), True),
        (way("manual-shoe"), True),
        (way("automated-shoe"), False),
        (rounds.TableStateChanged(state="closed"), True),
        (rounds.TableStateChanged(state="idle"), True),
        (rounds.TableStateChanged(state="open"), False),
    ],
)
def test_a_permit_that_nobody_has_begun_is_withdrawn_with_what_it_was_for(
    opened: Felt,
    row: Event,
    gone: bool,  # noqa: FBT001 - a row of a table
) -> None:
    opened.ready_to_deal()
    assert (set(opened.state.grants), inhibits(opened.state)) == ({"shuffle/shuffler-1", "deal/shoe-1"}, {})
    state = after(opened.state, row)
    assert withdrawn(state) == (["deal/shoe-1"] if gone else [])
    assert inhibits(state) == ({"shoe-1": "permit-withdrawn"} if gone else {})


def test_a_deal_that_has_begun_keeps_its_permit(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal(7)
    assert withdrawn(after(opened.state, way("hand"))) == []


def test_a_cover_of_a_sound_device_is_no_matter_of_a_permit_that_does_without_another(opened: Felt) -> None:
    opened.tell(
        person.Inspected(by=FLOOR, device="shuffler-1", result="not-in-order"),
        sign("shuffler-1", "covered"),
    )
    opened.ready_to_deal()
    opened.tell(way("automated-shoe", shuffle="hand"), sign("shaker-1", "covered"))
    assert (opened.holds(), len(opened.permits("shoe-1"))) == ({("device-not-in-order", "shuffler-1")}, 1)
    assert withdrawn(after(opened.state, sign("shaker-1", "removed"))) == []


def test_a_permit_that_did_without_a_broken_device_is_withdrawn_as_its_cover_comes_off(opened: Felt) -> None:
    opened.tell(
        device.DeviceFaulted(device="shuffler-1", code="motor"),
        sign("shuffler-1", "covered"),
        way("automated-shoe", shuffle="hand"),
    )
    opened.ready_to_deal()
    assert opened.holds() == {("device-unusable", "shuffler-1")}
    uncovered = sign("shuffler-1", "removed")
    assert withdrawn(after(opened.state, uncovered)) == ["deal/shoe-1"]
    # What is repaired by now, and what only advises, closes nothing.
    repaired = opened.twin()
    repaired.tell(device.DeviceCleared(device="shuffler-1", code="motor"))
    assert withdrawn(after(repaired.state, uncovered)) == []
    repaired.tell(device.DeviceStale(device="shuffler-1", silent_ms=600))
    assert ("device-silent", "shuffler-1") in repaired.holds()
    assert withdrawn(after(repaired.state, uncovered)) == []


def test_a_permit_stands_where_only_the_start_is_found_otherwise(opened: Felt) -> None:
    opened.tell(sign("shaker-1", "covered"))
    opened.ready_to_deal()
    assert withdrawn(after(opened.state, way("automated-shoe", start="generator"))) == []
