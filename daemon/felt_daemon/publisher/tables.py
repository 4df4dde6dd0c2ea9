"""What the publisher needs to fold a table: its state before the first row, and its picture."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from felt_daemon.setup import pack_of, setup_of
from felt_daemon.table import State, blank, picture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_daemon.config import Config


def blank_and_picture(config: Config) -> tuple[State, Callable[[State], Mapping[str, dict[str, Any]]]]:
    """The blank state of the configured table and the function that gives its picture."""
    pack = pack_of(config)
    return blank(setup_of(config, pack)), functools.partial(picture, pack)
