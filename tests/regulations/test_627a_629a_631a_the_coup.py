"""The three forms of baccarat: 58 Pa. Code §§ 627a.8, 629a.8, 631a.9, as a shoe that counts shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table.deal import next_share
from felt_protocols import commands
from felt_protocols.events import round as rounds
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild

from .coup_bench import BACCARAT, CoupBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[CoupBench], CoupBench]

# No more bets; House Money before a third card.
BETS = {"627a": "627a.8(b)", "629a": "629a.8(b)", "631a": "631a.9(b)"}
HOUSE_MONEY = {"627a": "627a.8(d)", "629a": "629a.8(c)(3)", "631a": "631a.9(e)"}


@pytest.fixture(params=["627a", *(pytest.param(one, marks=pytest.mark.long) for one in ("629a", "631a"))])
def chapter(request: pytest.FixtureRequest) -> str:
    """Each chapter; where nothing is cited, the first stands for all but in the long tests."""
    found: str = request.param
    return found


@pytest.fixture
def table(watched: Watched, chapter: str) -> CoupBench:
    """An open table of this chapter, all cards in the shoe."""
    bench = watched(CoupBench(chapter))
    bench.open()
    return bench


@pytest.mark.rule("permit/deal")
def test_the_shoe_has_its_permit_once_no_more_bets_was_announced(table: CoupBench) -> None:
    assert table.waits("deal") == "no more bets has not been announced"
    with pytest.raises(Refused):
        table.draw()
    table.no_more_bets()
    assert table.permits("shoe-1") == [{"round": 1}]
    table.draw()
    assert table.rulings() == []


@pytest.mark.rule("drawn-before-bets-closed")
@pytest.mark.parametrize("chapter", BACCARAT)
def test_a_card_drawn_before_no_more_bets_is_told(watched: Watched, chapter: str) -> None:
    bench = watched(CoupBench(chapter, shoe=ManualShoeBuild(locks=False)))
    bench.open()
    bench.draw()
    told = bench.only_ruling_of("drawn-before-bets-closed")
    assert (told.cite, told.effect, told.directives) == ((BETS[chapter],), "advise", ("call-floor",))
    assert bench.state.phase == "dealing"
    # Where the house has nothing tell of no more bets, no card is too early.
    untold = watched(CoupBench(chapter, told={"no-more-bets": "advice"}))
    untold.open()
    untold.draw()
    assert (untold.state.phase, untold.rulings()) == ("dealing", [])


@pytest.mark.rule("deal/manual-shoe")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_first_and_third_card_are_the_players_the_second_and_fourth_the_bankers(
    table: CoupBench, count: int
) -> None:
    table.no_more_bets()
    table.draw(count)
    due = next_share(table.state)
    assert (table.state.phase, table.state.round.cards) == ("dealing", count)
    assert due is not None
    assert due.to == {1: "banker", 2: "player", 3: "banker"}[count]


def test_after_four_cards_a_coup_may_end_without_a_third(table: CoupBench) -> None:
    table.deal()
    assert table.state.phase == "playing"
    table.end_round()
    closed = table.rows_of(rounds.RoundClosed)[-1]
    assert closed.outcome == "completed"
    assert table.places() == {"shoe": 48, "discard": 4}
    assert table.rulings() == []


@pytest.mark.parametrize("report", ["house-money-settled", "no-house-money"])
def test_two_third_cards_may_come_once_house_money_is_settled_or_nobody_placed_any(
    table: CoupBench, report: str
) -> None:
    table.deal()
    table.report(report)
    table.draw(2)
    assert (table.state.round.cards, table.rulings()) == (6, [])


@pytest.mark.rule("third-card-before-house-money")
@pytest.mark.parametrize("chapter", BACCARAT)
def test_a_third_card_before_house_money_is_settled_is_told_until_people_report_it(
    table: CoupBench, chapter: str
) -> None:
    table.deal()
    table.draw()
    told = table.only_ruling_of("third-card-before-house-money")
    assert told.cite == (HOUSE_MONEY[chapter],)
    assert (told.effect, told.directives) == ("advise", ("settle-house-money",))
    assert [one.row for one in table.state.round.notices] == ["third-card-before-house-money"]
    table.report("house-money-settled")
    assert table.state.round.notices == ()
    table.draw()
    assert len(table.rulings()) == 1


@pytest.mark.rule("election/house_money", "third-card-before-house-money")
def test_where_house_money_is_not_offered_a_third_card_waits_for_nothing(
    watched: Watched, table: CoupBench, chapter: str
) -> None:
    bench = watched(CoupBench(chapter, elections={"house_money": "not-offered"}))
    bench.open()
    for one in (bench, table):
        one.deal()
        one.draw()
    assert bench.rulings() == []
    assert len(table.rulings("third-card-before-house-money")) == 1
    assert bench.unfit("no-house-money") == ("House Money Wagers are not offered here")


def test_house_money_is_not_settled_before_the_four_cards_are_out(table: CoupBench) -> None:
    table.no_more_bets()
    table.draw(3)
    early = table.unfit("house-money-settled")
    assert early == "the four cards of the deal are not out"
    table.report("no-house-money")
    assert table.state.round.notes == {"house_money_wagers": "none-placed"}


def test_what_is_noted_of_a_coup_is_forgotten_with_it(table: CoupBench) -> None:
    table.deal()
    table.report("house-money-settled")
    table.end_round()
    table.deal()
    table.draw()
    assert [one.row for one in table.rulings()] == ["third-card-before-house-money"]


@pytest.mark.rule("seventh-card")
def test_a_seventh_card_is_one_too_many(table: CoupBench) -> None:
    table.deal()
    table.report("no-house-money")
    table.draw(2)
    assert table.rulings() == []
    table.draw()
    told = table.only_ruling_of("seventh-card")
    assert (told.cite, told.effect, told.directives) == ((), "advise", ("no-more-cards",))
    # One more that a floorperson has burnt goes into no hand.
    table.command(commands.Order(what="burn"))
    table.draw()
    assert (len(table.rulings("seventh-card")), table.joined()) == (1, [])


@pytest.mark.rule("third-card-before-house-money", "seventh-card")
def test_house_money_that_nobody_settled_is_told_of_two_third_cards_and_not_of_one_too_many(
    table: CoupBench,
) -> None:
    table.deal()
    told: list[set[str]] = []
    for _ in range(3):
        before = len(table.rulings())
        table.draw()
        told.append({one.row for one in table.rulings()[before:]})
    house_money, too_many = {"third-card-before-house-money"}, {"seventh-card"}
    assert told == [house_money, house_money, too_many]


@pytest.mark.rule("fewer-than-four-cards")
def test_a_coup_that_ends_after_three_cards_has_lost_one(table: CoupBench) -> None:
    table.no_more_bets()
    table.draw(3)
    table.end_round()
    told = table.only_ruling_of("fewer-than-four-cards")
    assert (told.cite, told.directives) == ((), ("count-the-hands",))
    assert table.state.holds == {}


@pytest.mark.rule("cover-card-seen")
def test_the_cover_card_is_told_and_closes_nothing(table: CoupBench) -> None:
    table.empty_shoe()
    table.report("deck-shuffled", deck="red")
    table.load_shoe(table.with_cover(table.cards["red"], 2))
    table.no_more_bets()
    table.draw(3)
    assert table.only_ruling_of("cover-card-seen").directives == ("mind-cover-card",)
    table.draw(2)
    assert table.state.round.cards == 4
    table.end_round()
    table.no_more_bets()
    assert table.permits("shoe-1")[-1] == {"round": 2}


def test_the_first_card_of_a_new_shoe_is_burnt_where_the_house_says_so(
    watched: Watched, chapter: str
) -> None:
    bench = watched(CoupBench(chapter, elections={"burn": "first-card"}))
    bench.open()
    bench.no_more_bets()
    bench.draw(5)
    assert (bench.state.phase, bench.state.round.cards) == ("playing", 4)
    assert bench.places() == {"shoe": 47, "table": 4, "discard": 1}
    assert bench.rulings() == []


def test_a_floorperson_may_order_more_cards_burnt(table: CoupBench) -> None:
    table.command(commands.Order(what="burn"))
    table.command(commands.Order(what="burn"))
    table.no_more_bets()
    table.draw(6)
    assert table.places() == {"shoe": 46, "table": 4, "discard": 2}
    assert (table.state.phase, [one.row for one in table.rulings()]) == ("playing", ["burn-ordered"])


@pytest.mark.parametrize(("elected", "total"), [(1, 52), (6, 312), (8, 416)])
def test_how_many_decks_are_in_the_shoe_is_the_houses_answer(chapter: str, elected: int, total: int) -> None:
    assert CoupBench(chapter, elections={"decks": elected}).setup.deck_total == total


def test_the_house_must_say_what_the_text_does_not(chapter: str) -> None:
    asked = CoupBench(chapter).pack.elections
    open_questions = {name for name, one in asked.items() if one.by_default is None}
    assert open_questions >= {"decks", "batches", "burn", "house_money"}


def test_nine_players_sit_at_a_minibaccarat_or_midibaccarat_table() -> None:
    assert CoupBench("627a").setup.positions == 9
    assert CoupBench("629a").setup.positions == 9
    assert CoupBench("627a").pack.elections["cards_face"].choices == ("face-up", "face-down")
