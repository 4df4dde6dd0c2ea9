"""659a.4 and 659a.5(a) to (e): decks are prepared step by step, the table opens, idles, and closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import deck, person, system
from felt_protocols.events import round as rounds

from .handled_table import PREPARATION

if TYPE_CHECKING:
    from .felt_bench import Bench

STEPS = [what for what, _role in PREPARATION]
ROLES = dict(PREPARATION)
MARKS = ["inspected", "verified", "spread", "looked", "washed"]


@pytest.fixture
def woken(bench: Bench) -> Bench:
    """A closed table whose devices are all heard, with no deck yet."""
    bench.until(lambda: all(one.link == "ready" for one in bench.state.devices.values()))
    return bench


# ---- 659a.4 ----------------------------------------------------------------------------------------------


@pytest.mark.rule("opening")
def test_659a_4_a_to_d_each_deck_is_prepared_in_order_before_the_table_opens(woken: Bench) -> None:
    assert woken.refused(commands.OpenTable()) == (
        "no cards yet for red, blue: report each with change-deck first"
    )
    woken.bring("red")
    assert woken.state.table == "opening"
    assert woken.state.decks["red"].marks == tuple(MARKS)
    woken.command(commands.ChangeDeck(deck="blue"))
    for done, (what, role) in enumerate(PREPARATION):
        left = ", ".join(STEPS[done:])
        told = woken.refused(commands.OpenTable())
        assert told.startswith("deck blue is not prepared (659a.4(a), 659a.4(b), 659a.4(c), 659a.4(d))")
        assert told.endswith(f"report first: {left}")
        woken.report(what, role, deck="blue")
    woken.command(commands.OpenTable(), name="Cho")
    assert woken.state.table == "open"
    opened = woken.rows_of(person.TableOpened)
    assert [one.by for one in opened] == [person.Person(role="floor", name="Cho")]
    marked = woken.rows_of(deck.DeckMarked)
    assert [(one.deck, one.mark) for one in marked] == [
        (name, mark) for name in ("red", "blue") for mark in MARKS
    ]


@pytest.mark.parametrize("step", range(1, 5))
def test_659a_4_a_to_c_a_step_out_of_order_is_refused_with_the_one_that_is_missing(
    woken: Bench, step: int
) -> None:
    woken.command(commands.ChangeDeck(deck="red"))
    for what in STEPS[: step - 1]:
        woken.report(what, ROLES[what], deck="red")
    with pytest.raises(CommandRefused, match=f"^red: report {STEPS[step - 1]} first$"):
        woken.report(STEPS[step], ROLES[STEPS[step]], deck="red")


def test_659a_4_a_the_dealer_inspects_and_the_floorperson_verifies(woken: Bench) -> None:
    woken.command(commands.ChangeDeck(deck="red"))
    with pytest.raises(CommandRefused, match="deck-inspected is reported by dealer; you are floor"):
        woken.report("deck-inspected", "floor", deck="red")
    woken.report("deck-inspected", "dealer", deck="red")
    with pytest.raises(CommandRefused, match="inspection-verified is reported by floor; you are dealer"):
        woken.report("inspection-verified", "dealer", deck="red")


def test_659a_4_a_nothing_is_reported_of_a_deck_that_is_not_at_the_table(woken: Bench) -> None:
    with pytest.raises(CommandRefused, match="no cards yet for red: report it with change-deck first"):
        woken.report("deck-inspected", deck="red")


def test_659a_4_a_to_c_the_dealers_steps_are_pressed_at_the_panel(woken: Bench) -> None:
    woken.command(commands.ChangeDeck(deck="red"))
    woken.press("report", "deck-inspected")
    woken.report("inspection-verified", "floor", deck="red")
    for what in STEPS[2:]:
        woken.press("report", what)
    assert woken.rows_of(person.CommandRejected) == []
    assert woken.state.decks["red"].marks == tuple(MARKS)
    assert woken.shown() == ("TABLE OPENS",)


def test_659a_4_e_preinspected_and_preshuffled_decks_need_no_preparation_and_no_shuffle(woken: Bench) -> None:
    woken.command(commands.ChangeDice(device="shaker-1"))
    woken.command(commands.ChangeDeck(deck="red", preshuffled=True))
    woken.shoe.load(woken.cards["red"], woken.now)
    woken.run(0.5)
    woken.command(commands.ChangeDeck(deck="blue", preshuffled=True))
    woken.command(commands.OpenTable())
    woken.shuffle(woken.cards["blue"])
    woken.finish_round()
    # That preshuffled cards are cut is 659a.5(b)(2).
    assert [one.row for one in woken.rulings()] == ["preshuffled-deck-cut", "preshuffled-deck-cut"]


@pytest.mark.rule("deck-not-prepared")
def test_659a_4_a_to_c_a_deck_brought_during_play_is_prepared_too_or_it_is_told(opened: Bench) -> None:
    opened.finish_round()
    opened.command(commands.ChangeDeck(deck="red"))
    opened.rack = opened.cards["red"]
    opened.to_shoe()
    opened.shuffle(opened.rack)
    opened.rack = []
    opened.finish_round()
    opened.to_shoe()
    ruling = opened.rulings("deck-not-prepared")[0]
    assert ruling.cite == ("659a.4(a)", "659a.4(b)", "659a.4(c)", "659a.5(e)")
    assert (ruling.effect, ruling.subject_id, ruling.directives) == ("advise", "red", ("inspect-deck",))
    assert "INSPECT, SPREAD AND WASH DECK" in opened.shown()


# ---- 659a.5(a) to (d) ------------------------------------------------------------------------------------


@pytest.mark.rule("dealt-unshuffled")
def test_659a_5_a_a_prepared_deck_is_shuffled_before_play_begins(woken: Bench) -> None:
    woken.command(commands.ChangeDice(device="shaker-1"))
    woken.bring("red")
    woken.shoe.load(woken.cards["red"], woken.now)
    woken.run(0.5)
    woken.bring("blue")
    woken.command(commands.OpenTable())
    assert woken.only_ruling("dealt-unshuffled").cite == ("659a.5(a)",)
    woken.ready_to_deal()
    assert woken.permits("shoe-1") == []


def test_659a_5_c_a_deck_is_shuffled_by_hand_only_where_the_house_has_gone_over_to_it(opened: Bench) -> None:
    opened.finish_round()
    with pytest.raises(
        CommandRefused, match="decks are shuffled by the device here; change the method first"
    ):
        opened.report("deck-shuffled", deck="red")


@pytest.mark.parametrize("what", ["recut", "burn", "shuffle", "reshuffle"])
def test_659a_5_a_and_d_only_the_floor_orders_and_it_is_on_record(opened: Bench, what: str) -> None:
    order = commands.Order.model_validate({"what": what, "deck": "red"})
    assert opened.refused(order, "dealer") == "order is for floor; you are dealer"
    opened.command(order)
    [ordered] = opened.rows_of(person.FloorOrdered)
    assert (ordered.what_ordered, ordered.deck, ordered.by.name) == (what, "red", "Ann")


# ---- 659a.5(e) -------------------------------------------------------------------------------------------


def spread(bench: Bench) -> None:
    """Nobody plays: shoe and rack are emptied, and the dealer says that the cards lie spread."""
    bench.hand = bench.shoe.remove_rest(bench.now)
    bench.run(0.5)
    bench.press("report", "cards-spread")


@pytest.mark.rule("report/cards-spread", "report/deck-washed", "report/play-resumes", "report/player-looked")
def test_659a_5_e_cards_lie_spread_while_nobody_plays_and_play_resumes_with_a_wash_and_a_shuffle(
    opened: Bench,
) -> None:
    spread(opened)
    assert opened.state.table == "idle"
    assert opened.state.round is None
    assert opened.shown() == ("CARDS SPREAD",)
    # The deck in the shuffler stays as it is; the one that lay in the shoe wants its wash and its shuffle.
    assert opened.state.decks["red"].marks == ("inspected", "verified", "spread")
    assert not opened.state.decks["red"].shuffled
    assert opened.state.decks["blue"].shuffled
    for button in ("no-more-bets", "round-end"):
        opened.press(button)
    assert len(opened.rows_of(person.CommandRejected)) == 2
    opened.press("report", "player-looked")
    opened.press("report", "deck-washed")
    assert "washed" in opened.state.decks["red"].marks
    opened.press("report", "play-resumes")
    assert (opened.state.table, opened.state.phase) == ("open", "betting")
    red = opened.hand
    opened.to_shoe()
    opened.shuffle(red)
    opened.play_round()
    assert opened.rulings() == []


@pytest.mark.rule("deck-not-prepared", "dealt-unshuffled")
def test_659a_5_e_a_deck_that_was_spread_and_neither_washed_nor_shuffled_is_not_dealt(opened: Bench) -> None:
    spread(opened)
    opened.press("report", "play-resumes")
    opened.shoe.load(opened.hand, opened.now)
    opened.run(0.5)
    assert {one.row for one in opened.rulings()} == {"dealt-unshuffled", "deck-not-prepared"}
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []


def test_659a_5_e_nothing_is_an_irregularity_of_the_game_while_the_cards_lie_spread(opened: Bench) -> None:
    spread(opened)
    opened.shake(1)
    opened.uncover()
    opened.shoe.load(opened.hand, opened.now)
    opened.run(0.5)
    opened.take_rest()
    for what in ("wrong-total", "dealers-card-exposed", "dice-not-flat", "cards-dealt"):
        opened.press("report", what)
    assert opened.rulings() == []
    assert len(opened.rows_of(person.CommandRejected)) == 4


@pytest.mark.rule("red-light")
def test_a_red_light_of_the_shuffler_is_held_also_while_the_cards_lie_spread(opened: Bench) -> None:
    spread(opened)
    opened.fault("shuffler-1", "light=red")
    opened.run(1.0)
    assert opened.only_ruling("red-light").subject_id == "shuffler-1"
    assert opened.holds() == {("red-light", "blue")}
    opened.press("report", "play-resumes")
    assert opened.holds() == {("red-light", "blue")}


@pytest.mark.rule("dice-too-old")
def test_659a_2_c_1_i_dice_grow_old_also_while_the_cards_lie_spread(opened: Bench) -> None:
    spread(opened)
    opened.take(system.TimerDue(timer="dice-age/shaker-1", overdue_s=0))
    assert opened.only_ruling("dice-too-old").cite == ("659a.2(c)(1)(i)",)
    opened.press("report", "play-resumes")
    assert opened.holds() == {("dice-too-old", "shaker-1")}


def test_659a_5_e_cards_are_spread_and_play_resumes_only_when_that_can_be(opened: Bench) -> None:
    opened.press("report", "play-resumes")
    opened.ready_to_deal()
    opened.deal(1)
    opened.press("report", "cards-spread")
    assert [one.reason.partition(": ")[2] for one in opened.rows_of(person.CommandRejected)] == [
        "the cards do not lie spread",
        "a round is being dealt or played",
    ]


@pytest.mark.rule("shaker-unattended-without-play")
def test_659a_2_c_1_a_shaker_is_not_left_alone_while_nobody_plays_either(opened: Bench) -> None:
    spread(opened)
    opened.shaker.walk_away(opened.now)
    opened.run(60.0)
    ruling = opened.rulings("shaker-unattended-without-play")[0]
    assert (ruling.cite, ruling.directives) == (("659a.2(c)(1)",), ("stay-with-shaker", "call-floor"))
    assert opened.holds() == {("shaker-unattended-without-play", opened.state.setup.table)}
    opened.shaker.come_back(opened.now)
    opened.shaker.shake(opened.now)
    opened.run(1.0)
    assert opened.holds() == set()


@pytest.mark.rule("shaker-unattended-without-play")
def test_659a_2_c_1_once_play_resumes_the_shaker_is_looked_after_as_in_play(opened: Bench) -> None:
    spread(opened)
    opened.shaker.walk_away(opened.now)
    opened.run(60.0)
    assert opened.holds() == {("shaker-unattended-without-play", opened.state.setup.table)}
    opened.press("report", "play-resumes")
    assert ("shaker-unattended-without-play", opened.state.setup.table) not in opened.holds()


@pytest.mark.rule("shaker-unattended-without-play")
def test_659a_2_c_1_a_shaker_is_not_left_alone_before_the_table_opens_either(bench: Bench) -> None:
    bench.until(lambda: bench.state.devices["shaker-1"].link == "ready")
    bench.bring("red")
    assert bench.state.table == "opening"
    bench.shaker.walk_away(bench.now)
    bench.run(30.0)
    assert bench.only_ruling("shaker-unattended-without-play").effect == "advise"
    bench.command(commands.CloseTable())
    assert bench.holds() == set()


# ---- opening, closing, changes: who and when -------------------------------------------------------------


def test_opening_and_closing_are_the_floors_and_on_record_with_who_and_when(opened: Bench) -> None:
    assert opened.refused(commands.CloseTable(), "dealer") == "close-table is for floor; you are dealer"
    assert opened.refused(commands.OpenTable(), "dealer") == "open-table is for floor; you are dealer"
    assert opened.refused(commands.OpenTable()) == "the table is open already"
    opened.run(7.0)
    at = opened.now
    opened.ready_to_deal()
    closed_at = opened.now
    opened.command(commands.CloseTable(), name="Dee")
    # The round in progress has no card yet: the table closes at once.
    assert opened.state.table == "closed"
    [row] = [row for row in opened.rows if isinstance(row.event, person.TableClosed)]
    assert row.event.by == person.Person(role="floor", name="Dee")
    assert row.at.mono_ns == round(closed_at * 1e9)
    assert closed_at > at
    assert opened.refused(commands.CloseTable()) == "the table is closed already"
    assert opened.shown() == ("TABLE CLOSED",)


def test_a_table_that_is_closed_in_a_round_finishes_it_first(dealing: Bench) -> None:
    dealing.command(commands.CloseTable())
    assert dealing.state.table == "open"
    dealing.deal(4)
    dealing.take_rest()
    dealing.cover_and_shake_once()
    dealing.press("round-end")
    assert dealing.state.table == "closed"
    assert dealing.rows_of(rounds.RoundClosed)[-1].outcome == "completed"


def test_decks_and_dice_are_changed_by_the_floor_and_on_record_with_who_and_when(opened: Bench) -> None:
    assert opened.refused(commands.ChangeDice(device="shaker-1"), "dealer") == (
        "change-dice is for floor; you are dealer"
    )
    assert opened.refused(commands.ChangeDice(device="shoe-1")) == (
        "shoe-1 is no shaker of this table; there are: shaker-1"
    )
    opened.run(5.0)
    rows = opened.command(commands.ChangeDice(device="shaker-1"), name="Eve")
    changed = rows[0].event
    assert isinstance(changed, person.DiceChanged)
    assert (changed.by.name, changed.device) == ("Eve", "shaker-1")
    assert opened.state.timers["dice-age/shaker-1"].since == rows[0].at
    assert opened.refused(commands.ChangeDeck(deck="red"), "dealer") == (
        "change-deck is for floor; you are dealer"
    )
    rows = opened.command(commands.ChangeDeck(deck="red"), name="Eve")
    assert isinstance(rows[0].event, person.DeckChanged)
    assert (rows[0].event.by.name, rows[0].at.mono_ns) == ("Eve", round(opened.now * 1e9))
