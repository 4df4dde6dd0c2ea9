"""What goes wrong alike in Five Card Hi-Lo, Lunar Poker and DJ Wild; each text says it in another subsection.

Each trial takes an open table of a chapter and the subsection, and leaves the table as it is afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols import commands

if TYPE_CHECKING:
    from felt_protocols.events.ruling import RulingMade

    from .poker_bench import PokerBench

VOID = ("return-wagers", "collect-cards", "reshuffle")
FROM_SHOE = ("return-wagers", "take-cards-from-shoe", "reshuffle")


def voided(bench: PokerBench, row: str, cite: str, directives: tuple[str, ...] = VOID) -> RulingMade:
    """The round is void by this row alone, by this subsection."""
    [ruling] = bench.rulings(row)
    assert (ruling.cite, ruling.effect, ruling.directives) == ((cite,), "stop", directives)
    assert (bench.state.round.phase, bench.state.round.void) == ("void", row)
    return ruling


def advised(bench: PokerBench, row: str, cite: str, *directives: str) -> None:
    """People are told by this row, by this subsection, and nothing is held or void."""
    ruling = bench.rulings(row)[-1]
    assert (ruling.cite, ruling.effect, ruling.directives) == ((cite,), "advise", directives)
    assert (bench.holds(), bench.state.round.void) == (set(), "")


def reshuffled(bench: PokerBench, row: str) -> None:
    """The shoe is emptied, the round released, the cards go through the shuffler: nothing is held then."""
    if bench.watched:
        bench.take_stub()
    bench.command(commands.ReleaseRound())
    assert bench.holds() == {(row, "red")}
    bench.rack += bench.felt
    bench.felt = []
    bench.swap()
    assert (bench.holds(), bench.state.incidents) == (set(), {})


def one_card_face_up(bench: PokerBench, cite: str) -> None:
    """One card that lies face up in the shoe goes to the rack, and every hand has its five cards."""
    bench.ready(1, 2)
    bench.fault("shoe-1", "face-up=1")
    bench.hands_out(3)
    advised(bench, "face-up-card", cite, "to-rack")
    assert (bench.state.phase, bench.state.decks["red"].places["discard"]) == ("dealt", 1)


def two_cards_face_up(bench: PokerBench, cite: str) -> None:
    """A second one in the same deal voids it."""
    bench.ready(1, 2)
    bench.fault("shoe-1", "face-up=2")
    bench.deal(1)
    voided(bench, "face-up-cards", cite)
    assert bench.holds() == {("face-up-cards", "shoe-1"), ("face-up-cards", "red")}
    # The shoe was stopped at once, in the middle of the stack.
    bench.felt += bench.shoe.clear_jam(bench.now)
    bench.run(0.5)
    reshuffled(bench, "face-up-cards")


def two_cards_face_up_by_hand(bench: PokerBench, cite: str) -> None:
    """Dealt from the hand, people report it and no shoe is waited for."""
    bench.ready(1, 2)
    bench.report("cards-face-up")
    voided(bench, "face-up-cards-in-hand-deal", cite)
    assert {row for row, _ in bench.holds()} == {"face-up-cards-in-hand-deal"}


def cards_face_up_told_by_shoe_and_people(bench: PokerBench, other: PokerBench) -> None:
    """What the shoe has seen people tell once more; at the other table the shoe has seen one card."""
    bench.ready(1, 2)
    bench.fault("shoe-1", "face-up=2")
    bench.deal(1)
    bench.report("cards-face-up")
    assert bench.joined() == [2]
    bench.felt += bench.shoe.clear_jam(bench.now)
    bench.run(0.5)
    bench.take_stub()
    # Told once more after the cards are out, it holds nothing that has been put right.
    bench.report("cards-face-up")
    assert (bench.joined(), bench.holds()) == ([2], {("face-up-cards", "red")})
    # Where the round is void for something else, no second one is the shoe's.
    other.ready(1, 2)
    other.fault("shoe-1", "face-up=1")
    other.deal(1)
    other.report("wrong-number")
    other.report("cards-face-up")
    assert other.rulings("face-up-cards") == []


def card_out_of_turn(bench: PokerBench, cite: str) -> None:
    """A single card that nobody saw is the next one, and the hand that it goes to is right."""
    bench.ready(1, 2)
    bench.deal(1)
    bench.shoe.draw_card(bench.now)
    bench.run(0.5)
    advised(bench, "card-drawn-in-error", cite, "use-as-next")
    bench.deal(2)
    assert (bench.state.phase, bench.state.round.cards) == ("dealt", 15)
    assert len(bench.rulings()) == 1


def wrong_number_from_the_shoe(bench: PokerBench, cite: str) -> None:
    """A stack of four is a hand with a card too few."""
    bench.ready(1, 2)
    bench.fault("shoe-1", "stack-size=4")
    bench.deal(1)
    voided(bench, "wrong-number-of-cards", cite)
    reshuffled(bench, "wrong-number-of-cards")


def wrong_number_found_later(bench: PokerBench, cite: str) -> None:
    """After the deal people find it, and the shoe that is empty by then is not waited for."""
    bench.ready(1, 2)
    bench.hands_out(3)
    bench.report("wrong-number")
    voided(bench, "wrong-number-after-deal", cite)
    bench.command(commands.ReleaseRound())
    assert bench.holds() == {("wrong-number-after-deal", "red")}


def shuffle_broken_off(bench: PokerBench, cite: str, fault: str) -> None:
    """The shuffle is done again; until then neither deck is dealt that went through this shuffler."""
    bench.play(1, 2)
    bench.change_over(fault)
    ruling = bench.only_ruling("shuffler-jam")
    assert (ruling.cite, ruling.directives) == ((cite,), ("clear-jam", "count-deck", "reshuffle"))
    assert bench.holds() == {("shuffler-jam", "red"), ("shuffler-jam", "blue")}
    cards = bench.shuffler.clear_jam(bench.now)
    bench.run(1.0)
    bench.shuffle(cards)
    assert bench.holds() == {("shuffler-jam", "blue")}


def shoe_broken_off(bench: PokerBench, cite: str, fault: str, row: str) -> None:
    """The round is void; the cards in the shoe and those dealt are reshuffled together."""
    bench.ready(1, 2)
    bench.deal(1)
    bench.fault("shoe-1", fault)
    bench.shoe.press_deal(bench.now)
    bench.run(5.0)
    voided(bench, row, cite, FROM_SHOE)
    assert bench.refused(commands.ReleaseRound()).startswith("the cause is still there: shoe-1")
    bench.felt += bench.shoe.clear_jam(bench.now)
    bench.run(0.5)
    reshuffled(bench, row)


def shoe_gives_too_little(bench: PokerBench, cite: str) -> None:
    """The shoe is emptied while a hand has no cards yet."""
    bench.ready(1, 2)
    bench.deal(2)
    bench.take_stub()
    voided(bench, "shoe-fails-to-deal-all", cite, FROM_SHOE)
    bench.command(commands.ReleaseRound())
    assert bench.holds() == {("shoe-fails-to-deal-all", "red")}


def cover_before_another_way(bench: PokerBench, cite: str) -> None:
    """A shoe that cannot be used is covered before cards are dealt from the hand."""
    bench.fault("shoe-1", "unusable=motor")
    bench.run(1.0)
    ruling = bench.only_ruling("device-unusable")
    assert (ruling.cite, ruling.directives) == ((cite,), ("cover-or-sign", "call-floor"))
    by_hand = commands.Method(deal="hand")
    assert f"before another way is used ({cite})" in bench.refused(by_hand)
    bench.command(commands.Sign(device="shoe-1", sign="covered"), "dealer")
    bench.command(by_hand)
    bench.hand = bench.shoe.remove_rest(bench.now)
    bench.run(0.5)
    bench.ready(1, 2)
    bench.report("cards-dealt", deck="red")
    assert bench.state.round.cards == (16 if bench.chapter == "687a" else 15)


def another_way_before_the_sign(bench: PokerBench, cite: str) -> None:
    """A shuffler that nobody covered, and a deck that people shuffled: the floor is called."""
    bench.command(commands.Method(shuffle="hand"))
    bench.play(1, 2)
    bench.fault("shuffler-1", "unusable=motor")
    bench.run(1.0)
    bench.report("deck-shuffled", deck="red")
    ruling = bench.rulings("other-method-before-sign")[-1]
    assert (ruling.cite, ruling.directives) == ((cite,), ("cover-or-sign", "call-floor"))
