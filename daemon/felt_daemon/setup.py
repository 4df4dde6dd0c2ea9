"""From the configuration and the pack to what the table knows of itself before its first row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.config.packs import packs_of
from felt_daemon.table import Setup, set_up, ways_of
from felt_protocols.link.families import FAMILIES

if TYPE_CHECKING:
    from felt_daemon.config import Config
    from felt_daemon.rules import Pack


def pack_of(config: Config) -> Pack:
    """The pack of the configured game as the house's answers make it; raises `BadPack` or `OSError`."""
    return packs_of(config.rules.packs).load(config.table.game, config.elections)


def pack_text_of(config: Config) -> str:
    """The same pack as one text, whatever the house elects: what the journal stores; raises as `pack_of`."""
    return packs_of(config.rules.packs).text(config.table.game)


def setup_of(config: Config, pack: Pack) -> Setup:
    """What is on the felt, and the numbers of the game."""
    return set_up(
        pack,
        table=config.table.id,
        devices={name: device.family for name, device in config.devices.items()},
        decks={name: deck.back for name, deck in config.decks.items()},
        method=ways_of(pack, config.elections),
        told={"no-more-bets": config.panel.no_more_bets, "round-end": config.panel.round_end},
        escalation=(
            ("dealer", 0),
            ("floor", config.escalation.floor_after_s),
            ("shift-manager", config.escalation.shift_manager_after_s),
        ),
        selftests=frozenset(
            name for name, device in config.devices.items() if "selftest" in FAMILIES[device.family].orders
        ),
        consumers=frozenset(config.consumers),
    )
