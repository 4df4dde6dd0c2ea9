"""What people do at a table of Asia Poker, and what the table said.

What the table says is compared with what the devices know to be true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table import admit
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import Row, device, incident, person, ruling
from felt_simulators.cards import Card, new_deck

from .linked_table import BACKS, LinkedTable

if TYPE_CHECKING:
    from collections.abc import Callable

# What the dealer and the floorperson report of a deck before it is shuffled: 659a.4(a), (b), (c).
PREPARATION = (
    ("deck-inspected", "dealer"),
    ("inspection-verified", "floor"),
    ("deck-spread", "dealer"),
    ("player-looked", "dealer"),
    ("deck-washed", "dealer"),
)


class Bench(LinkedTable):
    """People at the table; every hand takes the time that the devices need."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - a linked table's own options
        self.cards: dict[str, list[Card]] = {
            name: new_deck(name, back, "table").stack() for name, back in BACKS.items()
        }
        # What people hold or have in front of them, and what lies in the discard rack.
        self.hand: list[Card] = []
        self.felt: list[Card] = []
        self.rack: list[Card] = []
        super().__init__(**options)

    # ---- people --------------------------------------------------------------------------------------

    def command(
        self,
        command: commands.Command,
        role: str = "floor",
        second: str = "",
        *,
        name: str = "Ann",
    ) -> list[Row]:
        """A person gives a command, perhaps with a second one; raises `CommandRefused`."""
        by = person.Person.model_validate({"role": role, "name": name})
        other = person.Person(role="floor", name=second) if second else None
        return self.take(admit(self.pack, self.table.state, command, by, other))

    def refused(
        self, command: commands.Command, role: str = "floor", second: str = "", *, name: str = "Ann"
    ) -> str:
        """The reason that a command is refused with; fails where it is not."""
        try:
            self.command(command, role, second, name=name)
        except CommandRefused as refusal:
            return str(refusal)
        raise AssertionError(f"{command.name} was not refused")

    def report(self, what: str, role: str = "dealer", **about: Any) -> list[Row]:  # noqa: ANN401 - what a report may name
        """Somebody reports what they saw; raises `CommandRefused`."""
        return self.command(commands.Report(what=what, **about), role)

    def press(self, button: str, what: str = "") -> None:
        """Press a button of the dealer's panel: bytes come over the line, and the table acts on them."""
        if button == "report":
            self.panel.press_report(what, self.now)
        else:
            self.panel.press(button, self.now)
        self.run(0.25)

    def seen(self, what: str, way: str) -> None:
        """The dealer reports what he saw, by this way: his panel's button or a command."""
        if way == "panel":
            self.press("report", what)
        else:
            self.report(what)

    def shown(self) -> tuple[str, ...]:
        """What the dealer reads on the panel."""
        return self.panel.display

    # ---- hands ---------------------------------------------------------------------------------------

    def until(self, condition: Callable[[], bool], limit_s: float = 120.0) -> None:
        """Let time pass until something is so."""
        end = self.now + limit_s
        while not condition():
            assert self.now < end, "it never came to that"
            self.run(0.25)

    def open(self) -> None:
        """Both decks shuffled, one in the shoe and one in the shuffler, dice new, table open."""
        self.until(lambda: all(one.link == "ready" for one in self.table.state.devices.values()))
        self.command(commands.ChangeDice(device="shaker-1"))
        self.bring("red")
        self.shuffle(self.cards["red"])
        self.to_shoe()
        self.bring("blue")
        self.shuffle(self.cards["blue"])
        self.command(commands.OpenTable())

    def bring(self, deck: str) -> None:
        """A new deck comes to the table and is prepared for its shuffle."""
        self.command(commands.ChangeDeck(deck=deck))
        for what, role in PREPARATION:
            self.report(what, role, deck=deck)

    def load(self, cards: list[Card]) -> None:
        """Put cards into the shuffler."""
        self.shuffler.load(cards, self.now)
        self.run(0.5)

    def shuffle(self, cards: list[Card]) -> None:
        """Put cards into the shuffler and wait for the end of its work."""
        self.load(cards)
        end = self.now + 40.0
        while self.shuffler.state.value in {"loaded", "shuffling"} and self.now < end:
            self.run(1.0)
        self.run(1.0)

    def look_inside(self) -> list[Card]:
        """Open the shuffler and take out what stayed in it."""
        self.shuffler.open_door(self.now)
        cards = self.shuffler.look_inside(self.now)
        self.shuffler.close_door(self.now)
        self.run(0.5)
        return cards

    def to_shoe(self) -> None:
        """Take the cards out of the shuffler and put them into the shoe."""
        self.hand = self.shuffler.unload(self.now)
        self.run(0.5)
        self.shoe.load(self.hand, self.now)
        self.hand = []
        self.run(0.5)

    def shake(self, times: int = 3) -> None:
        """Shake the covered shaker."""
        if not self.shaker.covered:
            self.shaker.cover(self.now)
        for _ in range(times):
            self.shaker.shake(self.now)
            self.run(1.0)

    def uncover(self) -> None:
        """Take the lid off and let the dice be read."""
        self.shaker.uncover(self.now)
        self.run(1.0)

    def no_more_bets(self) -> None:
        """The dealer's announcement."""
        self.command(commands.NoMoreBets(), "dealer")

    def ready_to_deal(self) -> None:
        """Bets closed, start position known."""
        self.no_more_bets()
        self.shake()
        self.uncover()

    def deal(self, stacks: int = 7) -> None:
        """Press the shoe's button for each stack, and take what comes."""
        for _ in range(stacks):
            self.shoe.press_deal(self.now)
            self.run(3.0)
            self.felt += self.shoe.take_stack(self.now)

    def take_rest(self) -> None:
        """Take what is left out of the shoe."""
        self.rack += self.shoe.remove_rest(self.now)
        self.run(0.5)

    def empty_shoe(self) -> None:
        """Take every card out of a shoe that has stopped."""
        self.felt += self.shoe.clear_jam(self.now)
        self.run(0.5)
        self.take_rest()

    def cover_and_shake_once(self) -> None:
        """What is done with the shaker after the deal."""
        self.shaker.cover(self.now)
        self.shaker.shake(self.now)
        self.run(0.5)

    def end_round(self) -> None:
        """Finish the round; all its cards go to the rack."""
        self.command(commands.RoundEnd(), "dealer")
        self.rack += self.felt
        self.felt = []

    def play_round(self) -> None:
        """One sound round, and the change of decks after it."""
        self.finish_round()
        self.change_over()

    def change_over(self, *faults: str) -> None:
        """The other deck goes into the shoe, this one into the shuffler, which then has these faults."""
        self.to_shoe()
        for text in faults:
            self.fault("shuffler-1", text)
        used, self.rack = self.rack, []
        self.shuffle(used)

    def finish_round(self) -> None:
        """A sound round up to its end; the decks are not changed over yet."""
        self.ready_to_deal()
        self.deal()
        self.take_rest()
        self.cover_and_shake_once()
        self.end_round()

    def take_from_shuffler(self) -> list[Card]:
        """Take the cards out of the shuffler into the hand."""
        cards = self.shuffler.unload(self.now)
        self.run(0.5)
        return cards

    # ---- what was said -------------------------------------------------------------------------------

    def rulings(self, row: str = "") -> list[ruling.RulingMade]:
        """Rulings so far, of one row or of all but what links and devices themselves give rise to."""
        found = [one.event for one in self.rows if isinstance(one.event, ruling.RulingMade)]
        return [one for one in found if not row or one.row == row]

    def rows_of(self, kind: type[Any]) -> list[Any]:
        """Events of one class so far."""
        return [one.event for one in self.rows if isinstance(one.event, kind)]

    def only_ruling(self, row: str) -> ruling.RulingMade:
        """The one ruling that was made, which must be of this row."""
        assert [one.row for one in self.rulings()] == [row]
        return self.rulings()[0]

    def holds(self) -> set[tuple[str, str]]:
        """What is held now: row and subject."""
        return {(hold.row, hold.subject_id) for hold in self.state.holds.values()}

    def permits(self, name: str) -> list[dict[str, object]]:
        """The permits given to a device so far."""
        return [dict(one.args) for one in self.rows_of(device.OrderIssued) if one.device == name]

    def rows_of_orders(self, name: str) -> list[int]:
        """The numbers of the orders given to a device."""
        return [
            row.seq
            for row in self.rows
            if isinstance(row.event, device.OrderIssued) and row.event.device == name
        ]

    def incidents(self) -> list[incident.IncidentOpened]:
        """Incidents opened so far."""
        return self.rows_of(incident.IncidentOpened)

    def opened_rows(self) -> list[str]:
        """The rows of the incidents opened so far."""
        return [one.row for one in self.incidents()]

    def joined(self) -> list[int]:
        """How often each joining says that its trouble was told so far."""
        return [one.times for one in self.rows_of(incident.IncidentJoined)]
