"""Every device that can be driven: one line for each family and link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_drivers import (
    continuous_shuffler,
    dealers_panel,
    generator,
    hole_card_reader,
    progressive_station,
    shaker,
    shoe,
    shuffler,
)
from felt_drivers.felt_link import FeltLink
from felt_drivers.supervise import trusted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_drivers.contract import Clock, Device, Driver, Mark, Take
    from felt_drivers.facts import Screen, Table

# (family, link) -> what the family's events mean
CATALOGUE: Mapping[tuple[str, str], Table] = {
    ("shuffler", "felt-link"): shuffler.FACTS,
    ("shoe", "felt-link"): shoe.FACTS,
    ("shaker", "felt-link"): shaker.FACTS,
    ("continuous-shuffler", "felt-link"): continuous_shuffler.FACTS,
    ("hole-card-reader", "felt-link"): hole_card_reader.FACTS,
    ("progressive-station", "felt-link"): progressive_station.FACTS,
    ("rng", "felt-link"): generator.FACTS,
    ("dealers-panel", "felt-link"): dealers_panel.FACTS,
}

# (family, link) -> how the family is told what people are to see; the others show nothing
SCREENS: Mapping[tuple[str, str], Screen] = {("dealers-panel", "felt-link"): dealers_panel.orders}


def driver(device: Device, *, clock: Clock, take: Take, session: int, last: Mark | None = None) -> Driver:
    """The driver of a configured device, not started.

    `session`: a 64-bit number, another one for each run of the process; `last`: the device's last event
    that is committed. Raises `KeyError` for a family and link that the catalogue does not have.
    """
    which = device.family, device.link
    return FeltLink(
        device,
        table=CATALOGUE[which],
        clock=clock,
        take=trusted(take),
        session=session,
        last=last,
        screen=SCREENS.get(which),
    )
