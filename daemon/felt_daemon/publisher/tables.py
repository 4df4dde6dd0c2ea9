"""What the publisher needs to fold a table: its state before the first row, and its picture."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from felt_daemon.rules import load
from felt_daemon.table import Setup, State, blank, picture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_daemon.config import Config


def blank_and_picture(config: Config) -> tuple[State, Callable[[State], Mapping[str, dict[str, Any]]]]:
    """The blank state of the configured table and the function that gives its picture."""
    pack = load(config.table.game)
    setup = Setup(
        table=config.table.id,
        game=config.table.game,
        devices={name: one.family for name, one in config.devices.items()},
        decks={name: one.back for name, one in config.decks.items()},
        deck_total=int(pack.constants["deck_total"]),
        hand_cards=int(pack.constants["hand_cards"]),
        positions=int(pack.constants["positions"]),
    )
    return blank(setup), functools.partial(picture, pack)
