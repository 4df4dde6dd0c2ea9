"""Situations that take several rounds or several troubles to come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols import commands
from felt_protocols.events import card, deck, device, person, station, system

from .any_game import AUTOMATED, HAND, MANUAL
from .any_situation import dealing, dealt, playing
from .felt import DEALER, FLOOR

if TYPE_CHECKING:
    from .any_game import AnyGame
    from .any_situation import Lead


# ---- Rounds that nobody counts -------------------------------------------------------------------------


def uncounted_rounds(felt: AnyGame, rounds: int) -> None:
    """Rounds over in which no shuffler and nobody counted; the deck is shuffled and where it is dealt from.

    One more was dealt before them, whose deck the shuffler had counted.
    """
    if felt.deals != HAND:
        felt.command(commands.Method(shuffle="hand"))
    else:
        felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))
    for _ in range(rounds + 1):
        playing(felt)
        if felt.chapter == "671a" and felt.has("shoe"):
            felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))
        felt.tell(person.RoundEnded(by=DEALER))
        shuffle_uncounted(felt)


def shuffle_uncounted(felt: AnyGame) -> None:
    if felt.deals != HAND:
        felt.report("deck-shuffled", deck="red")
        if felt.has("shoe"):
            felt.tell(card.ShoeLoaded(device="shoe-1", count=felt.total))
        return
    felt.batch += 1
    about = {"device": "shuffler-1", "batch": felt.batch}
    felt.tell(
        deck.DeckLoaded.model_validate(about),
        deck.ShuffleStarted.model_validate(about),
        deck.ShuffleCompleted.model_validate({**about, "mode": "shuffle"}),
        deck.DeckUnloaded.model_validate(about),
    )


def _fifth(felt: AnyGame) -> None:
    """The fifth round since a count; all hands are out where a shoe tells of them."""
    uncounted_rounds(felt, 4)
    felt.bets()
    if not felt.by_people:
        felt.hand_out()


def _fourth(felt: AnyGame) -> None:
    """The same of the fourth round."""
    uncounted_rounds(felt, 3)
    felt.bets()
    if not felt.by_people:
        felt.hand_out()


def _fifth_closed(felt: AnyGame) -> None:
    """The fifth round since a count, and no card of it is out."""
    uncounted_rounds(felt, 4)
    felt.bets()


def _fifth_played(felt: AnyGame) -> None:
    uncounted_rounds(felt, 4)
    playing(felt)


def _fifth_void(felt: AnyGame) -> None:
    uncounted_rounds(felt, 4)
    dealing(felt)
    felt.report("wrong-number")


def _fourth_played(felt: AnyGame) -> None:
    uncounted_rounds(felt, 3)
    playing(felt)


# ---- Cards face up, and hands with a wrong number ------------------------------------------------------


def one_face_up(felt: AnyGame) -> None:
    """One card lay face up in the shoe during the deal."""
    dealing(felt)
    felt.tell(card.CardDrawn(device="shoe-1", face_up=True, rank="6", suit="clubs"))


def _void_face_up(felt: AnyGame) -> None:
    """Void for two cards that the shoe saw face up."""
    one_face_up(felt)
    felt.tell(card.CardDrawn(device="shoe-1", face_up=True, rank="7", suit="clubs"))


def _void_face_up_emptied(felt: AnyGame) -> None:
    _void_face_up(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))


def _void_stack(felt: AnyGame) -> None:
    """Void for a stack with a card too many."""
    dealing(felt)
    felt.tell(card.StackDispensed(device="shoe-1", size=felt.setup.hand_cards + 1))


def _void_stack_emptied(felt: AnyGame) -> None:
    _void_stack(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))


def _void_last_stack(felt: AnyGame) -> None:
    """Void for the last stack: every hand is out, one of them with a card too many."""
    felt.bets()
    felt.hand_out(6)
    felt.tell(card.StackDispensed(device="shoe-1", size=felt.setup.hand_cards + 1))


def _void_exposed(felt: AnyGame) -> None:
    """Every hand is out, and void for a card of the dealer that was exposed."""
    dealt(felt)
    felt.report("dealers-card-exposed")


def _void_three(felt: AnyGame) -> None:
    """Every hand is out, and three cards were left: void."""
    dealt(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=3))


# ---- Decks that alternate, and ways that change --------------------------------------------------------


def _second_round(felt: AnyGame) -> None:
    """Red was dealt in the first round and is in people's hands again, as blue is."""
    if felt.deals == HAND:
        felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))
    else:
        apart_of_shuffler(felt)
    playing(felt)
    if felt.deals != HAND and any(one.places["shoe"] for one in felt.state.decks.values()):
        felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))
    felt.tell(person.RoundEnded(by=DEALER))


def apart_of_shuffler(felt: AnyGame) -> None:
    """Blue is taken out of the shuffler."""
    felt.tell(deck.DeckUnloaded(device="shuffler-1", batch=felt.batch, count=felt.total))


def second_hand_deal(felt: AnyGame) -> None:
    """The second round is dealt from the hand, with both decks there."""
    _second_round(felt)
    felt.bets()


def _second_by_hand(felt: AnyGame) -> None:
    """The same after people began to shuffle by hand."""
    _second_round(felt)
    felt.command(commands.Method(shuffle="hand"))


def _around(felt: AnyGame) -> None:
    """People shuffle and deal from another shoe; then shoe and shuffler break, and have no sign."""
    felt.command(commands.Method(shuffle="hand", deal="manual-shoe"))
    felt.tell(*(device.DeviceFaulted(device=name, code="motor") for name in ("shuffler-1", "shoe-1")))
    felt.bets()


def _around_signed(felt: AnyGame) -> None:
    """The same with signs."""
    _around(felt)
    for name in ("shuffler-1", "shoe-1"):
        felt.command(commands.Sign(device=name, sign="out-of-order"))


def _aged(felt: AnyGame) -> None:
    """Red is too old for the hand, and cards are dealt from the hand."""
    felt.tell(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    if felt.deals != HAND:
        felt.command(commands.Method(deal="hand"))
    felt.bets()


def _aged_for_shoe(felt: AnyGame) -> None:
    """Red is too old for the hand, and cards are dealt from a shoe that tells nothing."""
    felt.tell(system.TimerDue(timer="deck-age-by-hand/red", overdue_s=0))
    felt.command(commands.Method(deal="manual-shoe"))
    felt.bets()


def _service(felt: AnyGame) -> None:
    """The shuffler is in service with a deck inside."""
    felt.command(commands.ServiceBegin(device="shuffler-1", why="a new belt"), "tech", "Tim")


def _service_empty(felt: AnyGame) -> None:
    """The shuffler is in service and empty."""
    apart_of_shuffler(felt)
    _service(felt)


def _second_shoe(felt: AnyGame) -> None:
    """Red was dealt, the shoe is emptied, and blue is in the shuffler: red alone is at hand."""
    playing(felt)
    felt.tell(person.RoundEnded(by=DEALER))
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))


def _second_shoe_alone(felt: AnyGame) -> None:
    """The same, and a card of blue is missing."""
    felt.tell(person.CardWithdrawn(by=FLOOR, deck="blue", place="discard", why="bent"))
    _second_shoe(felt)


def _second_shoe_by_hand(felt: AnyGame) -> None:
    """The same as the first of these, after people began to shuffle."""
    felt.command(commands.Method(shuffle="hand"))
    _second_shoe(felt)


def new_dealer(felt: AnyGame) -> None:
    """A new dealer burns a card, and blue is not in the shuffler."""
    apart_of_shuffler(felt)
    felt.tell(person.DealerCame(by=DEALER))


def new_dealer_by_hand(felt: AnyGame) -> None:
    felt.command(commands.Method(shuffle="hand"))
    new_dealer(felt)


# ---- One game alone ------------------------------------------------------------------------------------


def _last_hand(felt: AnyGame) -> None:
    """Every hand but the dealer's is out."""
    felt.bets()
    felt.hand_out(2)


def wager_dealt(felt: AnyGame) -> None:
    """A progressive wager was on when the hands were dealt."""
    felt.tell(station.ProgressiveBet(device="progressive-station-1", seat=1, present=True))
    felt.bets()
    felt.tell(station.StartGamePressed(device="progressive-station-1"))
    felt.hand_out()


def stationless(felt: AnyGame) -> None:
    """No station tells of wagers, and all hands are out."""
    felt.command(commands.DeviceRetire(device="progressive-station-1", shown_empty=True), "tech", "Tim")
    dealt(felt)


def _drawn_out(felt: AnyGame) -> None:
    """Players have drawn thirty cards."""
    playing(felt)
    felt.tell(*(card.StackDispensed(device="shoe-1", size=5) for _ in range(6)))


def _emptied(felt: AnyGame) -> None:
    """Decisions are locked in, and the shoe is empty."""
    playing(felt)
    felt.tell(card.ShoeUnloaded(device="shoe-1", count=None))


def changed(felt: AnyGame) -> None:
    """Blue is dealt from the hand, while red lies in the shoe; decisions are locked in."""
    apart_of_shuffler(felt)
    felt.command(commands.Method(deal="hand"))
    felt.bets()
    felt.report("cards-dealt", deck="blue")
    felt.report("decisions-locked")


def _changed_dealt(felt: AnyGame) -> None:
    """The same, before decisions are locked in."""
    apart_of_shuffler(felt)
    felt.command(commands.Method(deal="hand"))
    felt.bets()
    felt.report("cards-dealt", deck="blue")


def _changed_void(felt: AnyGame) -> None:
    """Cards are dealt from the hand, and a hand had a wrong number of them."""
    felt.command(commands.Method(deal="hand"))
    felt.bets()
    felt.report("wrong-number")


def stories_of(felt: AnyGame) -> dict[str, Lead]:
    """Those of this table, by the words that the tables of rows call them.

    Games share most rows: each story is told where its rows are, and once for each way to deal.
    """
    found: dict[str, Lead] = {}
    table = (felt.chapter, felt.deals)
    if table in {("659a", AUTOMATED), ("672a", MANUAL)}:
        found |= {"service": _service, "empty-service": _service_empty}
    if table in {("659a", AUTOMATED), ("659a", MANUAL), ("672a", MANUAL)}:
        found |= {"second": _second_round, "second-by-hand": _second_by_hand}
    if table in {("659a", AUTOMATED), ("672a", MANUAL)}:
        found |= {"second-shoe": _second_shoe, "second-shoe-alone": _second_shoe_alone}
        found |= {"second-shoe-by-hand": _second_shoe_by_hand}
    if table == ("687a", AUTOMATED):
        found |= {"last-hand": _last_hand, "wager-dealt": wager_dealt, "stationless": stationless}
    if table == ("671a", AUTOMATED):
        found |= {"drawn-out": _drawn_out, "emptied": _emptied}
        found |= {"changed": changed, "changed-dealt": _changed_dealt}
    if table == ("659a", HAND):
        found |= {"second": second_hand_deal, "aged": _aged, "aged-for-shoe": _aged_for_shoe}
    if table in {("659a", AUTOMATED), ("671a", AUTOMATED)}:
        found |= {"one-face-up": one_face_up, "void-face-up": _void_face_up}
        found["void-face-up-emptied"] = _void_face_up_emptied
    if table == ("659a", AUTOMATED):
        found |= {"void-stack": _void_stack, "void-stack-emptied": _void_stack_emptied}
        found |= {"around": _around, "around-signed": _around_signed, "aged": _aged}
        found["changed-void"] = _changed_void
        found |= {
            "void-last-stack": _void_last_stack,
            "void-exposed": _void_exposed,
            "void-three": _void_three,
        }
    if felt.chapter == "663a" or table == ("671a", AUTOMATED):
        found |= {"fifth": _fifth, "fifth-closed": _fifth_closed, "fifth-played": _fifth_played}
        found |= {"fifth-void": _fifth_void, "fourth": _fourth, "fourth-played": _fourth_played}
    return found
