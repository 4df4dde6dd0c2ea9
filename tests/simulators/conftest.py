"""What trials of simulated devices need: a host that listens over a real pseudo-terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_simulators.chance import seeded
from felt_simulators.line import Line
from felt_simulators.station import Station
from felt_simulators.trial import TrialHost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from felt_simulators.station import Device


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Callable[[Device, str], TrialHost]]:
    """Put a device on a line and let a host accept it; everything is closed at the end."""
    hosts: list[TrialHost] = []

    def listen(device: Device, family: str) -> TrialHost:
        line = Line(tmp_path / f"{family}-{len(hosts)}", seeded(1))
        line.open()
        host = TrialHost(Station(device, line), family)
        hosts.append(host)
        host.run(1.0)
        return host

    yield listen
    for host in hosts:
        host.close()
        host.station.line.close()
