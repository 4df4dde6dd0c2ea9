"""663a, 671a, 687a .3 to .5: decks that alternate, grow old, are prepared, shuffled and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.table import inhibits
from felt_protocols import commands
from felt_protocols.events import deck, system
from felt_simulators.devices.shoe_build import ShoeBuild

from .poker_bench import PokerBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., PokerBench]

TOTAL = {"663a": 52, "671a": 52, "687a": 53}
# One chapter in every run, and the two others, which have these rows from the same parts, in the long one.
CHAPTERS = pytest.mark.parametrize(
    "chapter",
    ["663a", pytest.param("671a", marks=pytest.mark.long), pytest.param("687a", marks=pytest.mark.long)],
)


def over(bench: PokerBench) -> PokerBench:
    """A sound round is over, its cards in the rack, the other deck in the shuffler."""
    play(bench)
    assert bench.rulings() == []
    return bench


def play(bench: PokerBench) -> None:
    """A round for positions 1 and 2, as this game has it."""
    bench.ready(1, 2)
    bench.hands_out(3)
    if bench.chapter == "671a":
        bench.report("decisions-locked")
    bench.take_stub()
    bench.end_round()


@CHAPTERS
@pytest.mark.rule("deck-not-alternated", "batch-not-proved")
def test_3_b_3_the_same_deck_twice_running_is_held_out_of_the_shoe(poker_of: Make, chapter: str) -> None:
    bench = over(poker_of(chapter))
    bench.take_from_shuffler()
    bench.shuffle(bench.rack)
    bench.to_shoe()
    assert [(one.row, one.cite) for one in bench.rulings()] == [
        ("batch-not-proved", ()),
        ("deck-not-alternated", (f"{chapter}.3(b)(3)",)),
    ]
    assert bench.holds() == {("deck-not-alternated", "red")}


@CHAPTERS
@pytest.mark.rule("two-decks-in-rack", "other-deck-not-in-shuffler")
def test_3_b_2_and_4_the_other_deck_is_in_the_shuffler_and_not_in_the_rack(
    poker_of: Make, chapter: str
) -> None:
    bench = over(poker_of(chapter))
    bench.to_shoe()
    bench.ready(1, 2)
    bench.deal(3)
    bench.take_stub()
    assert [(one.row, one.cite) for one in bench.rulings()] == [
        ("other-deck-not-in-shuffler", (f"{chapter}.3(b)(2)",)),
        ("two-decks-in-rack", (f"{chapter}.3(b)(4)",)),
    ]


@CHAPTERS
@pytest.mark.rule("other-deck-not-kept-in-shuffler")
def test_3_b_2_a_manual_shoe_shows_it_as_well(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "manual-shoe")
    bench.take_from_shuffler()
    bench.ready(1, 2)
    bench.draw(2)
    assert bench.only_ruling("other-deck-not-kept-in-shuffler").cite == (f"{chapter}.3(b)(2)",)


@CHAPTERS
@pytest.mark.rule("dealt-unshuffled", "sorted-not-shuffled")
def test_5_a_a_deck_that_was_sorted_is_not_shuffled(poker_of: Make, chapter: str) -> None:
    bench = over(poker_of(chapter))
    bench.shuffler.switch_mode("sort", bench.now)
    bench.change_over()
    assert bench.only_ruling("sorted-not-shuffled").cite == (f"{chapter}.5(a)",)
    assert bench.holds() == {("sorted-not-shuffled", "red")}
    play(bench)
    bench.to_shoe()
    assert bench.rulings()[-1].row == "dealt-unshuffled"
    assert bench.rulings()[-1].cite == (f"{chapter}.5(a)",)


@CHAPTERS
@pytest.mark.rule("shuffle-ordered")
def test_5_a_a_floorpersons_order_to_shuffle_holds_the_next_deal(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    bench.command(commands.Order(what="shuffle"))
    assert bench.only_ruling("shuffle-ordered").cite == (f"{chapter}.5(a)",)
    bench.ready(1)
    assert bench.permits("shoe-1") == []


@CHAPTERS
@pytest.mark.rule("wrong-count-removes-deck")
def test_5_b_a_deck_that_a_counting_shuffler_finds_wrong_leaves_the_table(
    poker_of: Make, chapter: str
) -> None:
    bench = over(poker_of(chapter))
    bench.change_over("miscount=-1")
    ruling = bench.only_ruling("wrong-count-removes-deck")
    assert (ruling.cite, ruling.subject_id) == ((f"{chapter}.5(b)",), "red")
    assert ruling.directives == ("remove-deck", "search-device")
    # No other count helps it: this deck is gone.
    bench.take_from_shuffler()
    bench.count(TOTAL[chapter], "deck")
    assert bench.holds() == {("wrong-count-removes-deck", "red")}
    bench.command(commands.ChangeDeck(deck="red"))
    assert bench.holds() == set()


@pytest.mark.rule("shuffler-count-wrong")
def test_663a_5_g_a_wrong_count_of_a_device_that_reshuffles_by_itself_is_a_doubt(poker_of: Make) -> None:
    bench = over(poker_of("663a", elections={"self_reshuffling": "yes"}))
    bench.change_over("miscount=1")
    ruling = bench.only_ruling("shuffler-count-wrong")
    assert (ruling.basis, ruling.cite) == ("own", ())
    bench.take_from_shuffler()
    bench.count(52, "deck")
    assert bench.holds() == set()


@pytest.mark.parametrize(
    ("chapter", "cite"),
    [
        ("663a", ()),
        ("671a", ("671a.5(c)(2)", "671a.5(d)")),
        pytest.param("687a", ("687a.5(c)(2)", "687a.5(d)"), marks=pytest.mark.long),
    ],
)
@pytest.mark.rule("preshuffled-deck-cut")
def test_5_c_2_a_preshuffled_deck_is_cut_too(poker_of: Make, chapter: str, cite: tuple[str, ...]) -> None:
    bench = over(poker_of(chapter))
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    ruling = bench.only_ruling("preshuffled-deck-cut")
    assert (ruling.cite, ruling.effect, ruling.directives) == (cite, "advise", ("cut-deck",))
    # It comes between rounds: that it is not cut yet is told until it is dealt.
    assert bench.holds() == {("preshuffled-deck-cut", "red")}
    bench.command(commands.ChangeDeck(deck="red"))
    assert bench.holds() == set()


@CHAPTERS
@pytest.mark.rule("deck-too-old-for-the-hand")
def test_3_c_1_who_goes_over_to_the_hand_changes_a_deck_of_four_hours_first(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    # No deck is so old yet, and then one is, and cards go on to come from a shoe.
    bench.command(commands.Method(deal="hand"))
    bench.command(commands.Method(deal="automated-shoe"))
    bench.take(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    bench.command(commands.Sign(device="shoe-1", sign="out-of-order"))
    bench.command(commands.Method(deal="manual-shoe"))
    assert bench.rulings() == []
    bench.command(commands.Method(deal="hand"))
    assert bench.only_ruling("deck-too-old-for-the-hand").cite == (f"{chapter}.3(c)(1)",)
    assert bench.holds() == {("deck-too-old-for-the-hand", "red")}


@CHAPTERS
@pytest.mark.rule("deck-too-old", "deck-age-unknown")
def test_3_c_2_a_deck_of_eight_hours_is_changed(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    assert bench.state.timers["deck-age/red"].after_s == 8 * 3600
    bench.take(system.TimerUnknown(timer="deck-age/blue"))
    ruling = bench.only_ruling("deck-age-unknown")
    assert (ruling.basis, ruling.directives) == ("own", ("change-old-decks",))
    bench.take(system.TimerDue(timer="deck-age/red", overdue_s=0))
    assert bench.rulings("deck-too-old")[0].cite == (f"{chapter}.3(c)(2)",)
    bench.ready(1)
    assert bench.permits("shoe-1") == []


@CHAPTERS
@pytest.mark.rule("deck-too-old-by-hand")
def test_3_c_1_dealt_from_the_hand_a_deck_is_changed_after_four_hours(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter, "hand")
    assert bench.state.timers["deck-age-by-hand/red"].after_s == 4 * 3600
    bench.take(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    assert bench.only_ruling("deck-too-old-by-hand").cite == (f"{chapter}.3(c)(1)",)


@CHAPTERS
@pytest.mark.rule("deck-not-prepared", "held-deck-dealt", "dealt-unshuffled")
def test_4_and_5_f_a_deck_dealt_by_hand_is_prepared_and_shuffled_and_not_held(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter, "hand")
    bench.command(commands.ChangeDeck(deck="red"))
    bench.command(commands.Order(what="reshuffle", deck="red"))
    bench.ready(1)
    bench.report("cards-dealt", deck="red")
    assert {one.row for one in bench.rulings()} == {
        "shuffle-ordered",
        "dealt-unshuffled",
        "held-deck-dealt",
        "deck-not-prepared",
    }
    steps = (f"{chapter}.4(a)", f"{chapter}.4(b)", f"{chapter}.4(c)", f"{chapter}.5(f)")
    assert bench.rulings("deck-not-prepared")[0].cite == steps


@CHAPTERS
@pytest.mark.rule("preshuffled-deck-cut")
def test_5_c_a_preshuffled_deck_is_dealt_by_hand_though_people_are_reminded_of_its_cut(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter, "hand")
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    assert ("preshuffled-deck-cut", "red") in bench.holds()
    bench.take(system.TimerUnknown(timer="deck-age/red"))
    bench.ready(1)
    bench.report("cards-dealt", deck="red")
    assert bench.rulings("held-deck-dealt") == []


@pytest.mark.rule("opening")
@CHAPTERS
def test_4_a_to_c_the_table_opens_when_every_deck_is_prepared(poker_of: Make, chapter: str) -> None:
    bench = PokerBench(chapter)
    bench.until(lambda: all(one.link == "ready" for one in bench.state.devices.values()))
    bench.bring("red")
    assert "no cards yet for blue" in bench.refused(commands.OpenTable())
    bench.command(commands.ChangeDeck(deck="blue"))
    steps = f"({chapter}.4(a), {chapter}.4(b), {chapter}.4(c), {chapter}.4(d))"
    assert f"deck blue is not prepared {steps}" in bench.refused(commands.OpenTable())
    bench.command(commands.ChangeDeck(deck="blue", preshuffled=True))
    bench.command(commands.OpenTable())
    assert poker_of(chapter).state.table == "open"


@CHAPTERS
def test_5_f_at_an_idle_table_the_cards_lie_spread_until_a_player_has_looked(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    bench.rack = bench.shoe.remove_rest(bench.now)
    bench.run(0.5)
    bench.report("cards-spread")
    assert (bench.state.table, bench.state.decks["red"].shuffled) == ("idle", False)
    assert bench.refused_report("play-resumes", "tech").startswith("play-resumes is reported by")
    for step in ("player-looked", "deck-washed"):
        bench.report(step, deck="red")
    bench.report("play-resumes")
    assert (bench.state.table, bench.state.phase) == ("open", "betting")


@CHAPTERS
@pytest.mark.rule("cards-left-inside", "shoe-count-wrong")
def test_sixteen_cards_left_in_the_shuffler_hold_the_deck(poker_of: Make, chapter: str) -> None:
    bench = over(poker_of(chapter, shoe=ShoeBuild(size=5, counts_loading=True)))
    bench.fault("shuffler-1", "cards-left=16")
    bench.to_shoe()
    assert [one.row for one in bench.rulings()] == ["cards-left-inside", "shoe-count-wrong"]
    assert bench.rulings()[-1].directives == ("count-deck", "search-device")
    assert bench.holds() == {("cards-left-inside", "blue"), ("shoe-count-wrong", "blue")}


@CHAPTERS
@pytest.mark.rule("counts-contradict", "hand-count-wrong")
def test_a_hand_count_against_the_shufflers_holds_both_decks(poker_of: Make, chapter: str) -> None:
    bench = poker_of(chapter)
    bench.take_from_shuffler()
    bench.count(TOTAL[chapter] - 1, "deck", "blue")
    told = bench.only_ruling("counts-contradict").directives
    assert told == ("settle-conflict", "search-device", "count-deck")
    assert bench.holds() == {("counts-contradict", "blue"), ("counts-contradict", "red")}
    bench.command(commands.ChangeDeck(deck="blue"))
    # A deck that no shuffler has counted yet: the hand alone finds it wrong.
    bench.count(TOTAL[chapter] - 1, "deck", "blue")
    assert bench.rulings("hand-count-wrong")[0].subject_id == "blue"


@CHAPTERS
@pytest.mark.rule("report-contradicts-shuffler", "empty-shuffler-jam", "red-light")
def test_a_jam_that_the_shuffler_does_not_show_is_settled_by_an_inspection(
    poker_of: Make, chapter: str
) -> None:
    bench = poker_of(chapter)
    bench.fault("shuffler-1", "light=red")
    bench.run(1.0)
    bench.report("shuffler-jam")
    bench.take_from_shuffler()
    bench.report("shuffler-jam")
    assert [one.row for one in bench.rulings()] == [
        "red-light",
        "shuffler-jam",
        "report-contradicts-shuffler",
        "empty-shuffler-jam",
    ]
    bench.command(commands.Inspect(device="shuffler-1", result="in-order"), "tech")
    assert {row for row, subject in bench.holds() if subject == "shuffler-1"} == set()


def test_687a_3_a_the_joker_counts_as_a_card_of_the_deck(poker_of: Make) -> None:
    bench = poker_of("687a")
    assert bench.rows_of(deck.ShuffleCompleted)[0].count == 53
    assert sum(bench.state.decks["red"].places.values()) == 53


@pytest.mark.rule("dealt-unshuffled", chapters=("663a",))
def test_a_deck_that_is_held_as_it_goes_into_an_open_shoe_is_not_dealt(poker_of: Make) -> None:
    bench = poker_of("663a")
    bench.ready(1, 2)
    assert inhibits(bench.state) == {}
    bench.take_rest()
    bench.command(commands.ChangeDeck(deck="red"))
    bench.shoe.load(bench.cards["red"], bench.now)
    bench.run(0.5)
    assert ("dealt-unshuffled", "red") in bench.holds()
    assert inhibits(bench.state) == {"shoe-1": "permit-withdrawn"}
