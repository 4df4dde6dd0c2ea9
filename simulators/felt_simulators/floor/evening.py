"""What a table of Asia Poker has to tell of its evening: rounds, and now and then a jam.

The rows are those that the rules make of such a round, written down here once and for all: their number,
their kinds and their sizes are what a floor gets from a real table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from felt_protocols.events import card, deck, device, draw, incident, person, ruling, system
from felt_protocols.events import round as rounds

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping

    from felt_protocols.events import Event

DECKS = ("red", "blue")
CARDS = 53
STACKS = 7
IN_A_STACK = 7
# So many rounds in a hundred have a jam.
JAMS_IN_A_HUNDRED = 5

SHOE, SHUFFLER, SHAKER = "shoe-1", "shuffler-1", "shaker-1"
_DEALER = person.Person(role="dealer", name="", proof="panel")
_FLOOR = person.Person(role="floor", name="Ann Bell", proof="pin")


class Told(NamedTuple):
    """One row to be: its event, what it belongs to, and whether the last fact is its cause."""

    event: Event
    context: Mapping[str, int | str]
    caused: bool = False


class Evening:
    """Rounds without end. The same dice give the same evening."""

    def __init__(self, rng: random.Random, epoch: str) -> None:
        self._rng = rng
        self._epoch = epoch
        self._n = 0
        self._batch = 0
        self._round = 0
        self._incidents = 0
        self._void = False
        self._on_table = 0

    def told(self) -> Iterator[Told]:
        """One row after the other."""
        yield Told(self._started(), {})
        while True:
            self._round += 1
            self._void = False
            self._on_table = 0
            yield from self._opened()
            yield from self._shuffled()
            yield from self._bets_closed()
            yield from self._dealt(jam_at=self._jam())
            yield from self._closed()

    def _started(self) -> Event:
        digest = f"{self._rng.getrandbits(256):064x}"
        return system.Started(
            version="simulated",
            epoch=self._epoch,
            pack="659a",
            pack_digest=digest,
            config_digest=digest,
            elections={"decks": 2, "deal": "automated-shoe", "start": "shaker"},
            reference="RS-2026-014",
            reference_date="2026-01-01",
            gaming_day="2026-01-01",
        )

    def _jam(self) -> int | None:
        """After how many stacks the shoe jams, if it does."""
        return self._rng.randrange(STACKS) if self._rng.randrange(100) < JAMS_IN_A_HUNDRED else None

    @property
    def _dealt_deck(self) -> str:
        return DECKS[self._round % 2]

    @property
    def _other_deck(self) -> str:
        return DECKS[(self._round + 1) % 2]

    def _of(self, deck_name: str = "") -> Mapping[str, int | str]:
        return {"round": self._round} | ({"deck": deck_name} if deck_name else {})

    def _count(self) -> int:
        """The device's own number of its next event."""
        self._n += 1
        return self._n

    def _opened(self) -> Iterator[Told]:
        number = self._round
        yield Told(rounds.RoundOpened(round=number), self._of(), caused=True)
        yield Told(rounds.PhaseChanged(round=number, phase="betting"), self._of(), caused=True)

    def _shuffled(self) -> Iterator[Told]:
        name, of = self._other_deck, self._of(self._other_deck)
        self._batch += 1
        batch = self._batch
        yield Told(deck.DeckLoaded(device=SHUFFLER, batch=batch, count=CARDS, n=self._count()), self._of())
        how = "the only deck at hand"
        mapped = deck.BatchMapped(device=SHUFFLER, batch=batch, deck=name, proved=True, how=how)
        yield Told(mapped, of, caused=True)
        yield Told(_moved(name, CARDS, "discard", "shuffler"), of, caused=True)
        yield Told(deck.ShuffleStarted(device=SHUFFLER, batch=batch, n=self._count()), of)
        done = deck.ShuffleCompleted(
            device=SHUFFLER,
            batch=batch,
            mode="shuffle",
            count=CARDS,
            n=self._count(),
            composition={name: {"JK": 1, **{f"{rank}{suit}": 1 for rank in "A23" for suit in "CDHS"}}},
        )
        yield Told(done, of)
        yield Told(deck.DeckUnloaded(device=SHUFFLER, batch=batch, count=CARDS, n=self._count()), of)
        yield Told(_moved(name, CARDS, "shuffler", "hand"), of, caused=True)

    def _bets_closed(self) -> Iterator[Told]:
        of, name, number = self._of(), self._dealt_deck, self._round
        yield Told(card.ShoeLoaded(device=SHOE, count=CARDS, n=self._count()), of)
        yield Told(_moved(name, CARDS, "hand", "shoe"), self._of(name), caused=True)
        yield Told(person.BetsClosed(by=_DEALER), of)
        yield Told(rounds.PhaseChanged(round=number, phase="closed"), of, caused=True)
        for _ in range(3):
            yield Told(draw.ShakerShaken(device=SHAKER, n=self._count()), of)
        yield Told(draw.ShakerUncovered(device=SHAKER, n=self._count()), of)
        faces = tuple(self._rng.randint(1, 6) for _ in range(3))
        yield Told(draw.DiceRead(device=SHAKER, faces=faces, flat=True, inside=True, n=self._count()), of)
        total = sum(faces)
        count = (total - 1) % STACKS + 1
        start = draw.StartPositionSet(
            round=number, total=total, count=count, seat=(STACKS + 1 - count) % STACKS
        )
        yield Told(start, of, caused=True)
        args: dict[str, int | str | bool] = {"round": number, "size": IN_A_STACK, "stacks": STACKS}
        order = device.OrderIssued(device=SHOE, order="permit", args=args, gate="deal", key=str(number))
        yield Told(order, of, caused=True)
        yield Told(device.OrderAnswered(device=SHOE, order=self._n, result="done"), of)

    def _dealt(self, jam_at: int | None) -> Iterator[Told]:
        name, of = self._dealt_deck, self._of(self._dealt_deck)
        for stack in range(STACKS):
            if stack == jam_at:
                yield from self._jammed(CARDS - stack * IN_A_STACK)
                return
            yield Told(card.StackDispensed(device=SHOE, size=IN_A_STACK, n=self._count()), of)
            yield Told(_moved(name, IN_A_STACK, "shoe", "table"), of, caused=True)
            self._on_table += IN_A_STACK
        rest = CARDS - STACKS * IN_A_STACK
        yield Told(card.ShoeUnloaded(device=SHOE, count=rest, n=self._count()), of)
        yield Told(_moved(name, rest, "shoe", "discard"), of, caused=True)
        yield Told(rounds.PhaseChanged(round=self._round, phase="playing"), of, caused=True)

    def _jammed(self, inside: int) -> Iterator[Told]:
        self._void = True
        self._incidents += 1
        number = self._incidents
        of = {**self._of(self._dealt_deck), "incident": number}
        yield Told(card.ShoeJammed(device=SHOE, where="gate", n=self._count()), of)
        about = {"row": "shoe-jam", "subject": "device", "subject_id": SHOE, "incident": number}
        yield Told(incident.IncidentOpened.model_validate(about), of, caused=True)
        ruled = about | {
            "cite": ("659a.13(m)",),
            "basis": "regulation",
            "effect": "stop",
            "says": "The automated shoe jammed during the round: the round is void.",
            "directives": ("return-wagers", "take-cards-from-shoe", "reshuffle"),
        }
        yield Told(ruling.RulingMade.model_validate(ruled), of, caused=True)
        held = about | {
            "hold": number,
            "index": 0,
            "cause": True,
            "gates": ("deal",),
            "stops": SHOE,
            "until": "the jam is cleared, the shoe is empty, and the round is released",
        }
        yield Told(incident.HoldOpened.model_validate(held), of, caused=True)
        yield Told(rounds.RoundVoided(round=self._round, row="shoe-jam"), of, caused=True)
        yield Told(person.HoldAcknowledged(by=_FLOOR, hold=number), of)
        yield Told(device.DeviceCleared(device=SHOE, n=self._count()), of)
        yield Told(card.ShoeUnloaded(device=SHOE, count=inside, n=self._count()), of)
        yield Told(_moved(self._dealt_deck, inside, "shoe", "discard"), of, caused=True)
        yield Told(person.RoundReleased(by=_FLOOR, round=self._round), of)
        ended = incident.HoldEnded(incident=number, hold=number, how="reported", by=_FLOOR, rounds=0, hands=6)
        yield Told(ended, of, caused=True)
        yield Told(incident.IncidentClosed(incident=number, rounds=0, hands=6), of, caused=True)

    def _closed(self) -> Iterator[Told]:
        of = self._of()
        yield Told(draw.ShakerCovered(device=SHAKER, n=self._count()), of)
        yield Told(person.RoundEnded(by=_DEALER), of)
        closed = rounds.RoundClosed(
            round=self._round, outcome="void" if self._void else "completed", hands=STACKS - 1
        )
        yield Told(closed, of, caused=True)
        name = self._dealt_deck
        if self._on_table:
            yield Told(_moved(name, self._on_table, "table", "discard"), {"deck": name}, caused=True)


def _moved(name: str, count: int, source: deck.Place, target: deck.Place) -> Event:
    return deck.CardsMoved(deck=name, count=count, source=source, target=target)
