"""A table whose whole past is in a journal: rows, rule packs and configurations, of one run or of several."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from felt_daemon.config import Config
from felt_daemon.config import parse as parse_config
from felt_daemon.journal import Journal
from felt_daemon.rules.library import digest_of, parse_pack, text_of
from felt_daemon.setup import setup_of
from felt_daemon.shell.rows import entry_of
from felt_daemon.table import Table, blank, evolve
from felt_daemon.table.failure import undecided

from ..regulations.felt_bench import Bench  # noqa: TID252 - tests are no package that could be named
from ..story.house import EVENING_US, LADDER, House  # noqa: TID252 - as above

if TYPE_CHECKING:
    from pathlib import Path

    from felt_protocols.events import Fact, Row

_TOML = """
[table]
id = "t-1"
name = "Table 1"
game = "659a"
time_zone = "America/New_York"
gaming_day_start = 06:00:00
[rules_submission]
reference = "RS-2026-0117"
date = 2026-01-17
[elections]
decks = 2
deal = "automated-shoe"
start = "shaker"
[devices.shuffler-1]
family = "shuffler"
port = "/dev/felt/shuffler"
[devices.shoe-1]
family = "shoe"
port = "/dev/felt/shoe"
[devices.shaker-1]
family = "shaker"
port = "/dev/felt/shaker"
[devices.panel-1]
family = "dealers-panel"
port = "/dev/felt/panel"
[decks.red]
back = "red"
[decks.blue]
back = "blue"
[escalation]
floor_after_s = {floor_after_s}
shift_manager_after_s = 90
[journal]
directory = "/var/lib/feltd"
[broker]
mode = "embedded"
"""
PACK_TEXT = text_of("659a")


def toml_of(floor_after_s: int = LADDER[1][1]) -> str:
    """The configuration of the table, as its file has it."""
    return _TOML.format(floor_after_s=floor_after_s)


def config_of(floor_after_s: int = LADDER[1][1]) -> Config:
    """The configuration of the table."""
    return parse_config(toml_of(floor_after_s).encode(), "table.toml")


class Past(House):
    """A house that keeps what was in force in each run."""

    def __init__(self) -> None:
        self.trusted = True
        self.boot = "boot-1"
        self.config = config_of()
        self.pack_text = PACK_TEXT
        self.packs = {PACK_TEXT}
        self.configs = {self.config.digest: self.config.text}
        Bench.__init__(self, escalation=LADDER, told={"no-more-bets": "told", "round-end": "told"})

    def _started(self) -> Fact:
        return (
            super()
            ._started()
            .model_copy(
                update={
                    "pack_digest": digest_of(self.pack_text),
                    "config_digest": self.config.digest,
                    "elections": dict(self.config.elections),
                }
            )
        )

    def again(self, config: Config | None = None, pack_text: str | None = None) -> None:
        """The daemon ends and starts, perhaps with another configuration or another pack."""
        self.config = config or self.config
        self.pack_text = pack_text or self.pack_text
        self.packs.add(self.pack_text)
        self.configs[self.config.digest] = self.config.text
        self.pack = parse_pack(self.pack_text, self.config.elections)
        self.setup = setup_of(self.config, self.pack)
        state = reduce(evolve, self.rows, blank(self.setup))
        self.table = Table(self.pack, state, simulated=True)
        self.connect()

    def fail_on(self, fact: Fact) -> list[Row]:
        """The rules fail on a fact, as the shell records it."""
        rows = undecided(self.table, fact, "", "KeyError at rulings.py:7", self._moment())
        self.rows += rows
        return rows

    def row(self, kind: type[Any], **fields: object) -> Row:
        """The first row of this kind with these fields."""
        return next(
            one
            for one in self.rows
            if isinstance(one.event, kind)
            and all(getattr(one.event, name) == value for name, value in fields.items())
        )


def write_past(past: Past, path: Path) -> None:
    """Put everything into a new journal, durably."""
    journal = Journal.open(
        path, now=lambda: EVENING_US, on_commit=lambda _heads: None, on_trouble=lambda _trouble: None
    )
    for text in past.packs:
        journal.store_pack(digest_of(text), text)
    for digest, text in past.configs.items():
        journal.store_config(digest, text)
    journal.append([entry_of(row) for row in past.rows])
    journal.close(10.0)
