"""A card that came out before the deal is at hand again; a shoe that is not dealt from any more is shut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import inhibits
from felt_protocols import commands
from felt_protocols.events import card
from felt_simulators.devices.hands import Refused

from .coup_bench import CoupBench
from .poker_bench import PokerBench

if TYPE_CHECKING:
    from collections.abc import Callable


def stray(table: PokerBench) -> None:
    """The shoe gives a card by itself while wagers are made."""
    table.fault("shoe-1", "stray-card=1")
    table.run(1.0)


def stray_stack(table: PokerBench, size: int = 5) -> None:
    """The shoe has begun a stack as the house goes over to another way, and tells of it after that."""
    table.ready(1, 2)
    table.command(commands.Method(deal="hand"))
    table.inject("shoe-1", "stack", size=size)


def test_a_stray_card_goes_back_into_the_shuffler_with_its_deck() -> None:
    table = PokerBench("663a")
    table.open()
    stray(table)
    assert table.state.decks["red"].places["table"] == 1
    table.command(commands.Order(what="shuffle", deck="red"))

    cards = [*table.shoe.take_stack(table.now), *table.shoe.remove_rest(table.now)]
    table.run(0.5)
    table.take_from_shuffler()
    table.shuffle(cards)

    red = table.state.decks["red"]
    assert red.shuffled
    assert {place: count for place, count in red.places.items() if count} == {"shuffler": 52}
    assert not [hold for hold in table.state.holds.values() if hold.row == "shuffle-ordered"]


def test_a_deck_with_a_stray_card_can_be_counted_by_hand() -> None:
    table = PokerBench("663a")
    table.open()
    stray(table)
    table.shoe.take_stack(table.now)
    table.shoe.remove_rest(table.now)
    table.run(0.5)
    table.count(52, part="deck")
    assert {place: n for place, n in table.state.decks["red"].places.items() if n} == {"hand": 52}


@pytest.mark.parametrize(
    "chapter", ["659a", "671a", *(pytest.param(one, marks=pytest.mark.long) for one in ("663a", "687a"))]
)
@pytest.mark.parametrize("way", ["hand", "manual-shoe"])
@pytest.mark.rule("stray-card")
def test_a_card_of_a_shoe_that_is_not_dealt_from_is_no_card_of_the_deal(
    poker_of: Callable[..., PokerBench], chapter: str, way: str
) -> None:
    table = poker_of(chapter)
    table.command(commands.Method(deal=way))
    stray(table)
    assert table.only_ruling("stray-card").directives == ("stop-by-hand", "call-floor")
    now = table.state.round
    assert now is not None
    assert (now.phase, now.cards, now.stacks, now.deck) == ("betting", 0, 0, "")
    assert table.state.decks["red"].places["table"] == 1
    [told] = [row for row in table.rows if isinstance(row.event, card.CardDrawn)]
    assert "seat" not in told.context


@pytest.mark.rule("stray-card", "cards-after-the-deal", chapters=("663a",))
def test_a_card_of_a_shoe_that_is_not_dealt_from_is_told_once_before_the_deal_and_after_it(
    poker_of: Callable[..., PokerBench],
) -> None:
    table = poker_of("663a")
    table.command(commands.Method(deal="hand"))
    stray(table)
    table.hand = table.take_from_shuffler()
    table.ready(1, 2)
    table.report("cards-dealt", deck="blue")
    table.shoe.take_stack(table.now)
    stray(table)
    told = [one.row for one in table.rulings()]
    assert told == ["stray-card", "other-deck-not-in-shuffler", "cards-after-the-deal"]


@pytest.mark.parametrize("size", [5, 6])
@pytest.mark.rule("stray-card", chapters=("663a",))
def test_a_stack_of_a_shoe_that_is_not_dealt_from_any_more_is_no_hand_of_the_deal(
    poker_of: Callable[..., PokerBench], size: int
) -> None:
    table = poker_of("663a")
    stray_stack(table, size)
    assert [one.row for one in table.rulings()] == ["stray-card"]
    now = table.state.round
    assert now is not None
    assert (now.phase, now.void, now.cards, now.stacks) == ("hand-deal", "", 0, 0)
    assert table.state.decks["red"].places["table"] == size
    [told] = [row for row in table.rows if isinstance(row.event, card.StackDispensed)]
    assert "seat" not in told.context


@pytest.mark.rule("stray-card", chapters=("663a",))
def test_a_round_is_dealt_from_the_hand_after_a_stack_of_the_shoe_that_is_none_of_it(
    poker_of: Callable[..., PokerBench],
) -> None:
    table = poker_of("663a")
    stray_stack(table)
    table.hand = table.take_from_shuffler()
    table.report("cards-dealt", deck="blue")
    now = table.state.round
    assert now is not None
    assert (now.phase, now.cards, now.stacks, now.deck) == ("playing", 15, 3, "blue")


def test_a_stack_that_is_not_dealt_has_the_card_that_came_before_it_as_any_stack() -> None:
    table = PokerBench("663a")
    table.open()
    table.ready(1, 2)
    table.inject("shoe-1", "card", face_up=False)
    table.command(commands.Method(deal="hand"))
    table.inject("shoe-1", "stack", size=5)
    assert table.state.decks["red"].places["table"] == 5
    table.inject("shoe-1", "stack", size=5)
    assert table.state.decks["red"].places["table"] == 10


@pytest.mark.parametrize("chapter", ["659a", "671a"])
@pytest.mark.rule("stray-card")
def test_a_stack_of_another_size_is_no_wrong_hand_where_the_shoe_is_not_dealt_from(
    poker_of: Callable[..., PokerBench], chapter: str
) -> None:
    table = poker_of(chapter)
    table.command(commands.Method(deal="hand"))
    table.inject("shoe-1", "stack", size=4)
    assert [one.row for one in table.rulings()] == ["stray-card"]
    assert (table.state.phase, table.state.round.void) == ("betting", "")


@pytest.mark.rule("stray-card", "wrong-number-of-cards", "stack-of-nobody-known", chapters=("671a",))
def test_a_stack_of_another_size_is_one_of_the_deal_where_the_shoe_is_dealt_from(
    poker_of: Callable[..., PokerBench],
) -> None:
    for seats, row in (((1, 2), "wrong-number-of-cards"), ((), "stack-of-nobody-known")):
        found: list[set[str]] = []
        for way in ("hand", "automated-shoe"):
            table = poker_of("671a")
            if way == "hand":
                table.command(commands.Method(deal=way))
            if seats:
                table.plays(*seats)
            table.inject("shoe-1", "stack", size=4)
            found.append({one.row for one in table.rulings()})
        assert found[0] == {"stray-card"}
        assert row in found[1]
        assert "stray-card" not in found[1]


@pytest.mark.parametrize("chapter", ["659a", "663a"])
@pytest.mark.rule("stray-card", "wrong-number-of-cards")
def test_a_stack_of_another_size_is_a_wrong_hand_of_the_deal_alone(
    poker_of: Callable[..., PokerBench], chapter: str
) -> None:
    by_hand, table = poker_of(chapter), poker_of(chapter)
    by_hand.command(commands.Method(deal="hand"))
    for one in (by_hand, table):
        one.inject("shoe-1", "stack", size=4)
    assert [one.row for one in by_hand.rulings()] == ["stray-card"]
    assert "wrong-number-of-cards" in {one.row for one in table.rulings()}


@pytest.mark.rule("stray-card", "dealt-before-start-position", chapters=("659a",))
@pytest.mark.rule("dealt-without-permit", "other-deck-not-in-shuffler", chapters=("659a",))
def test_a_stack_that_is_not_dealt_is_no_first_one_of_a_round_that_is_void_after_one(
    poker_of: Callable[..., PokerBench],
) -> None:
    table = poker_of("659a")
    table.take_from_shuffler()
    table.no_more_bets()
    table.inject("shoe-1", "stack", size=6)
    assert table.state.phase == "void"
    before = len(table.rulings())
    table.command(commands.Sign(device="shoe-1", sign="out-of-order"))
    table.command(commands.Method(deal="hand"))
    table.inject("shoe-1", "stack", size=7)
    assert {one.row for one in table.rulings()[before:]} == {"stray-card", "signed-device-works"}


@pytest.mark.rule("device-unusable", chapters=("663a",))
def test_a_stack_that_is_not_dealt_does_not_show_that_a_repaired_shoe_does_its_work(
    poker_of: Callable[..., PokerBench],
) -> None:
    table = poker_of("663a")
    table.fault("shoe-1", "unusable")
    table.run(0.5)
    table.command(commands.Sign(device="shoe-1", sign="out-of-order"))
    table.command(commands.Method(deal="hand"))
    table.ready(1, 2)
    table.hand = table.take_from_shuffler()
    table.report("cards-dealt", deck="blue")
    table.shoe.repair(table.now)
    table.run(0.5)
    table.inject("shoe-1", "stack", size=5)
    assert ("device-unusable", "shoe-1") in table.holds()


@pytest.mark.rule("stray-card", "dealt-before-bets-closed", chapters=("663a",))
def test_a_card_drawn_from_a_manual_shoe_is_stray_where_an_automated_one_deals(
    poker_of: Callable[..., PokerBench],
) -> None:
    table = poker_of("663a", "manual-shoe")
    table.command(commands.Method(deal="automated-shoe"))
    table.inject("shoe-1", "card", face_up=False)
    assert [one.row for one in table.rulings()] == ["stray-card"]
    # One that an automated shoe gives then is one of the deal, too early.
    other = poker_of("663a")
    other.inject("shoe-1", "card", face_up=False)
    assert "dealt-before-bets-closed" in {one.row for one in other.rulings()}


def test_a_deck_is_the_rounds_by_its_deal_from_the_hand_and_not_by_a_stray_card_of_the_other() -> None:
    table = PokerBench("663a")
    table.open()
    table.command(commands.Method(deal="hand"))
    stray(table)
    table.hand = table.take_from_shuffler()
    table.ready(1, 2)
    table.report("cards-dealt", deck="blue")
    now = table.state.round
    assert now is not None
    assert (now.phase, now.cards, now.deck) == ("playing", 15, "blue")


def test_a_shoe_is_shut_when_the_house_goes_over_to_another_way_before_the_first_stack() -> None:
    table = PokerBench("663a")
    table.open()
    table.ready(1, 5)
    assert "shoe-1" not in inhibits(table.state)
    table.command(commands.Method(deal="hand"))
    assert inhibits(table.state) == {"shoe-1": "permit-withdrawn"}
    table.run(1.0)
    with pytest.raises(Refused, match="inhibited"):
        table.shoe.press_deal(table.now)
    assert table.shoe.truth["stacks"] == []


def test_a_shoe_is_open_again_when_the_house_comes_back_to_it() -> None:
    table = PokerBench("663a")
    table.open()
    table.ready(1, 5)
    table.command(commands.Method(deal="hand"))
    table.run(1.0)
    table.command(commands.Method(deal="automated-shoe"))
    table.run(1.0)
    assert inhibits(table.state) == {}
    table.deal(3)
    assert table.state.round is not None
    assert table.state.round.stacks == 3


def test_a_shoe_is_shut_when_the_table_closes_before_the_first_stack_and_open_in_the_next_round() -> None:
    table = PokerBench("663a")
    table.open()
    table.ready(1, 5)
    table.command(commands.CloseTable())
    table.run(1.0)
    with pytest.raises(Refused, match="inhibited"):
        table.shoe.press_deal(table.now)
    table.command(commands.OpenTable())
    table.ready(1, 5)
    table.run(1.0)
    table.deal(3)
    assert table.state.round is not None
    assert (table.state.round.number, table.state.round.stacks) == (2, 3)


def test_a_shoe_is_shut_when_nobody_plays_any_more_and_the_cards_are_spread() -> None:
    table = PokerBench("663a")
    table.open()
    table.ready(1, 5)
    table.report("cards-spread")
    assert table.state.table == "idle"
    assert inhibits(table.state) == {"shoe-1": "permit-withdrawn"}
    table.run(1.0)
    with pytest.raises(Refused, match="inhibited"):
        table.shoe.press_deal(table.now)


def test_a_round_whose_only_card_lay_face_up_has_not_begun_and_needs_what_any_deal_needs() -> None:
    table = CoupBench()
    table.open()
    table.no_more_bets()
    table.draw()
    table.command(commands.Order(what="shuffle", deck="red"))
    assert inhibits(table.state) == {}, "what has begun is finished"
    table.report("card-face-up")
    assert inhibits(table.state) == {"shoe-1": "permit-withdrawn"}


def test_a_round_whose_only_card_lay_face_up_goes_on_where_nothing_is_held() -> None:
    table = CoupBench()
    table.open()
    table.no_more_bets()
    table.draw()
    table.report("card-face-up")
    assert inhibits(table.state) == {}
    table.run(1.0)
    table.draw(4)
    assert table.state.phase == "playing"
