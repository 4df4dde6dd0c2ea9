"""What the publisher needs to fold a table: its state before the first row, and its picture."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from felt_daemon.folding import marks_of
from felt_daemon.rules.library import digest_of, parse_pack
from felt_daemon.setup import setup_of
from felt_daemon.shell.software import packages, software_digest
from felt_daemon.table import State, picture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_daemon.config import Config
    from felt_daemon.journal import Head
    from felt_daemon.publisher.source import Source

    Pictures = Mapping[str, dict[str, Any]]


def begun_and_picture(
    config: Config, pack_text: str, source: Source
) -> tuple[State, Head, Callable[[State], Pictures]]:
    """The state to fold on from, the row after which it is, and the function that gives a state's picture."""
    pack = parse_pack(pack_text, config.elections)
    setup = setup_of(config, pack)
    marks = marks_of(software_digest(packages()), digest_of(pack_text), setup)
    begun, after = source.begun(setup, marks)
    return begun, after, functools.partial(picture, pack)
