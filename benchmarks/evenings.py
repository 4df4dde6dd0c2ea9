"""Evenings of sound rounds, decided by the table itself out of facts as devices and people tell them.

One game has two decks of 53 cards, the other 416 cards in a shuffler without end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from felt_daemon.rules.library import digest_of
from felt_daemon.setup import pack_of, pack_text_of, setup_of
from felt_daemon.table import Table, blank
from felt_protocols.events import Fact, Moment, Row, card, deck, device, draw, person, system

if TYPE_CHECKING:
    from felt_daemon.config import Config

US_PER_S = 1_000_000
NS_PER_US = 1_000
BOOT = "an-earlier-boot"
FLOOR = person.Person(role="floor", name="Ann")
DEALER = person.Person(role="dealer", name="")
SECONDS_PER_ROUND = 60


class Evening(ABC):
    """A table whose rows are kept. `cycle`: so many rounds are what comes again."""

    game: ClassVar[str]
    cycle: ClassVar[int]

    def __init__(self, config: Config, began_us: int) -> None:
        pack = pack_of(config)
        self.table = Table(pack, blank(setup_of(config, pack)))
        self.rows: list[Row] = []
        self._config = config
        self._utc_us = self._began_us = began_us
        self._n: dict[str, int] = {}
        self._round = 0

    def take(self, fact: Fact) -> list[Row]:
        """Decide a fact; every order in it is answered."""
        self._utc_us += 100_000
        mono_ns = (self._utc_us - self._began_us) * NS_PER_US
        rows = self.table.take(fact, Moment(BOOT, "an-earlier-run", mono_ns, self._utc_us, trusted=True))
        self.rows += rows
        for row in rows:
            if isinstance(row.event, device.OrderIssued):
                self.take(device.OrderAnswered(device=row.event.device, order=row.seq, result="done"))
        return rows

    def tell(self, kind: type[Any], name: str, **fields: object) -> None:
        """A device tells something."""
        self._n[name] = self._n.get(name, 0) + 1
        self.take(kind(device=name, n=self._n[name], **fields))

    def begin(self) -> None:
        """From the first row to an open table."""
        self.take(started(self._config))
        for name, settings in self._config.devices.items():
            self.take(
                device.DeviceConnected(
                    device=name,
                    family=settings.family,
                    model="bench",
                    serial="1",
                    firmware="1",
                    digest="",
                    device_boot="0b",
                    same_boot=False,
                )
            )
            self.take(device.DeviceDrained(device=name, upto=0))
        self.open()

    @abstractmethod
    def open(self) -> None:
        """Decks come, are put where they belong, and the table opens."""

    def round(self) -> None:
        """One more round, a minute after the one before."""
        self._round += 1
        self._utc_us = self._began_us + self._round * SECONDS_PER_ROUND * US_PER_S
        self.play()

    @abstractmethod
    def play(self) -> None:
        """What happens in a round."""


class AsiaPoker(Evening):
    """Two decks take turns: one is shuffled while the other is dealt."""

    game = "659a"
    cycle = 2
    cards = 53

    def __init__(self, config: Config, began_us: int) -> None:
        super().__init__(config, began_us)
        self._batch = 0

    @override
    def open(self) -> None:
        self.take(person.DiceChanged(by=FLOOR, device="shaker-1"))
        self.take(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True))
        self._load()
        self._unload()
        self.take(person.DeckChanged(by=FLOOR, deck="blue", preshuffled=True))
        self.take(person.TableOpened(by=FLOOR))

    @override
    def play(self) -> None:
        self._load()
        self.tell(card.ShoeLoaded, "shoe-1", count=self.cards)
        self.take(person.BetsClosed(by=DEALER))
        for _ in range(3):
            self.tell(draw.ShakerShaken, "shaker-1")
        self.tell(draw.ShakerUncovered, "shaker-1")
        self.tell(draw.DiceRead, "shaker-1", faces=(1, 2, 3), flat=True, inside=True)
        for _ in range(7):
            self.tell(card.StackDispensed, "shoe-1", size=7)
        self.tell(card.ShoeUnloaded, "shoe-1", count=4)
        self.tell(draw.ShakerCovered, "shaker-1")
        self.tell(draw.ShakerShaken, "shaker-1")
        self._unload()
        self.take(person.RoundEnded(by=DEALER))

    def _load(self) -> None:
        self._batch += 1
        self.tell(deck.DeckLoaded, "shuffler-1", batch=self._batch, count=self.cards)
        self.tell(deck.ShuffleStarted, "shuffler-1", batch=self._batch)

    def _unload(self) -> None:
        shuffled = {"batch": self._batch, "count": self.cards}
        self.tell(deck.ShuffleCompleted, "shuffler-1", mode="shuffle", **shuffled)
        self.tell(deck.DeckUnloaded, "shuffler-1", **shuffled)


class FreeBet(Evening):
    """Eight decks in a shuffler without end; five players, whose hands go back into it after each round."""

    game = "672a"
    cycle = 1
    cards = 416
    seats = (1, 2, 3, 4, 5)
    # Two cards for each of them and the dealer, and what they take.
    dealt, taken = 12, 6

    @override
    def open(self) -> None:
        self.take(person.Inspected(by=FLOOR, device="reader-1", result="in-order"))
        self.take(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True))
        self.tell(card.CardsReturned, "shoe-1", count=self.cards)
        self.take(person.TableOpened(by=FLOOR))
        self.tell(card.CardDrawn, "shoe-1", face_up=False)
        self.tell(card.CardsReturned, "shoe-1", count=1)

    @override
    def play(self) -> None:
        self.take(person.Reported(by=DEALER, report="seats-playing", seats=self.seats))
        for number in range(self.dealt + self.taken):
            hole = number == self.dealt - 1
            name = {} if hole else {"rank": "6", "suit": "clubs"}
            self.tell(card.CardDrawn, "shoe-1", face_up=False, shown=not hole, **name)
        self.take(person.RoundEnded(by=DEALER))
        self.tell(card.CardsReturned, "shoe-1", count=self.dealt + self.taken)


GAMES: dict[str, type[Evening]] = {one.game: one for one in (AsiaPoker, FreeBet)}


def started(config: Config) -> system.Started:
    """The first fact of a run of this configuration."""
    return system.Started(
        version="bench",
        epoch="bench",
        pack=config.table.game,
        pack_digest=digest_of(pack_text_of(config)),
        config_digest=config.digest,
        elections=dict(config.elections),
        reference="",
        reference_date="",
        gaming_day="2026-01-01",
    )
