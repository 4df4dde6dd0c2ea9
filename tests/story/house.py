"""A table whose rows go into a real journal, and what becomes of it in an evening."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from felt_daemon.journal import Journal
from felt_daemon.rules.library import digest_of, text_of
from felt_daemon.shell.rows import entry_of
from felt_daemon.table import admit
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import Fact, Moment, person, system

from ..regulations.felt_bench import Bench  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# 2026-11-30T19:00:00Z: so every time of the story is a time of that evening.
EVENING_US = 1_796_065_200_000_000
LADDER = (("dealer", 0), ("floor", 30), ("shift-manager", 90))
PACK_TEXT = text_of("659a")
# What somebody may type who would rather that the page says something else.
SPITE = "<script>alert('x')</script> \u202e & \"so\" \u0639\u0645\u0631"


class House(Bench):
    """One table with an escalation ladder, in an evening of November 2026."""

    def __init__(self) -> None:
        self.trusted = True
        self.boot = "boot-1"
        super().__init__(escalation=LADDER)

    def _started(self) -> Fact:
        return system.Started(
            version="0.1.0",
            epoch="0123456789abcdef",
            pack="659a",
            pack_digest=digest_of(PACK_TEXT),
            config_digest="c0" * 32,
            elections={},
            reference="RS-2026-0117",
            reference_date="2026-01-17",
            gaming_day="2026-11-30",
            software_digest="50" * 32,
        )

    def _moment(self, age_s: float = 0.0, *, late: bool = False) -> Moment:
        at = super()._moment(age_s, late=late)
        return replace(at, boot=self.boot, utc_us=at.utc_us + EVENING_US, trusted=self.trusted)

    def give(
        self,
        command: commands.Command,
        by: person.Person,
        second: person.Person | None = None,
    ) -> None:
        """A command as the shell takes it: what is refused is a row too."""
        try:
            fact: Fact = admit(self.pack, self.table.state, command, by, second)
        except CommandRefused as refusal:
            fact = person.CommandRejected(command=command.name, by=by, reason=str(refusal))
        self.take(fact)

    def jam(self) -> None:
        """The shoe jams in a round, three stacks dealt."""
        self.open()
        self.ready_to_deal()
        self.deal(3)
        self.fault("shoe-1", "jam=24")
        self.shoe.press_deal(self.now)
        self.run(5.0)

    def clear(self) -> None:
        """All cards are taken out of the shoe, the round is released."""
        self.empty_shoe()
        self.command(commands.ReleaseRound())
        self.rack += self.felt
        self.felt = []


FLOOR = person.Person(role="floor", name="Ann", proof="pin")
SPITEFUL = person.Person(role="floor", name=SPITE, proof="signed", key="k-7")
DEALER = person.Person(role="dealer", name="Dan", proof="stated")


def overridden_evening() -> House:
    """Incident 1: a jam that nobody owns for long, is refused, owned, cleared and in part overridden."""
    house = House()
    house.jam()
    house.press("acknowledge")
    house.press("call-floor")
    house.run(100.0)
    house.give(commands.ReleaseRound(), FLOOR)
    house.give(commands.Acknowledge(hold=1), FLOOR)
    house.give(commands.Acknowledge(hold=2), FLOOR)
    house.give(commands.Acknowledge(hold=9), FLOOR)
    house.clear()
    house.run(10.0)
    house.give(commands.Override(hold=2, reason=SPITE), FLOOR, SPITEFUL)
    house.run(5.0)
    return house


@contextmanager
def writing(path: Path) -> Iterator[Journal]:
    """A journal that is open for writing, as the daemon has it."""
    journal = Journal.open(
        path, now=lambda: EVENING_US, on_commit=lambda _heads: None, on_trouble=lambda _trouble: None
    )
    try:
        yield journal
    finally:
        journal.close(10.0)


def write(house: House, path: Path) -> None:
    """Put all its rows into a new journal, durably, with the text of its pack."""
    with writing(path) as journal:
        journal.store_pack(digest_of(PACK_TEXT), PACK_TEXT)
        journal.append([entry_of(row) for row in house.rows])
