"""From the configuration and the pack to what the table knows of itself before its first row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.rules import load
from felt_daemon.table import Setup

if TYPE_CHECKING:
    from felt_daemon.config import Config
    from felt_daemon.rules import Pack


def pack_of(config: Config) -> Pack:
    """The pack of the configured game; raises `BadPack`."""
    return load(config.table.game)


def setup_of(config: Config, pack: Pack) -> Setup:
    """What is on the felt, and the numbers of the game."""

    def number(name: str) -> int:
        value = pack.constants[name]
        if not isinstance(value, int):
            raise TypeError(f"the pack's {name} is no number")
        return value

    return Setup(
        table=config.table.id,
        game=config.table.game,
        devices={name: device.family for name, device in config.devices.items()},
        decks={name: deck.back for name, deck in config.decks.items()},
        deck_total=number("deck_total"),
        hand_cards=number("hand_cards"),
        positions=number("positions"),
    )
