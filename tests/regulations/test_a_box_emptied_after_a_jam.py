"""A continuous shuffler whose feeder was cleared, and that was emptied before the cards went back."""

from __future__ import annotations

from felt_protocols import commands
from felt_protocols.events import deck

from .shoe_bench import ENDLESS, ShoeBench


def test_all_cards_of_a_box_that_was_cleared_and_then_emptied_are_in_it_again() -> None:
    bench = ShoeBench("686a", deal=ENDLESS)
    bench.open_endless()
    bench.begin(1)
    bench.draw(3)
    bench.end_round()
    # Two of four cards go in, the others are taken out of the feeder, and then all cards out of the box.
    bench.fault("shoe-1", "jam=3")
    cards = list(bench.rack)
    bench.put_back(cards)
    cards = [*bench.shoe.clear_jam(bench.now), *bench.shoe.remove_all(bench.now)]
    bench.run(0.5)

    bench.put_back(cards)

    assert bench.places() == {"shuffler": 312}
    assert bench.rulings("continuous-count-wrong") == []


def test_cards_that_the_box_did_not_count_out_are_counted_by_hand_once_it_is_emptied() -> None:
    bench = ShoeBench("686a", deal=ENDLESS)
    bench.open_endless()
    bench.command(commands.CloseTable())
    cards = [*bench.shoe.remove_all(bench.now), *bench.rack]
    bench.run(0.5)
    # Four of 312 go in; people take the others out of the feeder, and then four out of the box.
    bench.fault("shoe-1", "jam=5")
    bench.put_back(cards)
    cards = [*bench.shoe.clear_jam(bench.now)]
    bench.run(0.5)
    count = commands.CountCards(deck="red", count=312)
    # As long as the box does not tell that it was emptied, some are in it.
    assert bench.refused(count) == "red is in use; take all its cards out of devices and off the table first"
    assert bench.refused_report("deck-inspected", deck="red").endswith("red is in shoe-1; take it out first")
    cards += bench.shoe.remove_all(bench.now)
    bench.run(0.5)
    assert len(cards) == 312
    # A count of nothing inside says the same.
    bench.take(deck.InsideCounted(device="shoe-1", count=0))

    bench.command(count)
    bench.report("deck-inspected", deck="red")

    assert bench.places() == {"hand": 312}
    # What goes in again is in it again.
    bench.put_back(cards)
    assert bench.refused(count).startswith("red is in use")


def test_a_box_that_counts_cards_inside_is_no_emptied_one() -> None:
    bench = ShoeBench("686a", deal=ENDLESS)
    bench.open_endless()
    bench.fault("shoe-1", "jam=1")
    bench.command(commands.CloseTable())
    bench.put_back(bench.rack)
    cards = [*bench.shoe.clear_jam(bench.now), *bench.shoe.remove_all(bench.now)]
    assert len(cards) == 312
    bench.run(0.5)
    # It was filled while nobody heard it, and tells what is inside.
    bench.take(deck.InsideCounted(device="shoe-1", count=311))
    assert bench.refused_report("deck-inspected", deck="red").endswith("red is in shoe-1; take it out first")
