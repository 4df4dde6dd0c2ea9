"""663a.8, 663a.9, 663a.10: the deal of Five Card Hi-Lo, and the stub that is left of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import card
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler_build import ShufflerBuild

from . import stub_trials as trials

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

COUNTS_NOTHING = ShufflerBuild(shuffle_s=6.0, counts=False)


@pytest.mark.rule("report/seats-playing")
@pytest.mark.parametrize(
    "deal",
    ["manual-shoe", pytest.param("hand", marks=pytest.mark.rule("report/cards-dealt")), "automated-shoe"],
)
def test_663a_8_9_10_five_cards_to_each_of_six_and_the_dealer_leave_seventeen(
    poker_of: Make, deal: str
) -> None:
    bench = poker_of("663a", deal)
    bench.ready(1, 2, 3, 4, 5, 6)
    bench.hands_out(7)
    assert (bench.state.round.cards, len(bench.felt)) == (35, 35)
    bench.take_stub()
    assert len(bench.rack) == 17
    bench.count(17)
    bench.end_round()
    assert (bench.rulings(), bench.state.rounds) == ([], 2)
    assert sum(bench.state.decks["red"].places.values()) == 52


@pytest.mark.rule("deal/manual-shoe", "report/seats-playing")
def test_663a_8_d_each_card_of_a_manual_shoe_is_its_positions(poker_of: Make) -> None:
    bench = poker_of("663a", "manual-shoe")
    bench.ready(2, 5)
    bench.draw(15)
    seats = [row.context["seat"] for row in bench.rows if isinstance(row.event, card.CardDrawn)]
    # From the dealer's left, one card at a time; the dealer is 0.
    assert seats == [2, 5, 0] * 5


@pytest.mark.rule("deal/automated-shoe", "permit/deal", "report/seats-playing")
def test_663a_10_b_each_stack_is_its_positions_and_the_last_one_the_dealers(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.ready(6, 3)
    assert bench.permits("shoe-1") == [{"round": 1, "stacks": 3, "size": 5}]
    bench.deal(3)
    seats = [row.context["seat"] for row in bench.rows if isinstance(row.event, card.StackDispensed)]
    assert seats == [3, 6, 0]


def test_663a_10_b_while_nobody_says_who_plays_hands_are_not_guessed(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.no_more_bets()
    bench.run(0.5)
    assert bench.permits("shoe-1") == [{"round": 1, "size": 5}]
    bench.deal(3)
    assert bench.state.phase == "dealing"
    bench.take_stub()
    assert (bench.state.phase, bench.rulings()) == ("playing", [])
    bench.end_round()
    assert bench.state.rounds == 2


def test_663a_9_b_nobody_deals_by_hand_before_it_is_told_who_plays(poker_of: Make) -> None:
    bench = poker_of("663a", "hand")
    bench.no_more_bets()
    refused = bench.refused_report("cards-dealt", deck="red")
    assert refused == "cards-dealt does not fit: nobody has said who plays; report seats-playing first"
    bench.plays(1)
    bench.report("cards-dealt", deck="red")
    assert bench.state.round.cards == 10


def test_663a_9_c_dealt_from_the_hand_the_stub_goes_to_the_rack_with_the_round(poker_of: Make) -> None:
    bench = poker_of("663a", "hand")
    bench.play(1, 2)
    places = bench.state.decks["red"].places
    assert (places["hand"], places["discard"]) == (0, 52)


def test_663a_10_d_the_count_of_a_stub_ends_the_deal_of_a_shoe_that_is_not_heard_any_more(
    poker_of: Make,
) -> None:
    bench = poker_of("663a")
    bench.ready(1, 2)
    bench.deal(3)
    bench.unplug("shoe-1")
    bench.run(4.0)
    assert bench.state.phase == "dealt"
    bench.count(37)
    assert bench.state.phase == "playing"
    bench.end_round()
    assert (bench.state.rounds, bench.state.decks["red"].places["table"]) == (2, 0)


def test_663a_9_b_a_card_that_came_out_of_a_shoe_keeps_nobody_from_dealing_from_the_hand(
    poker_of: Make,
) -> None:
    bench = poker_of("663a")
    bench.no_more_bets()
    bench.command(commands.Method(deal="hand"))
    bench.inject("shoe-1", "stack", size=5)
    bench.take_stub()
    bench.plays(1, 2)
    bench.report("cards-dealt", deck="red")
    assert (bench.state.round.seats, bench.state.round.cards) == ((1, 2), 15)
    bench.count(37)
    bench.end_round()
    assert bench.state.rounds == 2


@pytest.mark.rule("dealt-before-bets-closed")
def test_663a_10_a_2_a_stack_before_no_more_bets_is_told(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.plays(1, 2)
    bench.inject("shoe-1", "stack", size=5)
    assert bench.rulings("dealt-before-bets-closed")[0].cite == ("663a.10(a)(2)",)


@pytest.mark.rule("drawn-before-bets-closed", "drawn-without-permit")
def test_663a_8_b_a_card_from_a_shoe_without_a_lock_before_no_more_bets_is_told(poker_of: Make) -> None:
    bench = poker_of("663a", "manual-shoe", shoe=ManualShoeBuild(locks=False))
    bench.plays(1, 2)
    bench.draw(1)
    assert [(one.row, one.cite) for one in bench.rulings()] == [
        ("drawn-before-bets-closed", ("663a.8(b)",)),
        ("drawn-without-permit", ()),
    ]


@pytest.mark.parametrize(
    ("deal", "row", "cite"),
    [
        pytest.param(
            "manual-shoe",
            "stub-count-due-manual-shoe",
            "663a.8(f)",
            marks=[pytest.mark.long, pytest.mark.rule("stub-count-due-manual-shoe")],
        ),
        pytest.param(
            "hand",
            "stub-count-due-hand",
            "663a.9(d)",
            marks=[pytest.mark.long, pytest.mark.rule("stub-count-due-hand")],
        ),
        pytest.param(
            "automated-shoe",
            "stub-count-due-automated-shoe",
            "663a.10(d)",
            marks=pytest.mark.rule("stub-count-due-automated-shoe"),
        ),
    ],
)
def test_663a_8_f_9_d_10_d_without_a_counting_shuffler_the_stub_is_counted_in_every_fifth_round(
    poker_of: Make, deal: str, row: str, cite: str
) -> None:
    bench = poker_of("663a", deal, shuffler=COUNTS_NOTHING)
    trials.counted_in_the_fifth_round(bench, row, cite, right=37)


def test_663a_8_f_where_the_shuffler_counts_nobody_has_to(poker_of: Make) -> None:
    bench = poker_of("663a")
    trials.four_rounds(bench)
    trials.dealt(bench)
    bench.take_stub()
    bench.end_round()
    assert bench.rulings() == []


@pytest.mark.rule("stub-count-due-automated-shoe", "stub-not-counted-automated-shoe")
def test_663a_10_d_where_people_shuffle_a_shuffler_that_counts_is_not_used(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.command(commands.Method(shuffle="hand"))
    # The first one was shuffled, and counted, by the shuffler.
    trials.rounds_by_hand(bench, 5)
    assert bench.rulings() == []
    trials.dealt(bench)
    bench.take_stub()
    bench.end_round()
    assert {one.row for one in bench.rulings()} == {
        "stub-count-due-automated-shoe",
        "stub-not-counted-automated-shoe",
    }


@pytest.mark.parametrize(
    ("deal", "row", "cite"),
    [
        pytest.param(
            "manual-shoe",
            "stub-not-counted-manual-shoe",
            "663a.8(f)",
            marks=[pytest.mark.long, pytest.mark.rule("stub-not-counted-manual-shoe")],
        ),
        pytest.param(
            "hand",
            "stub-not-counted-hand",
            "663a.9(d)",
            marks=[pytest.mark.long, pytest.mark.rule("stub-not-counted-hand")],
        ),
        pytest.param(
            "automated-shoe",
            "stub-not-counted-automated-shoe",
            "663a.10(d)",
            marks=pytest.mark.rule("stub-not-counted-automated-shoe"),
        ),
    ],
)
def test_663a_8_f_9_d_10_d_after_five_rounds_without_a_count_the_whole_deck_is_counted(
    poker_of: Make, deal: str, row: str, cite: str
) -> None:
    bench = poker_of("663a", deal, shuffler=COUNTS_NOTHING)
    trials.not_counted_in_five_rounds(bench, row, cite, total=52)


@pytest.mark.parametrize(
    ("deal", "row", "cite"),
    [
        pytest.param(
            "manual-shoe",
            "stub-count-wrong-manual-shoe",
            "663a.8(h)",
            marks=pytest.mark.rule("stub-count-wrong-manual-shoe"),
        ),
        pytest.param(
            "hand", "stub-count-wrong-hand", "663a.9(f)", marks=pytest.mark.rule("stub-count-wrong-hand")
        ),
        pytest.param(
            "automated-shoe",
            "stub-count-wrong-automated-shoe",
            "663a.10(f)",
            marks=pytest.mark.rule("stub-count-wrong-automated-shoe"),
        ),
    ],
)
@pytest.mark.rule("not-misdealt-deck-leaves")
def test_663a_8_h_9_f_10_f_a_wrong_stub_voids_the_round_and_takes_the_deck_away(
    poker_of: Make, deal: str, row: str, cite: str
) -> None:
    # Fifteen of 52 are dealt: 37 must be left.
    trials.wrong_and_not_misdealt(poker_of("663a", deal), row, cite, wrong=36)


@pytest.mark.parametrize(
    "deal",
    ["automated-shoe", *(pytest.param(way, marks=pytest.mark.long) for way in ("manual-shoe", "hand"))],
)
@pytest.mark.rule("misdealt-deck-stays")
def test_663a_8_h_9_f_10_f_a_deck_that_was_misdealt_and_is_complete_stays(poker_of: Make, deal: str) -> None:
    row = f"stub-count-wrong-{deal}"
    cites = ("663a.8(h)", "663a.9(f)", "663a.10(f)")
    trials.wrong_and_misdealt(poker_of("663a", deal), row, cites, wrong=38)


@pytest.mark.rule("stub-count-doubtful")
def test_a_stub_that_the_shoe_counts_wrong_waits_for_the_dealers_count_and_voids_nothing(
    poker_of: Make,
) -> None:
    bench = poker_of("663a")
    trials.dealt(bench)
    bench.fault("shoe-1", "miscount=-1")
    bench.take_stub()
    ruling = bench.only_ruling("stub-count-doubtful")
    assert (ruling.basis, ruling.directives) == ("own", ("count-stub",))
    assert bench.state.round.void == ""
    assert bench.holds() == {("stub-count-doubtful", "red")}
    bench.count(37)
    assert bench.holds() == set()


@pytest.mark.rule("wrong-number-and-wrong-stub", "wrong-number-of-cards")
def test_a_wrong_stub_of_a_round_that_is_void_already_has_the_deck_counted(poker_of: Make) -> None:
    bench = poker_of("663a", shoe=ShoeBuild(size=5, counts=False))
    bench.ready(1, 2)
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    bench.take_stub()
    # Four of 52 were dealt: 48 must be left.
    bench.count(47)
    assert bench.rulings("wrong-number-and-wrong-stub")[0].directives == ("count-deck",)
    assert ("wrong-number-and-wrong-stub", "red") in bench.holds()
