"""Situations of one game or two: what its rows alone tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols import commands
from felt_protocols.events import card, device, draw, person, reader, system

from .any_game import AUTOMATED, HAND, MANUAL
from .any_situation import dealt, playing
from .any_story import (
    apart_of_shuffler,
    changed,
    new_dealer,
    new_dealer_by_hand,
    one_face_up,
    second_hand_deal,
    shuffle_uncounted,
    stationless,
    uncounted_rounds,
    wager_dealt,
)
from .felt import DEALER, FLOOR

if TYPE_CHECKING:
    from .any_game import AnyGame
    from .any_situation import Lead


def _undiced(felt: AnyGame) -> None:
    """A stack came before the dice were shaken, and nobody has told when the dice came."""
    felt.tell(system.TimerDue(timer="dice-age/shaker-1", overdue_s=0), person.BetsClosed(by=DEALER))
    felt.hand_out(1)


def _button_shaken(felt: AnyGame) -> None:
    """A button finds the start; the dice, of which nobody told when they came, are shaken all the same."""
    felt.tell(system.TimerDue(timer="dice-age/shaker-1", overdue_s=0))
    felt.command(commands.Method(start="button"))
    felt.tell(*(draw.ShakerShaken(device="shaker-1") for _ in range(3)))


def _button_closed(felt: AnyGame) -> None:
    """The same after no more bets: the start is known."""
    _button_shaken(felt)
    felt.tell(person.BetsClosed(by=DEALER))


def _shaken_after(felt: AnyGame) -> None:
    """The shaker was covered and shaken once after the deal."""
    playing(felt)
    felt.tell(draw.ShakerCovered(device="shaker-1"), draw.ShakerShaken(device="shaker-1"))


def _wrong_rest(felt: AnyGame) -> None:
    """All hands are out, and the shoe counted a card too few when it was emptied."""
    dealt(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=felt.total - felt.round.cards - 1))


def _nobody_said(felt: AnyGame) -> None:
    """Nobody has told who plays, and the first cards are out."""
    felt.tell(person.BetsClosed(by=DEALER))
    felt.hand_out(1)


def _nobody_said_playing(felt: AnyGame) -> None:
    """Nobody has told who plays, and the deal is over."""
    felt.tell(person.BetsClosed(by=DEALER))
    felt.hand_out(3)
    if felt.chapter == "671a":
        felt.report("decisions-locked")
    else:
        felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))


def _drawn_too_early(felt: AnyGame) -> None:
    """Thirty-five cards came after the deal, before decisions are locked in."""
    dealt(felt)
    felt.tell(*(card.StackDispensed(device="shoe-1", size=5) for _ in range(7)))


def _fifth_counted(felt: AnyGame) -> None:
    """Four rounds uncounted, and the fifth is dealt from blue, which the shuffler counted."""
    felt.command(commands.Method(shuffle="hand"))
    for _ in range(5):
        playing(felt)
        if felt.chapter == "671a":
            felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))
        felt.tell(person.RoundEnded(by=DEALER))
        shuffle_uncounted(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))
    apart_of_shuffler(felt)
    felt.tell(card.ShoeLoaded(device="shoe-1", count=felt.total))
    dealt(felt)


def _void_one_face_up(felt: AnyGame) -> None:
    """One card lay face up, and the round is void for a wrong number."""
    one_face_up(felt)
    felt.report("wrong-number")


def _fourth_card(felt: AnyGame) -> None:
    """The dealer drew two cards after he turned his hole card, in Double Attack Blackjack."""
    playing(felt)
    felt.report("hole-card-turned")
    felt.draw(2)


def _deep(felt: AnyGame) -> None:
    """So many cards of the shoe are out that fewer than a quarter of the batch are left."""
    playing(felt)
    while felt.state.decks["red"].places["shoe"] * 4 >= felt.total:
        felt.draw()


def _preshuffled(felt: AnyGame) -> None:
    """Red is new and came preshuffled; the shoe is empty."""
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))
    felt.tell(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True))


def _looked_at(felt: AnyGame) -> None:
    """Red is new and was spread and looked at, and not washed."""
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None), person.DeckChanged(by=FLOOR, deck="red"))
    for word in ("deck-inspected", "inspection-verified", "deck-spread", "player-looked"):
        felt.report(word, felt.pack.reports[word].by[0], deck="red")


def _complete(felt: AnyGame) -> None:
    """Three cards for each hand are out, in Over/Under."""
    felt.bets()
    felt.draw(6)


def _new_dealer_sound(felt: AnyGame) -> None:
    """A new dealer burns a card, and blue is in the shuffler."""
    felt.tell(person.DealerCame(by=DEALER))


def _around_manual(felt: AnyGame) -> None:
    """The manual shoe is broken, and cards are dealt from the hand."""
    felt.command(commands.Method(deal="hand"))
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))
    felt.tell(device.DeviceFaulted(device="shoe-1", code="motor"))
    felt.bets()


def _from_the_hand(felt: AnyGame) -> None:
    """Red is shuffled, and dealt from the hand."""
    felt.command(commands.Method(deal="hand"))
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))
    felt.bets()


def called(felt: AnyGame) -> None:
    """No more bets, and the dealer has called for cards."""
    felt.bets()
    felt.report("cards-called")


def _other_unheard(felt: AnyGame) -> None:
    """The up card asks for no reader, and nobody hears it."""
    playing(felt)
    felt.report("up-card-other")
    felt.tell(device.DeviceLost(device="hole-card-reader-1", why="silent"))


def _used_unheard(felt: AnyGame) -> None:
    """The reader was used as the up card asks, and then nobody hears it any more."""
    playing(felt)
    felt.report("up-card-ten")
    felt.tell(
        reader.HoleCardInserted(device="hole-card-reader-1"),
        device.DeviceLost(device="hole-card-reader-1", why="silent"),
    )


def _wager_dealt_void(felt: AnyGame) -> None:
    """All hands are out with a progressive wager on, and a hand has a wrong number."""
    wager_dealt(felt)
    felt.report("wrong-number")


def _stationless_void(felt: AnyGame) -> None:
    """The same where no station tells of wagers."""
    stationless(felt)
    felt.report("wrong-number")


def _second_hand_deal_alone(felt: AnyGame) -> None:
    """Red is dealt from the hand twice running, and a card of blue is missing."""
    felt.tell(person.CardWithdrawn(by=FLOOR, deck="blue", place="discard", why="bent"))
    second_hand_deal(felt)


def _changed_emptied(felt: AnyGame) -> None:
    """Blue was dealt from the hand, and red was taken out of the shoe into the rack."""
    changed(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))


def _refilled(felt: AnyGame) -> None:
    """The shoe is empty in the middle of a round, and red is new."""
    playing(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None), person.DeckChanged(by=FLOOR, deck="red"))


def fifth_counted_by_people(felt: AnyGame) -> None:
    """Four rounds uncounted, and for the fifth, which people deal, the shuffler counted red."""
    uncounted_rounds(felt, 4)
    if felt.deals == MANUAL:
        apart_of_shuffler(felt)
        felt.command(commands.Method(shuffle="device"))
    felt.shuffle_in()
    apart_of_shuffler(felt)
    felt.bets()


def _fifth_counted_played(felt: AnyGame) -> None:
    """The same, and it is dealt."""
    fifth_counted_by_people(felt)
    felt.report("cards-dealt", deck="red")


def apart_by_hand(felt: AnyGame) -> None:
    """People shuffle and deal, and blue is not in the shuffler."""
    apart_of_shuffler(felt)
    felt.command(commands.Method(shuffle="hand"))
    felt.bets()


RARE: dict[tuple[str, str], dict[str, Lead]] = {
    ("659a", AUTOMATED): {
        "undiced": _undiced,
        "button-shaken": _button_shaken,
        "button-closed": _button_closed,
        "shaken-after": _shaken_after,
        "void-one-face-up": _void_one_face_up,
    },
    ("659a", MANUAL): {"wrong-rest": _wrong_rest, "around-manual": _around_manual},
    ("663a", AUTOMATED): {"wrong-rest": _wrong_rest, "fifth-counted": _fifth_counted},
    ("663a", MANUAL): {
        "nobody-said": _nobody_said,
        "wrong-rest": _wrong_rest,
        "fifth-counted": _fifth_counted,
    },
    ("671a", MANUAL): {"around-manual": _around_manual},
    ("627a", MANUAL): {"refilled": _refilled},
    ("659a", HAND): {"second-alone": _second_hand_deal_alone},
    ("663a", HAND): {
        "fifth-counted": fifth_counted_by_people,
        "fifth-counted-played": _fifth_counted_played,
    },
    ("671a", AUTOMATED): {
        "changed-emptied": _changed_emptied,
        "nobody-said": _nobody_said_playing,
        "drawn-too-early": _drawn_too_early,
        "fifth-counted": _fifth_counted,
        "void-one-face-up": _void_one_face_up,
    },
    ("687a", AUTOMATED): {
        "nobody-said": _nobody_said_playing,
        "wrong-rest": _wrong_rest,
        "wager-dealt-void": _wager_dealt_void,
        "stationless-void": _stationless_void,
    },
    ("687a", MANUAL): {"stationless": stationless},
    ("665a", MANUAL): {"fourth-card": _fourth_card},
    ("672a", MANUAL): {
        "preshuffled": _preshuffled,
        "looked-at": _looked_at,
        "new-dealer": new_dealer,
        "new-dealer-by-hand": new_dealer_by_hand,
        "new-dealer-sound": _new_dealer_sound,
        "other-unheard": _other_unheard,
        "used-unheard": _used_unheard,
    },
    ("673a", MANUAL): {"preshuffled": _preshuffled, "looked-at": _looked_at, "deep": _deep},
    ("686a", MANUAL): {"complete": _complete},
    ("637a", MANUAL): {"from-the-hand": _from_the_hand},
}
