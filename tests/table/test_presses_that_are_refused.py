"""A press of the dealer's panel that is not taken is answered where it was pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import admit
from felt_daemon.table.dealers_panel import panel
from felt_protocols import commands
from felt_protocols.events import panel as presses
from felt_protocols.events import person

from .felt import FLOOR, Felt, setup_of

if TYPE_CHECKING:
    from felt_protocols.events.panel import Button

FAMILIES = {"shuffler-1": "shuffler", "shoe-1": "shoe", "shaker-1": "shaker", "panel-1": "dealers-panel"}


@pytest.fixture
def table() -> Felt:
    """An open table with a panel."""
    felt = Felt(setup=setup_of(devices=FAMILIES))
    felt.open()
    return felt


def press(table: Felt, button: Button) -> None:
    """Press a button of the panel."""
    table.tell(presses.PanelPressed(device="panel-1", button=button))


def test_the_panel_says_why_a_press_was_not_taken(table: Felt) -> None:
    press(table, "round-end")
    lines, _lamps = panel(table.pack, table.state)
    assert lines[:2] == ("ROUND 1 BETTING", "NOT TAKEN: round-end does not fit: round")


def test_the_next_thing_that_is_taken_clears_it(table: Felt) -> None:
    press(table, "round-end")
    press(table, "no-more-bets")
    assert panel(table.pack, table.state)[0] == ("ROUND 1 CLOSED",)


def test_a_refusal_of_somebody_elses_command_is_not_the_panels(table: Felt) -> None:
    table.tell(person.CommandRejected(command="open-table", by=FLOOR, reason="the table is open already"))
    assert panel(table.pack, table.state)[0] == ("ROUND 1 BETTING",)


@pytest.mark.parametrize(
    ("by", "said", "dealer"),
    [
        (person.Person(role="dealer", name="Kim (kim)", proof="pin"), None, "Kim (kim)"),
        (person.Person(role="dealer", name="Kim (kim)", proof="pin"), "Lee", "Lee"),
        (person.Person(role="dealer", name="felt-dealer"), None, ""),
        (person.Person(role="floor", name="Ann (ann)", proof="pin"), None, ""),
    ],
)
def test_a_dealer_who_proves_who_it_is_is_the_dealer(
    table: Felt, by: person.Person, said: str | None, dealer: str
) -> None:
    table.tell(admit(table.pack, table.state, commands.NewDealer(dealer=said), by))
    assert table.state.dealer == dealer
