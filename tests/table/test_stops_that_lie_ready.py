"""Stops that were decided before the fact: in every situation the same as those decided when it comes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from felt_daemon.table import admit
from felt_daemon.table.ready_stops import ReadyStops, ready_stops
from felt_daemon.table.rulings import stops
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import Fact, card, deck, person

from . import felt as tables
from .any_answers import CHOSEN, WAYS
from .any_game import opened as opened_table
from .any_situation import phases_of, troubles_of, turns_of
from .anything import ASIDE, CARD_FACTS, COMMANDS, DEVICE_FACTS, OTHER_FACTS, PEOPLE, REPORT
from .felt import DEALER, Felt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from felt_daemon.rules import Pack
    from felt_daemon.table import State
    from felt_protocols.events.person import Person

    Happened = list[tuple[Fact | commands.Command, Person]]

# A game of each kind; the others where there is time.
QUICK = ("627a", "659a", "673a")
# A fact or a command, and who gives it if it is one.
HAPPENED = st.tuples(st.one_of(*DEVICE_FACTS, *CARD_FACTS, *OTHER_FACTS, *COMMANDS, *ASIDE, REPORT), PEOPLE)
JAM = card.ShoeJammed(device="shoe-1", where="exit")


def failures_of(families: Mapping[str, str]) -> Iterator[Fact]:
    """Failures that these devices can tell, each in several words."""
    for name, family in families.items():
        if family in {"shoe", "continuous-shuffler"}:
            for where in ("", "exit", "a_word-that-nobody-knows"):
                yield card.ShoeJammed(device=name, where=where, n=7)
            yield card.ShoeStopped(device=name, n=7)
        if family == "shuffler":
            for why in ("jam", "stopped", "incomplete"):
                yield deck.ShuffleInterrupted.model_validate(
                    {"device": name, "batch": 3, "why": why, "where": "", "n": 7}
                )


def unlike(pack: Pack, state: State) -> list[Fact]:
    """Failures whose answer does not lie ready, or is another one when they come."""
    ready = ready_stops(pack, state)
    return [
        fact
        for fact in failures_of(state.setup.devices)
        if (type(fact), getattr(fact, "device", "")) not in ready.ready
        or tuple(ready.stops(pack, state, fact)) != tuple(stops(pack, state, fact))
    ]


@pytest.mark.parametrize(
    "chapter", [pytest.param(one, marks=() if one in QUICK else pytest.mark.long) for one in WAYS]
)
def test_what_lies_ready_is_what_would_be_decided_in_each_situation_of_every_game(chapter: str) -> None:
    wrong: dict[tuple[str, ...], list[Fact]] = {}
    seen = set[tuple[tuple[str, str], ...]]()
    for deal, house in (*((deal, "") for deal in WAYS[chapter]), *CHOSEN.get(chapter, ())):
        table = opened_table(chapter, deal, house)
        for name, lead in {**phases_of(table), **troubles_of(table), **turns_of(table)}.items():
            felt = table.another()
            # A house whose device reshuffles by itself spreads no cards.
            with contextlib.suppress(CommandRefused):
                lead(felt)
            if found := unlike(felt.pack, felt.state):
                wrong[deal, house, name] = found
            seen.update(ready_stops(felt.pack, felt.state).ready.values())
    assert wrong == {}
    # Not every answer is the same, and not every one is "nothing".
    assert len(seen) > 1


def test_a_jam_in_a_deal_and_one_before_it_are_answered_by_other_rows(opened: Felt) -> None:
    before = ready_stops(opened.pack, opened.state)
    opened.tell(person.BetsClosed(by=DEALER))
    after = ready_stops(opened.pack, opened.state)
    assert before.ready[card.ShoeJammed, "shoe-1"] == (("shoe-1", "shoe-jam-outside-a-deal"),)
    assert after.ready[card.ShoeJammed, "shoe-1"] == (("shoe-1", "shoe-jam"),)


def test_what_lies_ready_for_one_state_is_no_answer_in_another(opened: Felt) -> None:
    ready = ready_stops(opened.pack, opened.state)
    opened.tell(person.BetsClosed(by=DEALER))
    assert tuple(ready.stops(opened.pack, opened.state, JAM)) == (("shoe-1", "shoe-jam"),)


def test_what_lies_ready_is_given_as_it_is_and_decided_no_more(opened: Felt) -> None:
    ready = ReadyStops(opened.state, {(card.ShoeJammed, "shoe-1"): (("shoe-1", "as-decided-before"),)})
    assert tuple(ready.stops(opened.pack, opened.state, JAM)) == (("shoe-1", "as-decided-before"),)


def test_where_nothing_lies_ready_it_is_decided_when_the_fact_comes(opened: Felt) -> None:
    outside = (("shoe-1", "shoe-jam-outside-a-deal"),)
    assert tuple(ReadyStops().stops(opened.pack, opened.state, JAM)) == outside
    assert tuple(ReadyStops(opened.state).stops(opened.pack, opened.state, JAM)) == outside


def test_a_fact_that_is_no_failure_is_decided_when_it_comes(opened: Felt) -> None:
    opened.tell(person.BetsClosed(by=DEALER))
    ready = ready_stops(opened.pack, opened.state)
    eight = card.StackDispensed(device="shoe-1", size=8)
    assert tuple(ready.stops(opened.pack, opened.state, eight)) == (("shoe-1", "wrong-number-of-cards"),)


def test_only_devices_that_can_tell_a_failure_have_an_answer_ready(opened: Felt) -> None:
    assert ready_stops(opened.pack, opened.state).ready.keys() == {
        (card.ShoeJammed, "shoe-1"),
        (card.ShoeStopped, "shoe-1"),
        (deck.ShuffleInterrupted, "shuffler-1"),
    }


def test_a_device_in_service_has_it_ready_that_nothing_is_stopped(opened: Felt) -> None:
    opened.command(commands.ServiceBegin(device="shoe-1", why="a belt"), "tech", "Tim")
    assert ready_stops(opened.pack, opened.state).ready[card.ShoeJammed, "shoe-1"] == ()


def test_where_a_row_asks_for_what_the_fact_says_it_is_decided_when_the_fact_comes() -> None:
    pack = tables.changed("shoe-jam-outside-a-deal", on=["shoe-jammed"], when=["where == 'exit'"])
    felt = tables.opened()
    ready = ready_stops(pack, felt.state)
    assert (card.ShoeJammed, "shoe-1") not in ready.ready
    at_the_gate = card.ShoeJammed(device="shoe-1", where="gate")
    assert tuple(ready.stops(pack, felt.state, JAM)) == (("shoe-1", "shoe-jam-outside-a-deal"),)
    assert tuple(ready.stops(pack, felt.state, at_the_gate)) == ()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(opened=st.booleans(), happened=st.lists(HAPPENED, max_size=30))
def test_whatever_happened_what_lies_ready_is_what_is_decided(opened: bool, happened: Happened) -> None:  # noqa: FBT001 - drawn
    compare_after_each(opened, happened)


@pytest.mark.long
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(opened=st.booleans(), happened=st.lists(HAPPENED, max_size=60))
def test_whatever_happened_it_is_so_for_longer_as_well(opened: bool, happened: Happened) -> None:  # noqa: FBT001 - drawn
    compare_after_each(opened, happened)


def compare_after_each(opened: bool, happened: Happened) -> None:  # noqa: FBT001 - as above
    """Tell a table whatever happened, or have people command it, and compare after each step."""
    felt = tables.opened() if opened else Felt()
    if not opened:
        felt.start()
    for one, by in happened:
        if isinstance(one, Fact):
            felt.tell(one)
        else:
            with contextlib.suppress(CommandRefused):
                felt.tell(admit(felt.pack, felt.state, one, by))
        assert unlike(felt.pack, felt.state) == []
