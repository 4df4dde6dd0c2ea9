"""687a.8(g) and (i), .9(f) and (h), .10(d) and (f): the stub of DJ Wild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_simulators.devices.shuffler_build import ShufflerBuild

from . import stub_trials as stubs

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

COUNTS_NOTHING = ShufflerBuild(shuffle_s=6.0, counts=False)


@pytest.mark.parametrize(
    ("deal", "row", "cite", "right"),
    [
        pytest.param(
            "manual-shoe",
            "stub-count-due-manual-shoe",
            "687a.8(g)",
            37,
            marks=[pytest.mark.long, pytest.mark.rule("stub-count-due-manual-shoe")],
        ),
        pytest.param(
            "hand",
            "stub-count-due-hand",
            "687a.9(f)",
            37,
            marks=[pytest.mark.long, pytest.mark.rule("stub-count-due-hand")],
        ),
        pytest.param(
            "automated-shoe",
            "stub-count-due-automated-shoe",
            "687a.10(d)",
            38,
            marks=[pytest.mark.long, pytest.mark.rule("stub-count-due-automated-shoe")],
        ),
    ],
)
def test_687a_8_g_9_f_10_d_without_a_counting_shuffler_the_stub_is_counted_in_every_fifth_round(
    poker_of: Make, deal: str, row: str, cite: str, right: int
) -> None:
    bench = poker_of("687a", deal, shuffler=COUNTS_NOTHING)
    stubs.counted_in_the_fifth_round(bench, row, cite, right)


@pytest.mark.parametrize(
    ("deal", "row", "cite"),
    [
        pytest.param(
            "manual-shoe",
            "stub-not-counted-manual-shoe",
            "687a.8(g)",
            marks=[pytest.mark.long, pytest.mark.rule("stub-not-counted-manual-shoe")],
        ),
        pytest.param(
            "hand",
            "stub-not-counted-hand",
            "687a.9(f)",
            marks=pytest.mark.rule("stub-not-counted-hand"),
        ),
        pytest.param(
            "automated-shoe",
            "stub-not-counted-automated-shoe",
            "687a.10(d)",
            marks=[pytest.mark.long, pytest.mark.rule("stub-not-counted-automated-shoe")],
        ),
    ],
)
def test_687a_8_g_9_f_10_d_after_five_rounds_without_a_count_the_whole_deck_is_counted(
    poker_of: Make, deal: str, row: str, cite: str
) -> None:
    bench = poker_of("687a", deal, shuffler=COUNTS_NOTHING)
    stubs.not_counted_in_five_rounds(bench, row, cite, total=53)


@pytest.mark.parametrize(
    ("deal", "row", "cite"),
    [
        pytest.param(
            "manual-shoe",
            "stub-count-wrong-manual-shoe",
            "687a.8(i)",
            marks=pytest.mark.rule("stub-count-wrong-manual-shoe"),
        ),
        pytest.param(
            "hand",
            "stub-count-wrong-hand",
            "687a.9(h)",
            marks=pytest.mark.rule("stub-count-wrong-hand"),
        ),
        pytest.param(
            "automated-shoe",
            "stub-count-wrong-automated-shoe",
            "687a.10(f)",
            marks=pytest.mark.rule("stub-count-wrong-automated-shoe"),
        ),
    ],
)
@pytest.mark.rule("not-misdealt-deck-leaves")
def test_687a_8_i_9_h_10_f_a_wrong_stub_voids_the_round_and_takes_the_deck_away(
    poker_of: Make, deal: str, row: str, cite: str
) -> None:
    stubs.wrong_and_not_misdealt(poker_of("687a", deal), row, cite, wrong=36)


@pytest.mark.rule("misdealt-deck-stays", "stub-count-wrong-hand")
def test_687a_8_i_9_h_10_f_a_deck_that_was_misdealt_and_has_53_cards_stays(poker_of: Make) -> None:
    cites = ("687a.8(i)", "687a.9(h)", "687a.10(f)")
    stubs.wrong_and_misdealt(poker_of("687a", "hand"), "stub-count-wrong-hand", cites, wrong=36)


@pytest.mark.rule("stub-count-doubtful")
def test_a_stub_that_the_shoe_counts_wrong_waits_for_the_dealers_count(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.deal(3)
    bench.fault("shoe-1", "miscount=-1")
    bench.take_stub()
    assert bench.only_ruling("stub-count-doubtful").directives == ("count-stub",)
    # The replacement card was laid from it meanwhile.
    bench.count(37)
    assert bench.holds() == set()


@pytest.mark.rule("wrong-number-and-wrong-stub-automated-shoe", "wrong-number-of-cards")
def test_a_wrong_stub_of_a_round_that_is_void_already_has_the_deck_counted(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.ready(1, 2)
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    bench.fault("shoe-1", "miscount=-1")
    bench.take_stub()
    # That the other deck is whole says nothing of this one.
    bench.take_from_shuffler()
    bench.count(53, "deck", deck="blue")
    assert bench.rulings("wrong-number-and-wrong-stub-automated-shoe") == []
    bench.count(48)
    assert ("wrong-number-and-wrong-stub-automated-shoe", "red") in bench.holds()
    bench.command(commands.ReleaseRound())
    bench.count(53, "deck")
    assert bench.holds() == {("wrong-number-of-cards", "red")}


@pytest.mark.parametrize("deal", ["manual-shoe", "hand"])
@pytest.mark.rule("wrong-number-and-wrong-stub", "wrong-number-after-deal")
def test_687a_8_f_and_9_e_the_replacement_card_is_dealt_and_excuses_no_card_of_a_void_round(
    poker_of: Make, deal: str
) -> None:
    bench = poker_of("687a", deal)
    bench.ready(1, 2)
    if deal == "hand":
        bench.hands_out(3)
    else:
        bench.draw(16)
        bench.take_stub()
    bench.report("wrong-number")
    # Fifteen cards and the replacement card of 53 are out.
    bench.count(37)
    assert bench.rulings("wrong-number-and-wrong-stub") == []
    bench.count(36)
    assert bench.rulings("wrong-number-and-wrong-stub")[0].directives == ("count-deck",)


def void_after_the_deal(bench: PokerBench) -> None:
    """All hands come out of the automated shoe, and one of them is found to be wrong."""
    bench.deal(3)
    bench.take_stub()
    bench.report("wrong-number")


@pytest.mark.rule("wrong-number-and-wrong-stub-automated-shoe", "wrong-number-after-deal")
def test_687a_10_c_the_replacement_card_of_a_void_round_is_laid_for_a_progressive_wager(
    poker_of: Make,
) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    void_after_the_deal(bench)
    row = "wrong-number-and-wrong-stub-automated-shoe"
    for right in (38, 37):
        bench.count(right)
    assert bench.rulings(row) == []
    bench.count(36)
    assert bench.rulings(row)[0].directives == ("count-deck",)
    other = poker_of("687a")
    other.ready(1, 2)
    void_after_the_deal(other)
    other.count(37)
    assert len(other.rulings(row)) == 1


@pytest.mark.rule("wrong-number-and-wrong-stub-automated-shoe", "wrong-number-of-cards")
def test_687a_10_c_no_replacement_card_is_laid_before_every_hand_is_out(poker_of: Make) -> None:
    bench = poker_of("687a")
    bench.lay_wager(1)
    bench.ready(1, 2)
    bench.start_game()
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    bench.take_stub()
    bench.count(48)
    assert len(bench.rulings("wrong-number-and-wrong-stub-automated-shoe")) == 1


@pytest.mark.rule("wrong-number-and-wrong-stub", "wrong-number-after-deal")
def test_687a_10_c_where_no_progressive_is_offered_no_card_is_excused(poker_of: Make) -> None:
    bench = poker_of("687a", elections={"progressive_twos": "not-offered"})
    bench.ready(1, 2)
    void_after_the_deal(bench)
    bench.count(38)
    assert bench.rulings("wrong-number-and-wrong-stub") == []
    bench.count(37)
    assert len(bench.rulings("wrong-number-and-wrong-stub")) == 1
