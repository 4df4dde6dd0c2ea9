"""The stub of Five Card Hi-Lo and DJ Wild: how often it is counted, and what a wrong count does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols import commands

from .poker_trials import advised

if TYPE_CHECKING:
    from .poker_bench import PokerBench


def dealt(bench: PokerBench, deck: str = "red") -> None:
    """A round for positions 1 and 2 is dealt, and in DJ Wild the card that replaces a joker is laid."""
    bench.ready(1, 2)
    bench.hands_out(3, deck)
    if bench.chapter == "687a" and bench.way == "manual-shoe":
        bench.draw(1)


def four_rounds(bench: PokerBench, deck: str = "red") -> str:
    """Four rounds without a count, beginning with this deck; the deck that is next."""
    for _ in range(4):
        dealt(bench, deck)
        bench.take_stub()
        bench.end_round()
        deck = bench.swap()
    return deck


def rounds_by_hand(bench: PokerBench, rounds: int) -> None:
    """So many rounds with red alone, which people shuffle and deal from an automated shoe."""
    for _ in range(rounds):
        dealt(bench)
        if bench.chapter == "671a":
            bench.report("decisions-locked")
        bench.take_stub()
        bench.end_round()
        bench.report("deck-shuffled", deck="red")
        bench.hand, bench.rack = bench.rack, []
        bench.shoe.load(bench.hand, bench.now)
        bench.hand = []
        bench.run(0.5)


def counted_in_the_fifth_round(bench: PokerBench, row: str, cite: str, right: int) -> None:
    """No shuffler counts: in the fifth round the stub is counted, and then five more go without."""
    deck = four_rounds(bench)
    assert bench.rulings() == []
    dealt(bench, deck)
    bench.take_stub()
    advised(bench, row, cite, "count-stub")
    assert [one.row for one in bench.state.round.notices] == [row]
    bench.count(right, deck=deck)
    assert bench.state.round.notices == ()
    bench.end_round()
    assert bench.holds() == set()
    four_rounds(bench, bench.swap())
    assert [one.row for one in bench.rulings()] == [row]


def not_counted_in_five_rounds(bench: PokerBench, row: str, cite: str, total: int) -> None:
    """Where nobody counts the stub, the deck is not dealt before all of it is counted."""
    deck = four_rounds(bench)
    dealt(bench, deck)
    bench.take_stub()
    bench.end_round()
    ruling = bench.rulings(row)[-1]
    assert (ruling.cite, ruling.effect, ruling.directives) == ((cite,), "no-new-round", ("count-deck",))
    assert bench.holds() == {(row, deck)}
    bench.count(total, "deck", deck)
    assert bench.holds() == set()


def wrong_and_not_misdealt(bench: PokerBench, row: str, cite: str, wrong: int) -> None:
    """The stub is wrong: all hands are void, and the deck goes neither on nor through the shuffler."""
    dealt(bench)
    bench.take_stub()
    bench.count(wrong)
    [ruling] = bench.rulings(row)
    assert (ruling.cite, ruling.effect) == ((cite,), "stop")
    assert ruling.directives == ("return-wagers", "misdealt-or-remove")
    # Whether the cards were misdealt is found while the hands lie there.
    assert bench.refused(commands.ReleaseRound()).startswith("the cause is still there: red")
    assert "MISDEALT? IF NOT, DECK LEAVES" in bench.shown()
    bench.report("not-misdealt")
    assert "MISDEALT? IF NOT, DECK LEAVES" not in bench.shown()
    assert bench.rulings("not-misdealt-deck-leaves")[0].directives == ("remove-deck",)
    # One hold is in the place of the other.
    assert bench.holds() == {("not-misdealt-deck-leaves", "red")}
    bench.command(commands.ReleaseRound())
    assert bench.holds() == {("not-misdealt-deck-leaves", "red")}
    bench.command(commands.ChangeDeck(deck="red"))
    assert bench.holds() == set()


def wrong_and_misdealt(bench: PokerBench, row: str, cites: tuple[str, ...], wrong: int) -> None:
    """The stub is wrong because a hand is, and all cards are there: the deck stays."""
    dealt(bench)
    bench.take_stub()
    bench.count(wrong)
    bench.report("misdealt")
    assert bench.rulings("misdealt-deck-stays")[0].cite == cites
    assert bench.holds() == set()
    assert "MISDEALT? IF NOT, DECK LEAVES" not in bench.shown()
    bench.command(commands.ReleaseRound())
    assert [one.row for one in bench.rulings()] == [row, "misdealt-deck-stays"]


def wrong_hand_and_then_stub(bench: PokerBench, wrong: int, report: str) -> set[tuple[str, str]]:
    """A wrong hand is told and the stub counted after it; what is held once it is told what that means."""
    dealt(bench)
    bench.take_stub()
    bench.report("wrong-number")
    bench.count(wrong)
    held = {("wrong-number-after-deal", "red"), ("wrong-number-and-wrong-stub", "red")}
    assert bench.holds() == held
    bench.report(report)
    return bench.holds()
