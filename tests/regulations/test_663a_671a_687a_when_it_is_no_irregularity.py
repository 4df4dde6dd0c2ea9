"""What looks like an irregularity of the three poker games and is none: nothing is void or held."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import device
from felt_protocols.events import round as rounds
from felt_simulators.devices.shuffler_build import ShufflerBuild

from . import stub_trials as trials

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

COUNTS_NOTHING = ShufflerBuild(shuffle_s=6.0, counts=False)


# ---- counts where a shuffler counts ------------------------------------------------------------------------


def test_663a_10_d_a_deck_that_the_shuffler_counted_needs_no_count_while_the_next_one_is_shuffled(
    poker_of: Make,
) -> None:
    bench = poker_of("663a", shuffler=ShufflerBuild(shuffle_s=35.0))
    trials.four_rounds(bench)
    trials.dealt(bench)
    bench.take_stub()
    bench.end_round()
    # The other deck is put in and is not shuffled by the time that the next round is over.
    bench.to_deal()
    bench.load(bench.rack)
    bench.rack = []
    trials.dealt(bench, "blue")
    bench.take_stub()
    bench.end_round()
    assert bench.state.devices["shuffler-1"].working
    assert (bench.rulings(), bench.holds()) == ([], set())


def test_663a_10_d_five_rounds_begin_with_the_first_one_that_no_shuffler_counted(poker_of: Make) -> None:
    bench = poker_of("663a")
    trials.four_rounds(bench)
    bench.command(commands.Method(shuffle="hand"))
    trials.dealt(bench)
    bench.take_stub()
    bench.end_round()
    assert (bench.rulings(), bench.state.rounds_uncounted) == ([], 0)


def test_671a_11_h_2_a_count_that_a_shuffler_made_before_the_deal_contradicts_nobody(poker_of: Make) -> None:
    bench = poker_of("671a", decks={"red": "red"}, elections={"decks": 1})
    bench.command(commands.Method(shuffle="hand"))
    trials.dealt(bench)
    bench.report("decisions-locked")
    bench.take_stub()
    bench.end_round()
    bench.report("deck-shuffled", deck="red")
    bench.count(51, "deck")
    assert [one.row for one in bench.rulings()] == ["deck-count-wrong"]


def test_671a_11_h_a_void_round_without_a_card_is_none_of_the_five(poker_of: Make) -> None:
    bench = poker_of("671a", "hand", shuffler=COUNTS_NOTHING)
    for deck in ("red", "blue", "red", "blue"):
        bench.ready(1, 2)
        bench.hands_out(3, deck)
        bench.report("decisions-locked")
        bench.end_round()
        bench.swap()
    bench.ready(1, 2)
    bench.report("dealers-card-exposed")
    bench.command(commands.ReleaseRound())
    assert [one.row for one in bench.rulings()] == ["dealers-card-exposed"]


@pytest.mark.rule("stub-not-counted-hand")
def test_663a_9_d_a_fifth_round_that_is_void_counts_as_any_other(poker_of: Make) -> None:
    bench = poker_of("663a", "hand", shuffler=COUNTS_NOTHING)
    deck = trials.four_rounds(bench)
    trials.dealt(bench, deck)
    bench.report("wrong-number")
    bench.command(commands.ReleaseRound())
    assert ("stub-not-counted-hand", deck) in bench.holds()


# ---- who plays, and what the shoe was told of it -----------------------------------------------------------


@pytest.mark.parametrize(("chapter", "cards"), [("663a", 20), ("687a", 20)])
def test_10_b_players_who_are_told_of_after_no_more_bets_get_their_stacks(
    poker_of: Make, chapter: str, cards: int
) -> None:
    bench = poker_of(chapter)
    bench.ready(1, 2)
    bench.plays(1, 2, 3)
    bench.run(0.5)
    assert [one["stacks"] for one in bench.permits("shoe-1")] == [3, 4]
    bench.deal(4)
    bench.take_stub()
    assert (bench.rulings(), bench.state.phase, bench.state.round.cards) == ([], "playing", cards)


def test_671a_11_c_the_announcement_ends_the_deal_of_fewer_hands_than_were_told(poker_of: Make) -> None:
    bench = poker_of("671a")
    bench.ready(1, 2, 3, 4)
    bench.deal(4)
    bench.report("decisions-locked")
    bench.shoe.press_one(bench.now)
    bench.run(3.0)
    assert (bench.rulings(), bench.state.phase) == ([], "playing")


@pytest.mark.rule("stack-of-nobody-known")
def test_671a_13_c_where_nobody_said_who_plays_a_small_stack_may_be_a_draw(poker_of: Make) -> None:
    bench = poker_of("671a")
    bench.no_more_bets()
    bench.run(0.5)
    bench.deal(3)
    bench.shoe.press_one(bench.now)
    bench.run(3.0)
    ruling = bench.only_ruling("stack-of-nobody-known")
    assert (ruling.directives, bench.state.round.void) == (("lock-decisions", "check-hands"), "")


@pytest.mark.rule("decisions-never-locked")
def test_671a_11_c_a_deck_in_the_shoe_ends_a_round_whose_decisions_nobody_locked(poker_of: Make) -> None:
    bench = poker_of("671a", told={"round-end": "shoe-loaded"})
    bench.ready(1, 2)
    bench.deal(3)
    bench.take_stub()
    bench.to_deal()
    assert (bench.state.rounds, bench.only_ruling("decisions-never-locked").cite) == (2, ("671a.11(c)",))


# ---- shoes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", ["663a", "671a", "687a"])
@pytest.mark.rule("shoe-lost-in-deal", "shoe-fails-to-deal-all")
def test_13_e_f_a_shoe_that_lost_what_it_told_did_not_fail_to_deal(poker_of: Make, chapter: str) -> None:
    failed, bench = poker_of(chapter), poker_of(chapter)
    for table in (failed, bench):
        table.ready(1, 2)
        table.deal(2)
    bench.take(device.EventsLost(device="shoe-1", first=90, last=91))
    for table in (failed, bench):
        table.take_stub()
    assert failed.state.round.void == "shoe-fails-to-deal-all"
    assert [one.row for one in bench.rulings()] == ["shoe-lost-in-deal"]
    assert bench.state.phase == ("dealt" if chapter == "671a" else "playing")
    bench.end_round()
    assert bench.state.rounds == 2


@pytest.mark.parametrize("chapter", ["663a", "671a", "687a"])
def test_a_round_that_nobody_plays_is_over_once_the_dealers_stack_is_out(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    bench.ready()
    bench.deal(1)
    assert bench.state.phase == "dealt"
    bench.take_stub()
    assert bench.rulings() == []
    bench.end_round()
    assert [one.outcome for one in bench.rows_of(rounds.RoundClosed)] == ["completed"]


@pytest.mark.rule("shoe-lost-in-draws")
def test_671a_11_d_a_shoe_that_restarts_before_the_draws_gives_no_card_and_people_are_told(
    poker_of: Make,
) -> None:
    bench = poker_of("671a")
    bench.ready(1, 2)
    bench.deal(3)
    bench.take(device.DeviceRestarted(device="shoe-1", device_boot="f", previous_boot="e"))
    assert bench.only_ruling("shoe-lost-in-draws").directives == (
        "no-draw-from-shoe",
        "call-floor",
        "check-cable",
    )


@pytest.mark.rule("card-sticks", chapters=("671a",))
def test_13_e_a_card_that_sticks_in_a_manual_shoe_holds_no_deal(poker_of: Make) -> None:
    bench = poker_of("671a", "manual-shoe")
    bench.inject("shoe-1", "jam", where="mouth")
    bench.inject("shoe-1", "cleared", where="mouth")
    assert [one.row for one in bench.rulings()] == ["card-sticks"]
    bench.ready(1, 2)
    bench.draw(15)
    assert bench.state.phase == "dealt"


def test_13_f_a_table_that_is_dealt_from_the_hand_uses_no_other_way_when_its_shuffler_fails(
    poker_of: Make,
) -> None:
    bench = poker_of("663a", "hand")
    bench.fault("shuffler-1", "unusable=motor")
    bench.run(1.0)
    bench.ready(1, 2)
    bench.hands_out(3)
    assert bench.rulings("other-method-before-sign") == []


def test_671a_13_a_a_manual_shoe_that_sees_no_faces_told_of_the_face_up_card_too(poker_of: Make) -> None:
    bench = poker_of("671a", "manual-shoe")
    bench.ready(1, 2)
    bench.draw(3)
    bench.report("card-face-up")
    bench.draw(13)
    assert ([one.row for one in bench.rulings()], bench.state.phase) == (["face-up-card"], "dealt")
    assert (bench.state.decks["red"].places["table"], bench.state.decks["red"].places["discard"]) == (15, 1)


@pytest.mark.rule("card-drawn-in-error")
def test_671a_13_b_a_card_drawn_too_early_is_the_next_one(poker_of: Make) -> None:
    bench = poker_of("671a", "manual-shoe")
    bench.ready(1, 2)
    bench.draw(16)
    bench.report("card-drawn-in-error")
    assert bench.rulings("card-drawn-in-error")[0].directives == ("use-as-next",)


# ---- dealt from the hand while another deck lies in a shoe that failed ------------------------------------


def dead_shoe(bench: PokerBench) -> None:
    """Red stays in a shoe that failed and is covered; blue is dealt from the hand."""
    bench.inject("shoe-1", "fault", code="motor", where="drive")
    bench.command(commands.Sign(device="shoe-1", sign="covered"))
    bench.command(commands.Method(deal="hand"))
    bench.hand = bench.take_from_shuffler()
    bench.ready(1, 2)


@pytest.mark.parametrize(
    ("word", "row"),
    [
        ("dealers-card-exposed", "dealers-card-exposed"),
        ("cards-face-up", "face-up-cards-in-hand-deal"),
        ("wrong-number", "wrong-number-after-deal"),
    ],
)
@pytest.mark.parametrize("dealt", [False, True])
def test_671a_13_a_c_d_what_voids_a_deal_from_the_hand_binds_the_deck_in_the_hand(
    poker_of: Make, word: str, row: str, *, dealt: bool
) -> None:
    bench = poker_of("671a")
    dead_shoe(bench)
    if dealt:
        bench.report("cards-dealt", deck="blue")
        bench.report("decisions-locked")
    bench.report(word)
    assert bench.state.round.void == row
    assert {one for one in bench.holds() if one[0] == row} == {(row, "blue")}


def test_671a_13_d_the_other_deck_in_the_shuffler_is_not_held(poker_of: Make) -> None:
    bench = poker_of("671a", "hand")
    bench.ready(1, 2)
    bench.report("dealers-card-exposed")
    assert bench.holds() == {("dealers-card-exposed", "red")}


def test_671a_13_d_where_both_decks_are_in_the_hand_either_may_be_dealt(poker_of: Make) -> None:
    bench = poker_of("671a", "hand")
    bench.take_from_shuffler()
    bench.ready(1, 2)
    bench.report("dealers-card-exposed")
    assert {deck for _, deck in bench.holds()} == {"red", "blue"}


# ---- what is told, and was not -----------------------------------------------------------------------------


@pytest.mark.rule("deck-dealt-twice-running")
@pytest.mark.parametrize(
    "chapter", ["663a", *(pytest.param(one, marks=pytest.mark.long) for one in ("671a", "687a"))]
)
def test_3_b_3_the_same_deck_dealt_from_the_hand_twice_running_is_told(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "hand")
    bench.play(1, 2)
    bench.take_from_shuffler()
    bench.shuffle(bench.rack)
    bench.take_from_shuffler()
    bench.ready(1, 2)
    bench.report("cards-dealt", deck="red")
    ruling = bench.rulings("deck-dealt-twice-running")[0]
    assert (ruling.cite, ruling.directives) == ((f"{chapter}.3(b)(3)",), ("alternate-decks",))


@pytest.mark.rule("other-deck-not-in-shuffler")
@pytest.mark.parametrize(
    "chapter", ["663a", *(pytest.param(one, marks=pytest.mark.long) for one in ("671a", "687a"))]
)
def test_3_b_2_the_other_deck_outside_the_shuffler_is_told_when_the_deal_is(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter, "hand")
    bench.take_from_shuffler()
    bench.ready(1, 2)
    bench.hands_out(3)
    assert bench.only_ruling("other-deck-not-in-shuffler").cite == (f"{chapter}.3(b)(2)",)


@pytest.mark.parametrize("chapter", ["663a", "671a"])
def test_13_a_a_second_face_up_card_has_a_report_of_its_own(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "hand")
    bench.ready(1, 2)
    bench.report("card-face-up")
    assert bench.refused_report("card-face-up").endswith("if this is another one, report cards-face-up")
    bench.report("cards-face-up")
    assert bench.state.round.void == "face-up-cards-in-hand-deal"


@pytest.mark.rule("shuffler-jam", chapters=("663a",))
def test_13_d_a_jammed_deck_that_is_shuffled_again_and_then_counted_is_free(poker_of: Make) -> None:
    bench = poker_of("663a", shuffler=COUNTS_NOTHING)
    bench.play(1, 2)
    bench.change_over("jam")
    cards = bench.shuffler.clear_jam(bench.now)
    bench.run(1.0)
    bench.shuffle(cards)
    assert ("shuffler-jam", "red") in bench.holds()
    bench.take_from_shuffler()
    bench.count(52, "deck")
    assert ("shuffler-jam", "red") not in bench.holds()
