"""The dealer's panel: what each press becomes; and what follows where no panel is fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols import commands
from felt_protocols.events import Fact, Row, card, deck, device, draw, incident, panel, person
from felt_protocols.events import round as rounds
from felt_protocols.events.person import Person

from .felt import FAMILIES, FLOOR, Felt, setup_of

if TYPE_CHECKING:
    from felt_protocols.events.panel import Button

WITH_PANEL = {**FAMILIES, "panel-1": "dealers-panel"}
NOBODY = Person(role="dealer", name="", proof="panel")


@pytest.fixture
def felt() -> Felt:
    """An open table with a dealer's panel."""
    table = Felt(setup=setup_of(devices=WITH_PANEL))
    table.open()
    return table


def press(felt: Felt, button: Button, report: str = "", *, late: bool = False) -> list[Row]:
    """Press a button; give every row that came of it."""
    felt.late = late
    rows = felt.tell(panel.PanelPressed(device="panel-1", button=button, report=report))
    felt.late = False
    return rows


def meant(rows: list[Row]) -> list[Fact]:
    """The facts that followed from a press, each with the press as its cause."""
    assert rows[0].event.what() == "panel-pressed"
    assert rows[0].cause is None
    facts = [row for row in rows[1:] if isinstance(row.event, Fact)]
    assert all(row.cause == rows[0].seq for row in facts)
    return [row.event for row in facts if isinstance(row.event, Fact)]


def why(rows: list[Row]) -> str:
    """The words in which a press was refused; nothing but the refusal came of it."""
    (refusal,) = meant(rows)
    assert isinstance(refusal, person.CommandRejected)
    assert (refusal.way, refusal.by) == ("panel", NOBODY)
    assert len(rows) == 2
    return refusal.reason


def test_no_more_bets_is_pressed_once_in_a_round(felt: Felt) -> None:
    assert meant(press(felt, "no-more-bets")) == [person.BetsClosed(by=NOBODY)]
    assert felt.state.phase == "closed"
    assert why(press(felt, "no-more-bets")) == "no-more-bets does not fit: round 1 is in phase closed"


def test_round_end_is_pressed_when_the_round_is_over(felt: Felt) -> None:
    assert why(press(felt, "round-end")) == "round-end does not fit: round 1 is in phase betting"
    felt.ready_to_deal()
    felt.deal()
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    assert meant(press(felt, "round-end")) == [person.RoundEnded(by=NOBODY)]
    assert felt.round.number == 2


def test_a_floorperson_is_called_once_and_comes_with_whatever_the_floor_does(felt: Felt) -> None:
    assert meant(press(felt, "call-floor")) == [person.FloorCalled(by=NOBODY)]
    assert felt.state.called is not None
    assert felt.state.called.mono_ns == felt.rows[-1].at.mono_ns
    assert why(press(felt, "call-floor")) == "a floorperson is called already"
    felt.command(commands.NoMoreBets(), "dealer")
    assert felt.state.called is not None
    felt.command(commands.Order(what="recut"))
    assert felt.state.called is None


def test_whoever_acts_for_the_floor_need_not_be_called(felt: Felt) -> None:
    felt.command(commands.CallFloor())
    assert felt.state.called is None


def test_the_dealer_has_seen_what_is_held_and_owns_none_of_it(felt: Felt) -> None:
    assert why(press(felt, "acknowledge")) == "nothing is held that you have not seen"
    felt.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"))
    assert meant(press(felt, "acknowledge")) == [person.TroubleSeen(by=NOBODY, holds=(1, 2))]
    assert {(hold.seen, hold.owner) for hold in felt.state.holds.values()} == {(True, "")}
    assert why(press(felt, "acknowledge")) == "nothing is held that you have not seen"
    felt.tell(device.LightShown(device="shuffler-1", colour="red"))
    felt.tell(card.ShoeJammed(device="shoe-1"))
    assert [
        fact.holds for fact in meant(press(felt, "acknowledge")) if isinstance(fact, person.TroubleSeen)
    ] == [(3,)]


def test_a_new_dealer_is_told_by_name_or_by_the_button(felt: Felt) -> None:
    felt.command(commands.NewDealer(dealer="Deb"), "dealer")
    assert felt.state.dealer == "Deb"
    # Who deals is known by name until the next one comes.
    by = Person(role="dealer", name="Deb", proof="panel")
    assert meant(press(felt, "no-more-bets")) == [person.BetsClosed(by=by)]
    # The button does not say who comes, nor who presses it.
    assert meant(press(felt, "new-dealer")) == [person.DealerCame(by=NOBODY, dealer="")]
    assert felt.state.dealer == ""


def test_a_report_is_pressed_by_its_word(felt: Felt) -> None:
    (fact,) = meant(press(felt, "report", "shoe-jam"))
    assert fact == person.Reported(by=NOBODY, report="shoe-jam", round=1, device="shoe-1")
    assert ("shoe-jam-outside-a-deal", "shoe-1") in felt.holds()
    assert (
        why(press(felt, "report", "play-resumes")) == "play-resumes does not fit: the cards do not lie spread"
    )
    assert why(press(felt, "report", "xyzzy")).startswith("Asia Poker has no report xyzzy")


def test_a_report_of_the_floor_is_none_of_the_panels(felt: Felt) -> None:
    assert why(press(felt, "report", "inspection-verified")) == (
        "inspection-verified is reported by floor; you are dealer"
    )


def test_a_refused_press_says_which_button_and_which_report(felt: Felt) -> None:
    rows = press(felt, "report", "play-resumes")
    refusal = rows[1].event
    assert isinstance(refusal, person.CommandRejected)
    assert (refusal.command, refusal.request) == ("report", "play-resumes")


def test_a_press_and_all_that_comes_of_it_is_one_step(felt: Felt) -> None:
    felt.start_position()
    rows = press(felt, "no-more-bets")
    assert [row.event.what() for row in rows] == [
        "panel-pressed",
        "bets-closed",
        "phase-changed",
        "order-issued",
    ]
    # The press causes the fact, and the fact what is decided from it.
    assert [row.cause for row in rows] == [None, rows[0].seq, rows[1].seq, rows[1].seq]
    assert len({row.at for row in rows}) == 1


@pytest.mark.parametrize(
    "button", ["no-more-bets", "round-end", "new-dealer", "call-floor", "acknowledge", "report"]
)
def test_a_press_that_nobody_listened_to_is_pressed_again(felt: Felt, button: Button) -> None:
    before = felt.state
    rows = press(felt, button, "shoe-jam", late=True)
    refusal = rows[1].event
    assert isinstance(refusal, person.CommandRejected)
    assert refusal.reason == "it was pressed while nobody listened; press it again"
    assert felt.state.phase == before.phase
    assert (felt.state.called, felt.state.dealer) == (None, "")


def test_the_buttons_of_a_panel_in_service_mean_nothing(felt: Felt) -> None:
    felt.tell(person.ServiceBegun(by=FLOOR, device="panel-1", why="a sticky button"))
    rows = press(felt, "no-more-bets")
    assert [(row.event.what(), dict(row.context)) for row in rows] == [("panel-pressed", {"test": "panel-1"})]
    assert felt.state.phase == "betting"


def test_a_press_is_shown_to_belong_to_the_round(felt: Felt) -> None:
    rows = press(felt, "no-more-bets")
    assert dict(rows[0].context) == {"round": 1}
    assert incident.IncidentOpened not in {type(row.event) for row in rows}


# ---- what follows where nobody tells it --------------------------------------------------------------------


def without_panel(**told: str) -> Felt:
    """An open table whose house lets things follow from others."""
    table = Felt(setup=setup_of(told={name.replace("_", "-"): word for name, word in told.items()}))
    table.open()
    return table


def dice(felt: Felt) -> list[Row]:
    """Shake three times and read the dice; give the rows of the reading."""
    felt.tell(*(draw.ShakerShaken(device="shaker-1") for _ in range(3)))
    return felt.tell(draw.DiceRead(device="shaker-1", faces=(1, 2, 3), flat=True, inside=True))


def test_bets_are_closed_by_the_starting_position_where_the_house_says_so() -> None:
    felt = without_panel(no_more_bets="start-position")
    felt.command(commands.NewDealer(dealer="Deb"), "dealer")
    rows = dice(felt)
    inferred = [row for row in rows if isinstance(row.event, person.BetsClosed)]
    (closed,) = inferred
    assert closed.event == person.BetsClosed(by=Person(role="dealer", name="Deb", proof="inferred"))
    assert closed.cause == rows[0].seq
    assert felt.state.phase == "closed"
    assert felt.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]
    # A second look infers nothing, since bets are closed.
    assert [row.event.what() for row in dice(felt)] == ["dice-read"]


def test_dice_that_find_no_position_close_no_bets() -> None:
    felt = without_panel(no_more_bets="start-position")
    felt.tell(draw.DiceRead(device="shaker-1", faces=(1, 2, 3), flat=True, inside=True))
    assert felt.state.phase == "betting"


@pytest.mark.parametrize("told", [{}, {"no_more_bets": "told"}, {"no_more_bets": "advice"}])
def test_where_the_house_says_otherwise_nothing_follows_from_dice(told: dict[str, Any]) -> None:
    felt = without_panel(**told)
    dice(felt)
    assert felt.of(person.BetsClosed) == []


def test_where_bets_are_advice_alone_the_deal_waits_for_nobody_to_tell_it() -> None:
    felt = without_panel(no_more_bets="advice")
    dice(felt)
    assert felt.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]
    felt.deal(7)
    assert felt.rulings() == []


def test_the_next_decks_load_ends_the_round_where_the_house_says_so() -> None:
    felt = without_panel(round_end="shoe-loaded")
    for number, name in ((1, "red"), (2, "blue"), (3, "red")):
        assert felt.round.number == number
        felt.ready_to_deal()
        felt.deal()
        assert felt.round.deck == name
        felt.tell(
            card.ShoeUnloaded(device="shoe-1", count=4),
            draw.ShakerCovered(device="shaker-1"),
            draw.ShakerShaken(device="shaker-1"),
        )
        felt.to_shoe()
        assert felt.of(rounds.RoundClosed)[-1].round == number
        assert felt.state.last_deck == name
        felt.shuffle()
    assert {one.by.proof for one in felt.of(person.RoundEnded)} == {"inferred"}
    # Two decks that alternate are no trouble, whenever the round ends.
    assert felt.incidents() == []
