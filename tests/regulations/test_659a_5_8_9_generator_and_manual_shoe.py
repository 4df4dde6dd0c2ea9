"""659a.5(g), 659a.8, 659a.9: begun by a generator or a button, dealt from a manual shoe or the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import card, draw
from felt_simulators.devices.manual_shoe import CardSticks

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]


def started(bench: PokerBench) -> draw.StartPositionSet:
    """No more bets, and the generator has drawn."""
    bench.no_more_bets()
    bench.run(2.0)
    found: draw.StartPositionSet = bench.rows_of(draw.StartPositionSet)[-1]
    return found


@pytest.mark.rule("permit/deal", "permit/draw", "start")
def test_659a_5_g_2_the_generators_number_says_where_dealing_starts(poker_of: Make) -> None:
    bench = poker_of("659a")
    start = started(bench)
    number = bench.machines["rng-1"].display
    # Counted counter-clockwise with the dealer as 1: 2 is the highest seat, 7 the lowest.
    assert (start.total, start.seat) == (number, 0 if number == 1 else 8 - number)
    assert bench.permits("rng-1") == [{"draw": 1}]
    assert bench.permits("shoe-1") == [{"round": 1, "stacks": 7, "size": 7}]


def test_659a_5_g_2_no_number_is_drawn_before_no_more_bets(poker_of: Make) -> None:
    bench = poker_of("659a", "manual-shoe")
    bench.run(5.0)
    assert bench.permits("rng-1") == []


def test_no_number_is_drawn_from_a_generator_with_a_sign(poker_of: Make) -> None:
    bench = poker_of("659a")
    bench.command(commands.Sign(device="rng-1", sign="out-of-order"))
    bench.no_more_bets()
    bench.run(5.0)
    assert bench.permits("rng-1") == []
    bench.command(commands.Sign(device="rng-1", sign="removed"))
    bench.run(2.0)
    assert bench.permits("rng-1") == [{"draw": 1}]


@pytest.mark.long
def test_659a_5_g_3_the_button_goes_round_clockwise(poker_of: Make) -> None:
    bench = poker_of("659a")
    bench.command(commands.Method(start="button"))
    seats: list[int] = []
    for _ in range(3):
        seats.append(started(bench).seat)
        bench.deal(7)
        bench.take_stub()
        bench.end_round()
        bench.swap()
    assert seats == [0, 1, 2]


@pytest.mark.rule("deal/manual-shoe")
def test_659a_8_c_forty_nine_cards_one_at_a_time_from_the_start_position(poker_of: Make) -> None:
    bench = poker_of("659a", "manual-shoe")
    first = started(bench).seat
    bench.draw(49)
    seats = [row.context["seat"] for row in bench.rows if isinstance(row.event, card.CardDrawn)]
    ring = [1, 2, 3, 4, 5, 6, 0]
    start = ring.index(first)
    assert seats == (ring[start:] + ring[:start]) * 7
    assert bench.state.phase == "dealt"
    bench.take_stub()
    assert (bench.state.phase, bench.rulings()) == ("playing", [])


@pytest.mark.rule("report/cards-dealt")
def test_659a_9_b_dealt_from_the_hand_49_cards_are_out(poker_of: Make) -> None:
    bench = poker_of("659a", "hand")
    started(bench)
    bench.report("cards-dealt", deck="red")
    assert bench.state.round.cards == 49


@pytest.mark.rule("not-four-left-manual-shoe")
def test_659a_8_e_the_dealers_count_of_the_four_decides(poker_of: Make) -> None:
    bench = poker_of("659a", "manual-shoe")
    started(bench)
    bench.draw(49)
    bench.take_stub()
    bench.count(3)
    assert bench.only_ruling("not-four-left-manual-shoe").cite == ("659a.8(e)",)


@pytest.mark.parametrize(
    ("counted", "row"),
    [
        pytest.param(3, "not-four-left-manual-shoe", marks=pytest.mark.rule("not-four-left-manual-shoe")),
        pytest.param(4, "", marks=pytest.mark.rule("left-doubtful")),
    ],
)
def test_659a_8_d_where_the_shoe_has_not_four_left_the_dealer_counts_and_decides(
    poker_of: Make, counted: int, row: str
) -> None:
    bench = poker_of("659a", "manual-shoe")
    started(bench)
    bench.draw(49)
    bench.fault("shoe-1", "miscount")
    bench.take_stub()
    assert bench.only_ruling("left-doubtful").directives == ("count-left",)
    assert bench.state.round.void == ""
    bench.count(counted)
    # What the dealer counts goes before what the shoe does.
    assert bench.state.phase == ("void" if row else "playing")
    assert [one.row for one in bench.rulings()] == ["left-doubtful", *([row] if row else [])]
    assert bench.state.round.notices == ()


@pytest.mark.parametrize(
    ("counted", "phase"),
    [
        pytest.param(3, "void", marks=pytest.mark.rule("not-four-left-of-a-deal-unseen")),
        pytest.param(4, "playing", marks=pytest.mark.rule("shoe-emptied-too-early")),
    ],
)
def test_659a_8_d_where_the_shoe_missed_a_card_of_the_deal_the_dealer_counts_and_decides(
    poker_of: Make, counted: int, phase: str
) -> None:
    bench = poker_of("659a", "manual-shoe")
    started(bench)
    bench.draw(48)
    if counted == 3:
        # Counted while cards lie in the shoe, what is left is no rest of a deal yet.
        bench.count(5)
        assert (bench.state.phase, bench.rulings()) == ("dealing", [])
    bench.felt += bench.drawn_from.remove_rest(bench.now)[:1]
    bench.run(0.5)
    assert bench.only_ruling("shoe-emptied-too-early").directives == (
        "check-hands",
        "count-left",
        "call-floor",
    )
    bench.count(counted)
    assert bench.state.phase == phase
    if phase == "void":
        said = bench.rulings()[-1]
        assert (said.row, said.directives) == (
            "not-four-left-of-a-deal-unseen",
            ("return-wagers", "count-hands", "deck-leaves"),
        )


def test_659a_8_e_what_is_left_in_mid_deal_of_the_automated_shoe_is_no_rest_of_a_deal(poker_of: Make) -> None:
    bench = poker_of("659a")
    started(bench)
    bench.deal(2)
    bench.take_stub()
    before = bench.rulings()
    bench.count(20)
    assert [one.row for one in bench.rulings()[len(before) :]] == []


@pytest.mark.rule("drawn-before-bets-closed", "drawn-before-start-position", "drawn-without-permit")
def test_659a_8_b_and_c_a_card_before_its_time_is_told(poker_of: Make) -> None:
    bench = poker_of("659a", "manual-shoe")
    bench.inject("shoe-1", "card", face_up=False)
    assert [(one.row, one.cite) for one in bench.rulings()] == [
        ("drawn-before-bets-closed", ("659a.8(b)",)),
        ("drawn-without-permit", ()),
        ("drawn-before-start-position", ("659a.8(c)",)),
    ]


@pytest.mark.rule("other-deck-not-kept-in-shuffler")
def test_659a_3_b_2_the_other_deck_is_in_the_shuffler_while_one_is_drawn(poker_of: Make) -> None:
    bench = poker_of("659a", "manual-shoe")
    bench.take_from_shuffler()
    started(bench)
    bench.draw(2)
    assert bench.only_ruling("other-deck-not-kept-in-shuffler").cite == ("659a.3(b)(2)",)


@pytest.mark.rule("shoe-emptied-too-early", "card-sticks")
def test_a_card_that_sticks_in_a_manual_shoe_voids_no_round_and_hands_are_counted(poker_of: Make) -> None:
    bench = poker_of("659a", "manual-shoe")
    started(bench)
    bench.draw(10)
    bench.fault("shoe-1", "jam=11")
    with pytest.raises(CardSticks):
        bench.drawn_from.draw(bench.now)
    bench.run(0.5)
    bench.felt += bench.drawn_from.clear_jam(bench.now)
    bench.draw(38)
    bench.take_stub()
    assert [one.row for one in bench.rulings()] == ["card-sticks", "shoe-emptied-too-early"]
    assert bench.state.round.void == ""


@pytest.mark.rule("manual-shoe-unusable")
def test_659a_13_n_is_about_automated_shoes_and_a_manual_one_is_told(poker_of: Make) -> None:
    bench = poker_of("659a", "manual-shoe")
    bench.fault("shoe-1", "unusable=sensor")
    bench.run(1.0)
    assert bench.only_ruling("manual-shoe-unusable").basis == "own"


@pytest.mark.rule("generator-unhealthy", "generator-unusable")
def test_a_generator_that_fails_its_test_or_breaks_asks_for_another_way(poker_of: Make) -> None:
    bench = poker_of("659a")
    bench.fault("rng-1", "bad-health")
    bench.run(1.0)
    assert bench.only_ruling("generator-unhealthy").directives == ("call-floor", "call-technician")
    bench.fault("rng-1", "unusable=board")
    bench.run(1.0)
    assert bench.rulings("generator-unusable")[0].directives == ("call-floor",)
    bench.machines["rng-1"].repair(bench.now)
    bench.run(1.0)
    assert bench.holds() == set()


def test_659a_5_g_2_where_a_generator_finds_the_start_no_shaker_is_shaken_after_the_deal(
    poker_of: Make,
) -> None:
    bench = poker_of("659a")
    started(bench)
    bench.deal(7)
    bench.take_stub()
    bench.end_round()
    assert (bench.rulings(), bench.state.rounds) == ([], 2)
