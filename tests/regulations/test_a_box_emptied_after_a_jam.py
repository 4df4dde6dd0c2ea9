"""A continuous shuffler whose feeder was cleared, and that was emptied before the cards went back."""

from __future__ import annotations

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
