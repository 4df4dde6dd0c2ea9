"""What was in force in each run: the rule pack and the table's setup, as the journal keeps them by digest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from felt_daemon.config import Config
from felt_daemon.folding import Marks, marks_of
from felt_daemon.rules.items import table_of
from felt_daemon.rules.library import (
    BadPack,
    digest_of,
    document_of_file,
    load_file,
    parse_pack,
    read_document,
)
from felt_daemon.setup import setup_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from felt_daemon.journal import Reader
    from felt_daemon.rules import Pack
    from felt_daemon.table.state import Setup
    from felt_protocols.events.system import Started

Elections = tuple[tuple[str, int | str | bool], ...]


class NoLaw(Exception):  # noqa: N818 - it is what was met
    """What was in force in a run cannot be had; the text says what is missing and why."""


@dataclass(frozen=True, slots=True)
class Law:
    """The pack and the setup of a run, and the marks of a state that was folded under them.

    `answers` are those that the house gave; `sets` names the election of each constant that one sets.
    """

    pack: Pack
    setup: Setup
    marks: Marks
    answers: Mapping[str, int | str | bool]
    sets: Mapping[str, str]

    def answer(self, election: str) -> int | str | bool | None:
        """What the house elected, by default what the pack says."""
        asked = self.pack.elections[election]
        by_default = asked.choices[0] if asked.by_default is None else asked.by_default
        return self.answers.get(election, by_default)


@dataclass(slots=True)
class Laws:
    """The law of each run of a journal.

    `software` is the digest of this program. `pack` is a file that takes the place of every stored pack, and
    `config` a configuration that takes the place of those that the journal does not hold.
    """

    reader: Reader
    software: str
    pack: Path | None = None
    config: Config | None = None
    _known: dict[tuple[str, str, Elections], Law] = field(
        default_factory=dict["tuple[str, str, Elections]", "Law"]
    )

    def of(self, started: Started) -> Law:
        """What was in force in the run that began so; raises `NoLaw`."""
        key = (started.pack_digest, started.config_digest, tuple(started.elections.items()))
        if key not in self._known:
            config = self._config(started.config_digest)
            if self.pack is None:
                pack, sets = self._stored(started.pack_digest, started.elections)
            else:
                pack, sets = self._own(self.pack, started.elections)
            setup = setup_of(config, pack)
            marks = marks_of(self.software, started.pack_digest, setup)
            self._known[key] = Law(pack, setup, marks, started.elections, sets)
        return self._known[key]

    def _stored(self, digest: str, elections: Mapping[str, int | str | bool]) -> tuple[Pack, dict[str, str]]:
        text = self.reader.pack(digest)
        if text is None:
            raise NoLaw(f"the journal does not hold the rule pack {digest[:12] or 'without a digest'}")
        if digest_of(text) != digest:
            raise NoLaw(f"the rule pack {digest[:12]} in the journal is not what its digest was made of")
        try:
            return parse_pack(text, elections), _sets(read_document(text))
        except BadPack as error:
            raise NoLaw(f"this release cannot read the rule pack {digest[:12]}: {error}") from None

    @staticmethod
    def _own(path: Path, elections: Mapping[str, int | str | bool]) -> tuple[Pack, dict[str, str]]:
        try:
            return load_file(path, elections), _sets(document_of_file(path))
        except BadPack as error:
            raise NoLaw(f"{path}: {error}") from None

    def _config(self, digest: str) -> Config:
        text = self.reader.config(digest)
        if text is None and self.config is not None:
            return self.config
        if text is None:
            raise NoLaw(f"the journal does not hold the configuration {digest[:12] or 'without a digest'}")
        try:
            config = Config.recalled(text)
        except ValueError as error:
            raise NoLaw(f"this release cannot read the configuration {digest[:12]}: {error}") from None
        if config.digest != digest:
            raise NoLaw(f"the configuration {digest[:12]} in the journal is not what its digest was made of")
        return config


def _sets(document: Mapping[str, Any]) -> dict[str, str]:
    """The election that sets each constant, of a pack's document before any is settled."""
    elections = table_of(document, "elections")
    return {
        constant: election
        for election in elections
        for constant in table_of(table_of(elections, election), "sets")
    }
