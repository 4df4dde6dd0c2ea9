"""What devices and people tell at a table of any game, by the words that the tables of rows call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.events import card, deck, device, draw, person, reader, station, system

from .any_game import ENDLESS
from .felt import DEALER, FLOOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from felt_protocols.events import Fact

    from .any_game import AnyGame

    Tell = Callable[[AnyGame], Fact]

BOXES = ("shuffler", "shoe", ENDLESS)
SHUFFLER, READER, SHAKER, STATION = "shuffler-1", "hole-card-reader-1", "shaker-1", "progressive-station-1"


# Kinds of facts.
OF_ANY, OF_A_BOX, OF_A_SHUFFLER, OF_SMALL_DEVICES, OF_PEOPLE = "any", "box", "shuffler", "small", "people"


def facts_of(felt: AnyGame, *kinds: str) -> dict[str, Tell]:
    """Everything of these kinds that this table's devices and its people may tell; of all kinds without."""
    found: dict[str, dict[str, Tell]] = {OF_ANY: {}, OF_SMALL_DEVICES: {}, OF_A_BOX: {}, OF_A_SHUFFLER: {}}
    for name, family in felt.setup.devices.items():
        found[OF_ANY].update(_of_any_device(name, family))
        if family in BOXES:
            found[OF_ANY].update(_of_any_box(name, family))
        found[OF_SMALL_DEVICES].update(_OF_SMALL_DEVICES.get(family, {}))
    if felt.has("shoe"):
        found[OF_A_BOX].update(_of_a_shoe(felt, "shoe-1"))
    if felt.has(ENDLESS):
        found[OF_A_BOX].update(_of_a_box_without_end(felt, f"{ENDLESS}-1"))
    if felt.has("shuffler"):
        found[OF_A_SHUFFLER].update(_of_a_shuffler(felt))
    found[OF_PEOPLE] = _of_people(felt)
    return {
        label: tell
        for kind, facts in found.items()
        if kind in kinds or not kinds
        for label, tell in facts.items()
    }


def _of_any_device(name: str, family: str) -> Iterator[tuple[str, Tell]]:
    told: dict[str, Fact] = {
        "is stale": device.DeviceStale(device=name, silent_ms=1500),
        "is lost": device.DeviceLost(device=name, why="silent"),
        "restarts": device.DeviceRestarted(device=name, device_boot="b2", previous_boot="a1"),
        "lost events": device.EventsLost(device=name, first=1, last=2),
        "is faulty": device.DeviceFaulted(device=name, code="motor"),
        "is not understood": device.DeviceFaulted(device=name, code="not-understood"),
        "has a failed driver": device.DeviceFaulted(device=name, code="driver"),
    }
    for words, fact in told.items():
        yield f"{family} {words}", lambda _felt, fact=fact: fact


def _of_any_box(name: str, family: str) -> Iterator[tuple[str, Tell]]:
    told: dict[str, Fact] = {
        "is not free": device.InhibitFound(device=name, why="key"),
        "does not obey": device.InterlockUnconfirmed(device=name, after_ms=500),
        "is another": device.DeviceRefused(device=name, why="serial"),
        "was barred": device.DeviceRefused(device=name, why="leaks-order"),
        "leaks the order": device.OrderLeaked(device=name),
        "shows red": device.LightShown(device=name, colour="red"),
        "shows green": device.LightShown(device=name, colour="green"),
        "is in order": person.Inspected(by=FLOOR, device=name, result="in-order"),
        "is not in order": person.Inspected(by=FLOOR, device=name, result="not-in-order"),
    }
    for words, fact in told.items():
        yield f"{family} {words}", lambda _felt, fact=fact: fact


def _of_a_shuffler(felt: AnyGame) -> dict[str, Tell]:
    total = felt.total

    def completed(mode: str, count: int | None) -> Tell:
        return lambda felt: deck.ShuffleCompleted.model_validate(
            {"device": SHUFFLER, "batch": felt.batch, "mode": mode, "count": count}
        )

    return {
        "a shuffle is done": completed("shuffle", total),
        "a shuffle is done, one short": completed("shuffle", total - 1),
        "a shuffle is done, uncounted": completed("shuffle", None),
        "a deck is sorted": completed("sort", total),
        "a shuffle begins": lambda felt: deck.ShuffleStarted(device=SHUFFLER, batch=felt.batch),
        "a shuffle breaks off": lambda felt: deck.ShuffleInterrupted(
            device=SHUFFLER, batch=felt.batch, why="jam"
        ),
        "a deck is taken out": lambda felt: deck.DeckUnloaded(device=SHUFFLER, batch=felt.batch, count=total),
        "a deck is taken out, one short": lambda felt: deck.DeckUnloaded(
            device=SHUFFLER, batch=felt.batch, count=total - 1
        ),
        "the shuffler counts what is inside": lambda _felt: deck.InsideCounted(device=SHUFFLER, count=total),
        "every card is recognised": recognised,
        "a strange card is recognised": lambda felt: recognised(felt, stray=1),
        "a card of red is recognised": lambda felt: recognised(felt, of_red=1),
        "a strange card is recognised, one short": lambda felt: recognised(felt, stray=1, less=1),
        "the shuffler's service ends": lambda _felt: person.ServiceEnding(by=FLOOR, device=SHUFFLER),
        "a deck is put in": lambda felt: deck.DeckLoaded(device=SHUFFLER, batch=felt.batch + 1, count=total),
    }


def recognised(felt: AnyGame, stray: int = 0, less: int = 0, of_red: int = 0) -> Fact:
    """A shuffle of blue is done, and every card was recognised; so many are others, missing, or of red."""
    cards, found = dict(felt.setup.composition), None
    if cards:
        first, second, *_ = cards
        cards[first] += stray
        cards[second] -= stray + less + of_red
        found = {"blue": cards, **({"red": {first: of_red}} if of_red else {})}
    about = {"device": SHUFFLER, "batch": felt.batch, "mode": "shuffle", "count": felt.total - less}
    return deck.ShuffleCompleted.model_validate({**about, "composition": found})


def _of_a_shoe(felt: AnyGame, name: str) -> dict[str, Tell]:
    total, hand = felt.total, felt.setup.hand_cards
    left = {"": None, " with the right rest": 0, " with a wrong rest": 1}
    found: dict[str, Tell] = {
        "cards are put in": lambda _felt: card.ShoeLoaded(device=name, count=total),
        "cards are put in, one short": lambda _felt: card.ShoeLoaded(device=name, count=total - 1),
        "cards are put in, uncounted": lambda _felt: card.ShoeLoaded(device=name),
        "a card comes": lambda _felt: card.CardDrawn(device=name, face_up=False),
        "a card lies face up": lambda _felt: card.CardDrawn(
            device=name, face_up=True, rank="6", suit="clubs"
        ),
        "a card is shown": lambda _felt: card.CardDrawn(
            device=name, face_up=False, shown=True, rank="6", suit="clubs"
        ),
        "a stack comes": lambda _felt: card.StackDispensed(device=name, size=hand),
        "a stack of one more": lambda _felt: card.StackDispensed(device=name, size=hand + 1),
        "the cover card comes": lambda _felt: card.CoverCardDrawn(device=name),
        "the shoe jams": lambda _felt: card.ShoeJammed(device=name),
        "the shoe stops": lambda _felt: card.ShoeStopped(device=name),
        "the shoe is empty": lambda _felt: card.ShoeEmptied(device=name),
    }
    for words, more in left.items():
        found[f"the shoe is emptied{words}"] = lambda felt, more=more: card.ShoeUnloaded(
            device=name, count=None if more is None else _in_shoe(felt) - more
        )
    return found


def _in_shoe(felt: AnyGame) -> int:
    return max(1, sum(one.places["shoe"] for one in felt.state.decks.values()))


def _of_a_box_without_end(felt: AnyGame, name: str) -> dict[str, Tell]:
    total = felt.total
    return {
        "cards are put back": lambda _felt: card.CardsReturned(device=name, count=1),
        "a card comes": lambda _felt: card.CardDrawn(device=name, face_up=False),
        "a card lies face up": lambda _felt: card.CardDrawn(
            device=name, face_up=True, rank="6", suit="clubs"
        ),
        "a card is shown": lambda _felt: card.CardDrawn(
            device=name, face_up=False, shown=True, rank="6", suit="clubs"
        ),
        "the box counts all": lambda felt: deck.InsideCounted(device=name, count=_in_shoe(felt)),
        "the box counts one short": lambda felt: deck.InsideCounted(device=name, count=_in_shoe(felt) - 1),
        "the box jams": lambda _felt: deck.ShuffleInterrupted(device=name, batch=1, why="jam"),
        "the box gives no card": lambda _felt: card.ShoeJammed(device=name),
        "the box is empty": lambda _felt: card.ShoeEmptied(device=name),
        "the box is emptied": lambda felt: card.ShoeUnloaded(device=name, count=_in_shoe(felt)),
        "the box is emptied, all cards": lambda _felt: card.ShoeUnloaded(device=name, count=total),
    }


_OF_SMALL_DEVICES: dict[str, dict[str, Tell]] = {
    "shaker": {
        "the shaker is shaken": lambda _felt: draw.ShakerShaken(device=SHAKER),
        "the shaker is covered": lambda _felt: draw.ShakerCovered(device=SHAKER),
        "the shaker is uncovered": lambda _felt: draw.ShakerUncovered(device=SHAKER),
        "the shaker is alone": lambda _felt: draw.ShakerLeftUnattended(device=SHAKER, seconds=30),
        "dice are read, hardly shaken": lambda _felt: draw.DiceRead(
            device=SHAKER, faces=(1, 2, 3), flat=True, inside=True
        ),
        "dice cannot be read": lambda _felt: draw.DiceRead(
            device=SHAKER, faces=(1, 2, 0), flat=True, inside=True
        ),
        "a die is not flat": lambda _felt: draw.DiceRead(
            device=SHAKER, faces=(1, 2, 0), flat=False, inside=True
        ),
        "a die is out": lambda _felt: draw.DiceRead(device=SHAKER, faces=(1, 2, 0), flat=True, inside=False),
        "a die is out, one not flat": lambda _felt: draw.DiceRead(
            device=SHAKER, faces=(1, 2, 0), flat=False, inside=False
        ),
        "dice are too old": lambda _felt: system.TimerDue(timer="dice-age/shaker-1", overdue_s=0),
        "the age of dice is not known": lambda _felt: system.TimerUnknown(timer="dice-age/shaker-1"),
        "dice are changed": lambda _felt: person.DiceChanged(by=FLOOR, device=SHAKER),
    },
    "rng": {
        "the generator is well": lambda _felt: draw.GeneratorHealthTold(device="rng-1", state="good"),
        "the generator is not well": lambda _felt: draw.GeneratorHealthTold(device="rng-1", state="bad"),
    },
    "hole-card-reader": {
        "a hole card is put in": lambda _felt: reader.HoleCardInserted(device=READER),
        "the reader says Blackjack": lambda _felt: reader.HoleCardRead(device=READER, blackjack=True),
        "the reader says no Blackjack": lambda _felt: reader.HoleCardRead(device=READER, blackjack=False),
        "the reader cannot tell": lambda _felt: reader.HoleCardUnreadable(device=READER, why="dirty"),
        "the hole card is taken out": lambda _felt: reader.HoleCardRemoved(device=READER),
        "the reader is opened": lambda _felt: reader.ReaderTampered(device=READER, open=True),
        "the reader is shut": lambda _felt: reader.ReaderTampered(device=READER, open=False),
    },
    "progressive-station": {
        "a progressive wager is laid": lambda _felt: station.ProgressiveBet(
            device=STATION, seat=1, present=True
        ),
        "a progressive wager is taken": lambda _felt: station.ProgressiveBet(
            device=STATION, seat=1, present=False
        ),
        "Start Game is pressed": lambda _felt: station.StartGamePressed(device=STATION),
        "the station takes wagers": lambda _felt: station.ProgressiveBetsLocked(device=STATION, seats=(1,)),
        "the station sees a late wager": lambda _felt: station.LateBetSeen(device=STATION, seat=1),
        "a taken wager is gone": lambda _felt: station.LockedBetRemoved(device=STATION, seat=1),
        "a winning hand is keyed in": lambda _felt: station.ProgressiveHand(
            device=STATION, seat=1, rank="royal-flush"
        ),
    },
}


def _rest(less: int) -> Tell:
    """The dealer counts as many cards as the deal has left, or so many fewer."""

    def tell(felt: AnyGame) -> Fact:
        left = felt.total - (felt.state.round.cards if felt.state.round else 0) - less
        return person.DeckCounted(by=DEALER, deck="red", count=left, part="remaining")

    return tell


def _of_people(felt: AnyGame) -> dict[str, Tell]:
    total = felt.total

    def counted(name: str, count: int, part: str = "deck") -> Tell:
        fact = person.DeckCounted.model_validate({"by": DEALER, "deck": name, "count": count, "part": part})
        return lambda _felt: fact

    def ordered(what: str) -> Tell:
        fact = person.FloorOrdered.model_validate({"by": FLOOR, "what_ordered": what, "deck": "red"})
        return lambda _felt: fact

    def withdrawn(_felt: AnyGame) -> Fact:
        return person.CardWithdrawn(by=FLOOR, deck="red", place="discard", why="bent")

    return {
        "red is counted": counted("red", total),
        "red is counted, one short": counted("red", total - 1),
        "three are counted left": counted("red", 3, "remaining"),
        "the right rest is counted": _rest(0),
        "one less than the right rest is counted": _rest(1),
        "a shuffle is ordered": ordered("shuffle"),
        "a reshuffle is ordered": ordered("reshuffle"),
        "a recut is ordered": ordered("recut"),
        "a card is withdrawn": withdrawn,
        "red is not in order": lambda _felt: person.Inspected(by=FLOOR, deck="red", result="not-in-order"),
        "red is in order": lambda _felt: person.Inspected(by=FLOOR, deck="red", result="in-order"),
        "red is too old": lambda _felt: system.TimerDue(timer="deck-age/red", overdue_s=0),
        "red is too old for the hand": lambda _felt: system.TimerDue(
            timer="deck-age-by-hand/red", overdue_s=0
        ),
        "the age of red is not known": lambda _felt: system.TimerUnknown(timer="deck-age/red"),
        "blue comes": lambda _felt: person.DeckChanged(by=FLOOR, deck="blue"),
        "blue comes preshuffled": lambda _felt: person.DeckChanged(by=FLOOR, deck="blue", preshuffled=True),
        "the void round is released": lambda felt: person.RoundReleased(by=FLOOR, round=felt.state.rounds),
        "another dealer comes": lambda _felt: person.DealerCame(by=DEALER),
        "the round ends": lambda _felt: person.RoundEnded(by=DEALER),
        "an order fails": lambda felt: device.OrderAnswered(device=felt.box, order=1, result="failed"),
        "an order is done": lambda felt: device.OrderAnswered(device=felt.box, order=1, result="done"),
    }
