"""Tables of any game whose past is put into a journal, with the pack and the configuration then in force."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from felt_daemon.config import parse as parse_config
from felt_daemon.folding import marks_of, snapshot_of
from felt_daemon.journal import Journal, Reader
from felt_daemon.rules.library import digest_of, text_of
from felt_daemon.setup import pack_of, setup_of
from felt_daemon.shell.rows import entry_of
from felt_daemon.shell.software import packages, software_digest
from felt_daemon.table import blank, evolve
from felt_protocols.events.system import Started

from ..story.house import EVENING_US  # noqa: TID252 - tests are no package that could be named

if TYPE_CHECKING:
    from pathlib import Path

    from felt_daemon.config import Config
    from felt_protocols.events import Row

    from ..regulations.spoken_table import SpokenTable  # noqa: TID252 - as above


def config_of(bench: SpokenTable) -> Config:
    """The configuration of a table of tests: its devices, its decks, and what its house answered."""
    answers = {"shuffle": bench.setup.method["shuffle"], **bench.elections}
    words = {name: f'"{answer}"' if isinstance(answer, str) else answer for name, answer in answers.items()}
    lines = [
        f'[table]\nid = "t-1"\nname = "Table 1"\ngame = "{bench.setup.game}"',
        'time_zone = "America/New_York"\ngaming_day_start = 06:00:00',
        '[rules_submission]\nreference = "RS-2026-0117"\ndate = 2026-01-17',
        "[elections]",
        *(f"{name} = {word}" for name, word in words.items()),
        *(
            f'[devices.{name}]\nfamily = "{kind}"\nport = "/dev/{name}"'
            for name, kind in bench.families.items()
        ),
        *(f'[decks.{name}]\nback = "{back}"' for name, back in bench.setup.decks.items()),
        '[journal]\ndirectory = "/var/lib/feltd"\n[broker]\nmode = "embedded"',
    ]
    return parse_config("\n".join(lines).encode(), "table.toml")


@dataclass(frozen=True)
class Kept:
    """A journal, the configuration in it, and the rows that are in it."""

    path: Path
    config: Config
    rows: list[Row]

    @property
    def epoch(self) -> str:
        """The journal's epoch."""
        with Reader(self.path) as journal:
            return journal.epoch

    def row(self, kind: type[Any], nth: int = 0, **fields: object) -> Row:
        """One of the rows of this kind with these fields, the first by default."""
        found = [
            one
            for one in self.rows
            if isinstance(one.event, kind)
            and all(getattr(one.event, name) == value for name, value in fields.items())
        ]
        return found[nth]

    def again(self, path: Path, *, state_after: int) -> Kept:
        """The same in another file, with a snapshot of the state after a row."""
        write(path, self.config, self.rows[:state_after], with_state=True)
        write(path, self.config, self.rows[state_after:])
        return replace(self, path=path)


def keep(bench: SpokenTable, path: Path) -> Kept:
    """Put all rows of a table into a new journal, durably."""
    config, text = config_of(bench), text_of(bench.setup.game)
    # What the table went by in the test is what the configuration says.
    assert setup_of(config, bench.pack).method == bench.setup.method
    in_force = {
        "pack_digest": digest_of(text),
        "config_digest": config.digest,
        "elections": dict(config.elections),
    }
    rows = [
        replace(row, event=row.event.model_copy(update=in_force)) if isinstance(row.event, Started) else row
        for row in bench.rows
    ]
    write(path, config, rows)
    return Kept(path, config, rows)


def write(path: Path, config: Config, rows: list[Row], *, with_state: bool = False) -> None:
    """Append rows to a journal, durably, and keep the state that they make, from the first one on."""
    text, pack = text_of(config.table.game), pack_of(config)
    setup = setup_of(config, pack)
    journal = _opened(path)
    journal.store_pack(digest_of(text), text)
    journal.store_config(config.digest, config.text)
    journal.append([entry_of(row) for row in rows])
    journal.close(10.0)
    if with_state:
        journal = _opened(path)
        state = reduce(evolve, rows, blank(setup))
        marks = marks_of(software_digest(packages()), digest_of(text), setup)
        journal.keep(snapshot_of(state, marks), setup.table, state.seq)
        journal.close(10.0)


def _opened(path: Path) -> Journal:
    return Journal.open(
        path, now=lambda: EVENING_US, on_commit=lambda _heads: None, on_trouble=lambda _trouble: None
    )
