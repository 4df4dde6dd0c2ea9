"""A table of any game, dealt in any of its ways, and the situations of a round that it can be brought to."""

from __future__ import annotations

import functools

from felt_daemon.rules import load
from felt_daemon.table import set_up
from felt_protocols.errors import CommandRefused
from felt_protocols.events import card, deck, device, draw, person

from .felt import DEALER, FLOOR, Felt, connected

AUTOMATED, MANUAL, HAND, ENDLESS = "automated-shoe", "manual-shoe", "hand", "continuous-shuffler"
POKER = ("659a", "663a", "671a", "687a")
BACCARAT = ("627a", "629a", "631a")
# What a house must answer where the text does not, small enough to deal by hand.
ANSWERS: dict[str, dict[str, int | str | bool]] = {
    "627a": {"decks": 1, "batches": 2, "burn": "nothing", "house_money": "offered", "cards_face": "face-up"},
    "629a": {"decks": 1, "batches": 2, "burn": "nothing", "house_money": "offered"},
    "631a": {"decks": 1, "batches": 2, "burn": "nothing", "house_money": "offered", "seats": 14},
    "633a": {"decks": 1, "batches": 2, "optional_wagers": "offered"},
    "635a": {"cards": 52, "batches": 2},
    "637a": {"variant": "badugi", "seats": 9, "deck": 52, "decks": 2},
    "659a": {},
    "663a": {"poker_bonus": "not-offered"},
    "665a": {"reader": "hides-value", "bust_it": "offered", "batches": 2},
    "671a": {},
    "672a": {"decks": 6, "batches": 2},
    "673a": {"decks": 1, "batches": 2},
    "686a": {"batches": 2},
    "687a": {"progressive_twos": "natural"},
}
START = {
    **dict.fromkeys(BACCARAT, "players-hand"),
    "633a": "untold",
    "635a": "untold",
    "637a": "button",
    "659a": "shaker",
}


# What a house may have chosen otherwise, by a word for it.
HOUSES: dict[str, dict[str, int | str | bool]] = {
    "a generator": {},
    "bets are advice": {},
    "a shoe that tells nothing": {},
    "a device that reshuffles by itself": {"self_reshuffling": "yes"},
    "a reader that shows value": {"reader": "shows-value"},
    "no up card told": {"up_card": "not-told"},
    "Super Seven": {"variant": "super-seven-card-stud"},
    "the call is told": {"call": "told"},
    "no progressive": {"progressive_twos": "not-offered"},
    "no optional wagers": {"optional_wagers": "not-offered"},
}


class AnyGame(Felt):
    """One table. Devices are called by their family, `shoe-1`; two decks, red and blue.

    `house`: what it has chosen otherwise than the others, by its word.
    """

    def __init__(self, chapter: str, deal: str, house: str = "") -> None:
        shuffle = ENDLESS if deal == ENDLESS else "device"
        answers = {**ANSWERS[chapter], "deal": deal, "shuffle": shuffle, **HOUSES.get(house, {})}
        start = "generator" if house == "a generator" else START.get(chapter, "left")
        pack = load(chapter, answers)
        box = ENDLESS if deal == ENDLESS else "shoe"
        without = {"shoe", "shuffler", ENDLESS} - ({box} if deal == ENDLESS else {box, "shuffler"})
        if deal == HAND or house == "a shoe that tells nothing":
            without.add("shoe")
        if start == "generator":
            without.add("shaker")
        else:
            without.add("rng")
        families = [family for family in pack.families if family not in without]
        self.chapter = chapter
        self.deals = deal
        self.house = house
        names = ("red",) if deal == ENDLESS else ("red", "blue")
        super().__init__(
            pack,
            set_up(
                pack,
                table="t-1",
                devices={f"{family}-1": family for family in families},
                decks={name: name for name in names},
                method={"shuffle": shuffle, "deal": deal, "start": start},
                told={"no-more-bets": "advice"} if house == "bets are advice" else {},
                selftests=frozenset({"shuffler-1"} & {f"{family}-1" for family in families}),
            ),
        )

    def another(self) -> AnyGame:
        """Another table at the same point, which goes its own way from here."""
        found = self.twin()
        assert isinstance(found, AnyGame)
        return found

    @property
    def by_people(self) -> bool:
        """Whether people deal and no device tells of cards."""
        return not (self.has("shoe") or self.has(ENDLESS))

    @property
    def total(self) -> int:
        """The cards of a deck."""
        return self.setup.deck_total

    @property
    def box(self) -> str:
        """What cards come out of."""
        return f"{ENDLESS}-1" if self.deals == ENDLESS else "shoe-1"

    def has(self, family: str) -> bool:
        """Whether there is a device of this family."""
        return f"{family}-1" in self.setup.devices

    def knows(self, report: str) -> bool:
        """Whether people can report this."""
        return report in self.pack.reports

    def try_report(self, what: str, role: str = "dealer", **about: object) -> bool:
        """Report something; whether it fits."""
        try:
            self.report(what, role, **about)
        except CommandRefused:
            return False
        return True

    # ---- the opening ---------------------------------------------------------------------------------

    def connect(self, *names: str) -> None:
        """Let devices be accepted and tell that they have kept nothing."""
        for name in names or self.setup.devices:
            hello = connected(name).model_copy(update={"family": self.setup.devices[name]})
            self.tell(hello, device.DeviceDrained(device=name, upto=0))

    def bring(self, name: str) -> None:
        """A new deck is prepared for its shuffle, as far as the game asks for it."""
        self.tell(person.DeckChanged(by=FLOOR, deck=name))
        marks = self.pack.opening.marks if self.pack.opening else ()
        for mark in marks:
            word, kind = next((word, kind) for word, kind in self.pack.reports.items() if kind.marks == mark)
            self.report(word, kind.by[0], deck=name)

    def shuffle_in(self) -> None:
        """Put a deck into the shuffler and let it be shuffled and counted."""
        batch = self.batch = self.batch + 1
        self.tell(
            deck.DeckLoaded(device="shuffler-1", batch=batch, count=self.total),
            deck.ShuffleStarted(device="shuffler-1", batch=batch),
            deck.ShuffleCompleted(device="shuffler-1", batch=batch, mode="shuffle", count=self.total),
        )

    def open(self) -> None:
        """Red is where it is dealt from, blue shuffled in the shuffler, the table is open."""
        self.start()
        self.connect()
        for name, family in self.setup.devices.items():
            if family == "hole-card-reader":
                self.tell(person.Inspected(by=FLOOR, device=name, result="in-order"))
            if family == "shaker":
                self.tell(person.DiceChanged(by=FLOOR, device=name))
        self.bring("red")
        if self.deals == ENDLESS:
            self.tell(card.CardsReturned(device=self.box, count=self.total))
        else:
            self.shuffle_in()
            self.tell(deck.DeckUnloaded(device="shuffler-1", batch=self.batch, count=self.total))
            if self.knows("stack-cut"):
                self.report("stack-cut", deck="red")
            if self.has("shoe"):
                self.tell(card.ShoeLoaded(device="shoe-1", count=self.total))
            self.bring("blue")
            self.shuffle_in()
        self.tell(person.TableOpened(by=FLOOR))
        if self.state.burns:
            self.draw()

    # ---- a round -------------------------------------------------------------------------------------

    def draw(self, times: int = 1) -> None:
        """Let single cards come."""
        self.tell(*(card.CardDrawn(device=self.box, face_up=False) for _ in range(times)))

    def bets(self) -> None:
        """Two positions play, bets are closed, the starting position is known."""
        if self.knows("seats-playing"):
            self.report("seats-playing", seats=(1, 2))
        self.tell(person.BetsClosed(by=DEALER))
        if self.has("shaker"):
            self.start_position()
        if self.has("rng"):
            self.tell(draw.NumberDrawn(device="rng-1", number=3, draw=self.round.number))

    def hand_out(self, hands: int | None = None) -> None:
        """Deal hands out of the shoe: all of the round, or so many stacks or single cards."""
        size = self.setup.hand_cards
        due = 7 if self.chapter == "659a" else 3
        if self.deals == AUTOMATED:
            stacks = due if hands is None else hands
            self.tell(*(card.StackDispensed(device="shoe-1", size=size) for _ in range(stacks)))
        elif self.by_people:
            self.report("cards-dealt", deck="red")
        elif hands is not None:
            self.draw(hands)
        else:
            while self.state.phase in {"betting", "closed", "dealing"}:
                self.draw()


@functools.cache
def _opened(chapter: str, deal: str, house: str) -> AnyGame:
    felt = AnyGame(chapter, deal, house)
    felt.open()
    return felt


def opened(chapter: str, deal: str, house: str = "") -> AnyGame:
    """An open table before its first round."""
    return _opened(chapter, deal, house).another()
