"""659a.3(b) and 659a.5(a): two decks that alternate, each shuffled after its round; and what counts say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import deck, incident, system
from felt_simulators.devices.shoe_build import ShoeBuild

if TYPE_CHECKING:
    from collections.abc import Callable

    from .felt_bench import Bench


HOUR_S = 3600


@pytest.mark.rule("deck-not-alternated")
def test_659a_3_b_3_the_same_deck_twice_running_is_held_out_of_the_shoe(opened: Bench) -> None:
    opened.finish_round()
    opened.take_from_shuffler()
    # The other deck is put aside, and the one just played is shuffled and dealt again.
    opened.shuffle(opened.rack)
    opened.rack = []
    opened.to_shoe()
    assert [one.row for one in opened.rulings()] == ["batch-not-proved", "deck-not-alternated"]
    assert opened.rulings()[-1].cite == ("659a.3(b)(3)",)
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1
    opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    assert opened.holds() == set()


@pytest.mark.rule("two-decks-in-rack", "other-deck-not-in-shuffler")
def test_659a_3_b_4_cards_of_both_decks_in_the_rack_are_told(opened: Bench) -> None:
    opened.finish_round()
    # The first deck stays in the rack while the other is dealt.
    opened.to_shoe()
    opened.ready_to_deal()
    opened.deal()
    opened.take_rest()
    assert [one.row for one in opened.rulings()] == ["other-deck-not-in-shuffler", "two-decks-in-rack"]
    ruling = opened.rulings()[-1]
    assert ruling.cite == ("659a.3(b)(4)",)
    assert ruling.directives == ("one-deck-in-rack",)


@pytest.mark.rule("preshuffled-deck-cut")
def test_659a_5_b_2_a_preshuffled_deck_is_cut_before_it_is_dealt(opened: Bench) -> None:
    opened.finish_round()
    opened.command(commands.ChangeDeck(deck="red", preshuffled=True))
    ruling = opened.only_ruling("preshuffled-deck-cut")
    assert (ruling.cite, ruling.effect) == (("659a.5(b)(2)", "659a.5(c)"), "advise")
    assert ruling.directives == ("cut-deck",)
    opened.shoe.load(opened.rack, opened.now)
    opened.rack = []
    opened.ready_to_deal()
    # It keeps no gate closed: no device sees a cut, and that it waits is told until the first card is out.
    assert len(opened.permits("shoe-1")) == 2
    assert opened.holds() == {("preshuffled-deck-cut", "red")}
    opened.deal(1)
    assert opened.holds() == set()


@pytest.mark.rule("dealt-unshuffled")
def test_659a_5_a_a_deck_that_never_went_through_a_shuffle_is_caught_before_its_first_card(
    opened: Bench,
) -> None:
    opened.finish_round()
    opened.shoe.load(opened.rack, opened.now)
    opened.run(0.5)
    assert [one.row for one in opened.rulings()] == ["dealt-unshuffled", "deck-not-alternated"]
    assert opened.rulings()[0].cite == ("659a.5(a)",)
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1
    assert opened.state.phase == "closed"


@pytest.mark.rule("sorted-not-shuffled", "dealt-unshuffled")
def test_659a_5_a_a_deck_that_was_sorted_is_not_shuffled(opened: Bench) -> None:
    opened.finish_round()
    opened.shuffler.switch_mode("sort", opened.now)
    opened.change_over()
    ruling = opened.only_ruling("sorted-not-shuffled")
    assert ruling.cite == ("659a.5(a)",)
    assert opened.holds() == {("sorted-not-shuffled", "red")}
    opened.finish_round()
    opened.to_shoe()
    assert opened.rulings()[-1].row == "dealt-unshuffled"
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 2


@pytest.mark.rule("shuffler-count-wrong")
@pytest.mark.parametrize("miscount", [-1, 1])
def test_a_wrong_count_of_the_shuffler_holds_its_deck_until_a_hand_count_of_53(
    opened: Bench, miscount: int
) -> None:
    opened.finish_round()
    opened.change_over(f"miscount={miscount}")
    ruling = opened.only_ruling("shuffler-count-wrong")
    assert (ruling.basis, ruling.cite, ruling.effect) == ("own", (), "no-new-round")
    assert opened.rows_of(deck.ShuffleCompleted)[-1].count == 53 + miscount
    assert opened.holds() == {("shuffler-count-wrong", "red")}
    # The other deck is playable.
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 2
    # The same shuffler counting right afterwards does not end it.
    cards = opened.take_from_shuffler()
    opened.shuffle(cards)
    assert opened.rows_of(deck.ShuffleCompleted)[-1].count == 53
    assert opened.holds() == {("shuffler-count-wrong", "red")}
    with pytest.raises(CommandRefused, match="red is in use"):
        opened.command(commands.CountCards(deck="red", count=53), "dealer")
    opened.take_from_shuffler()
    opened.command(commands.CountCards(deck="red", count=53), "dealer")
    assert opened.holds() == set()
    assert opened.rows_of(incident.HoldEnded)[-1].how == "reported"


@pytest.mark.rule("shuffler-count-wrong", "hand-count-wrong")
def test_a_hand_count_that_bears_a_wrong_count_out_is_a_trouble_of_its_own_until_all_are_there(
    opened: Bench,
) -> None:
    opened.finish_round()
    opened.change_over("lost-card=1")
    opened.take_from_shuffler()
    opened.command(commands.CountCards(deck="red", count=52), "dealer")
    assert [one.row for one in opened.rulings()] == ["shuffler-count-wrong", "hand-count-wrong"]
    assert opened.rulings()[-1].directives == ("search-device", "count-deck")
    # The card is found under the rail, and the deck is counted again: one count ends both.
    assert len(opened.shuffler.search_rail(opened.now)) == 1
    opened.command(commands.CountCards(deck="red", count=53), "dealer")
    assert opened.holds() == set()


@pytest.mark.rule("counts-contradict")
def test_a_hand_count_that_contradicts_the_shuffler_holds_both_decks_until_each_is_counted(
    opened: Bench,
) -> None:
    # The shuffler counted the deck in the shoe just now, all of it: one of the two counts is wrong.
    blue = opened.take_from_shuffler()
    opened.command(commands.CountCards(deck="blue", count=52), "dealer")
    ruling = opened.only_ruling("counts-contradict")
    assert (ruling.basis, ruling.directives[0]) == ("own", "settle-conflict")
    # The card that one count misses may lie in the other deck.
    assert opened.holds() == {("counts-contradict", "blue"), ("counts-contradict", "red")}
    opened.command(commands.CountCards(deck="blue", count=53), "dealer")
    assert opened.holds() == {("counts-contradict", "red")}
    red = opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    opened.command(commands.CountCards(deck="red", count=53), "dealer")
    assert opened.holds() == set()
    assert (len(blue), len(red)) == (53, 53)


@pytest.mark.rule("shuffler-count-wrong")
def test_a_deck_with_a_card_too_few_is_told_by_the_shuffler_that_counts_it(opened: Bench) -> None:
    opened.finish_round()
    opened.change_over("lost-card=1")
    assert opened.only_ruling("shuffler-count-wrong").subject_id == "red"
    assert opened.shuffler.truth["batches"][-1]["cards"]["count"] == 52
    opened.command(commands.ChangeDeck(deck="red"))
    assert opened.holds() == set()


@pytest.mark.rule("cards-left-inside", "shoe-count-wrong")
def test_sixteen_cards_left_in_the_shuffler_hold_the_deck(table_of: Callable[..., Bench]) -> None:
    bench = table_of(shoe=ShoeBuild(counts_loading=True))
    bench.open()
    bench.finish_round()
    bench.fault("shuffler-1", "cards-left=16")
    bench.to_shoe()
    assert [one.row for one in bench.rulings()] == ["cards-left-inside", "shoe-count-wrong"]
    assert bench.state.decks["blue"].places["shuffler"] == 16
    assert bench.state.decks["blue"].places["shoe"] == 37
    bench.ready_to_deal()
    assert len(bench.permits("shoe-1")) == 1
    assert bench.holds() == {("cards-left-inside", "blue"), ("shoe-count-wrong", "blue")}


@pytest.mark.rule("batch-not-proved")
def test_which_of_two_decks_was_loaded_is_not_taken_for_proved(bench: Bench) -> None:
    bench.until(lambda: all(one.link == "ready" for one in bench.state.devices.values()))
    bench.bring("red")
    bench.bring("blue")
    bench.command(commands.OpenTable())
    bench.load(bench.cards["blue"])
    ruling = bench.only_ruling("batch-not-proved")
    assert ruling.effect == "advise"
    mapped = bench.rows_of(deck.BatchMapped)[-1]
    assert mapped.proved is False
    assert all(not one.proved for one in bench.state.decks.values())


@pytest.mark.long
def test_cards_are_conserved_per_deck_through_ten_rounds(opened: Bench) -> None:
    for _ in range(10):
        opened.play_round()
        for one in opened.state.decks.values():
            assert sum(one.places.values()) == 53


@pytest.mark.rule("other-deck-not-in-shuffler")
def test_659a_3_b_2_the_other_deck_is_in_the_shuffler_while_one_is_dealt(opened: Bench) -> None:
    opened.take_from_shuffler()
    opened.ready_to_deal()
    opened.deal(2)
    ruling = opened.only_ruling("other-deck-not-in-shuffler")
    assert ruling.cite == ("659a.3(b)(2)",)
    assert (ruling.effect, ruling.directives) == ("advise", ("other-deck-to-shuffler",))
    opened.load(opened.cards["blue"])
    assert opened.state.round.notices == ()


def test_659a_3_b_2_a_shuffler_that_cannot_hold_a_deck_need_not(opened: Bench) -> None:
    opened.take_from_shuffler()
    opened.unplug("shuffler-1")
    opened.run(20.0)
    before = [one.row for one in opened.rulings()]
    opened.ready_to_deal()
    opened.deal(2)
    assert [one.row for one in opened.rulings()] == before


@pytest.mark.rule("shuffle-ordered")
@pytest.mark.parametrize("what", ["shuffle", "reshuffle"])
def test_659a_5_a_a_floorpersons_order_to_shuffle_holds_the_next_deal(opened: Bench, what: str) -> None:
    command = commands.Order.model_validate({"what": what})
    opened.command(command)
    ruling = opened.only_ruling("shuffle-ordered")
    assert ruling.cite == ("659a.5(a)",)
    assert (ruling.effect, ruling.subject_id, ruling.directives) == ("no-new-round", "red", ("reshuffle",))
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    red = opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    opened.to_shoe()
    # The other deck may be dealt meanwhile.
    assert len(opened.permits("shoe-1")) == 1
    opened.shuffle(red)
    assert opened.holds() == set()


def test_other_orders_of_the_floor_hold_nothing(opened: Bench) -> None:
    opened.command(commands.Order.model_validate({"what": "burn", "deck": "red"}))
    assert opened.rulings() == []


# ---- 659a.3(c): how long a deck may be at the table ---------------------------------------------------


def test_659a_3_c_a_decks_clocks_run_from_the_moment_it_came(opened: Bench) -> None:
    ages = {name: timer.after_s for name, timer in opened.state.timers.items() if name.startswith("deck")}
    assert ages == {
        "deck-age/red": 8 * HOUR_S,
        "deck-age-by-hand/red": 4 * HOUR_S,
        "deck-age/blue": 8 * HOUR_S,
        "deck-age-by-hand/blue": 4 * HOUR_S,
    }
    before = opened.state.timers["deck-age/red"].since
    rows = opened.command(commands.ChangeDeck(deck="red"))
    assert opened.state.timers["deck-age/red"].since == rows[0].at != before


@pytest.mark.rule("deck-too-old")
def test_659a_3_c_2_a_deck_of_eight_hours_finishes_its_round_and_is_changed(opened: Bench) -> None:
    opened.ready_to_deal()
    opened.take(system.TimerDue(timer="deck-age/red", overdue_s=0))
    ruling = opened.only_ruling("deck-too-old")
    assert ruling.cite == ("659a.3(c)(2)",)
    assert (ruling.subject_id, ruling.directives) == ("red", ("change-deck",))
    opened.deal()
    opened.take_rest()
    opened.cover_and_shake_once()
    opened.end_round()
    opened.change_over()
    # The other deck is not too old, and is dealt.
    opened.finish_round()
    opened.to_shoe()
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 2
    assert opened.holds() == {("deck-too-old", "red")}
    opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    opened.bring("red")
    assert opened.holds() == set()


@pytest.mark.rule("deck-too-old-by-hand")
def test_659a_3_c_1_dealt_from_the_hand_a_deck_is_changed_after_four_hours(opened: Bench) -> None:
    opened.command(commands.Method(deal="hand"))
    opened.take(system.TimerDue(timer="deck-age-by-hand/blue", overdue_s=0))
    assert opened.only_ruling("deck-too-old-by-hand").cite == ("659a.3(c)(1)",)
    assert opened.holds() == {("deck-too-old-by-hand", "blue")}


@pytest.mark.rule("deck-too-old-for-the-hand")
def test_659a_3_c_1_who_goes_over_to_the_hand_changes_a_deck_of_four_hours_first(opened: Bench) -> None:
    opened.take(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    assert opened.holds() == set()
    opened.command(commands.Sign(device="shoe-1", sign="out-of-order"))
    opened.command(commands.Method(deal="hand"))
    ruling = opened.only_ruling("deck-too-old-for-the-hand")
    assert (ruling.cite, ruling.effect) == (("659a.3(c)(1)",), "no-new-round")
    assert ruling.directives == ("change-old-decks",)
    # The other deck came later.
    assert opened.holds() == {("deck-too-old-for-the-hand", "red")}
    # From a shoe it may go on, and goes over to the hand once more.
    opened.command(commands.Method(deal="manual-shoe"))
    assert opened.holds() == set()
    opened.command(commands.Method(deal="hand"))
    assert opened.holds() == {("deck-too-old-for-the-hand", "red")}
    opened.take_rest()
    opened.command(commands.ChangeDeck(deck="red"))
    assert opened.holds() == set()


@pytest.mark.rule("deck-too-old-for-the-hand", "deck-too-old-by-hand")
def test_659a_3_c_1_a_deck_is_held_once_for_its_four_hours_whatever_else_the_house_chooses(
    opened: Bench,
) -> None:
    opened.take(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    opened.command(commands.Method(deal="hand"))
    opened.take(system.TimerDue(timer="deck-age-by-hand/blue", overdue_s=0))
    once = [("deck-too-old-for-the-hand", "red"), ("deck-too-old-by-hand", "blue")]
    for start in ("generator", "shaker"):
        opened.command(commands.Method(start=start))
        assert [(hold.row, hold.subject_id) for hold in opened.state.holds.values()] == once
    assert [one.row for one in opened.rulings()] == [row for row, _deck in once]


@pytest.mark.rule("deck-too-old-by-hand", "deck-too-old-for-the-hand")
def test_659a_3_c_2_a_deck_of_four_hours_goes_on_from_a_shoe_and_is_changed_for_the_hand(
    opened: Bench,
) -> None:
    opened.command(commands.Method(deal="hand"))
    opened.take(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    assert opened.holds() == {("deck-too-old-by-hand", "red")}
    opened.command(commands.Method(deal="manual-shoe"))
    assert opened.holds() == set()
    opened.command(commands.Method(deal="hand"))
    assert opened.holds() == {("deck-too-old-for-the-hand", "red")}


def test_659a_3_c_2_four_hours_are_no_age_for_a_deck_that_comes_from_a_shoe(opened: Bench) -> None:
    opened.take(system.TimerDue(timer="deck-age-by-hand/blue", overdue_s=0))
    opened.command(commands.Method(deal="manual-shoe"))
    opened.take(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    assert opened.rulings() == []


@pytest.mark.rule("deck-age-unknown")
def test_a_deck_whose_age_nobody_can_tell_is_advised_on_once_and_holds_nothing(opened: Bench) -> None:
    for clock in ("deck-age", "deck-age-by-hand"):
        opened.take(system.TimerUnknown(timer=f"{clock}/red"))
    assert opened.only_ruling("deck-age-unknown").effect == "advise"
    opened.ready_to_deal()
    assert len(opened.permits("shoe-1")) == 1
    opened.command(commands.ChangeDeck(deck="red"))
    assert opened.holds() == set()


@pytest.mark.rule("deck-age-unknown", "dice-too-old")
def test_659a_3_c_old_dice_say_nothing_of_a_decks_age(opened: Bench) -> None:
    opened.take(system.TimerUnknown(timer="deck-age/red"))
    opened.take(system.TimerDue(timer="dice-age/shaker-1", overdue_s=0))
    assert opened.holds() == {("deck-age-unknown", "red"), ("dice-too-old", "shaker-1")}
    opened.take(system.TimerDue(timer="deck-age/red", overdue_s=0))
    assert opened.holds() == {("deck-too-old", "red"), ("dice-too-old", "shaker-1")}
