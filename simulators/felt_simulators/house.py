"""A house for one simulated run: a folder with a configuration, lines, sockets and the daemon in it."""

from __future__ import annotations

import copy
import shutil
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt_simulators import toml
from felt_simulators.chance import seeded
from felt_simulators.felt import read_plan, set_up
from felt_simulators.host import LIMIT_S, Host
from felt_simulators.scenario import BEGINS
from felt_simulators.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from types import TracebackType
    from typing import Self


class House:
    """Host, devices and daemon of one run; a context that leaves nothing open behind it.

    `command` starts the daemon; without one it is `felt run` with a configuration of its own, made from
    `config` with these `changes`, whose journal, control socket and broker are in `folder`. `builds` says how
    simulated devices are built. Raises `NoTable` and `OSError`.
    """

    def __init__(  # noqa: PLR0913 - what makes one run differ from another, by name
        self,
        config: Path,
        folder: Path,
        seed: int,
        *,
        command: Sequence[str] = (),
        changes: Mapping[str, Any] | None = None,
        builds: Mapping[str, Any] | None = None,
        begins: datetime = BEGINS,
        port: int = 0,
        limit_s: float = LIMIT_S,
    ) -> None:
        self.folder = folder
        self.log = folder / "felt.log"
        self.plan = read_plan(config, changes or {}, builds or {})
        self.plan.complete()
        self.machines = set_up(self.plan, folder / "lines", seed)
        self.control = self.plan.control if command else folder / "control"
        self.journal = folder / "state" / "journal.db"
        self._port = port
        line = list(command) or self._own_command()
        self.seat = Seat(folder / "time", line, self.log)
        boot = str(uuid.UUID(int=seeded(seed ^ 0x5EED).getrandbits(128), version=4))
        cables = list(self.machines.cables.values())
        self.host = Host(
            self.seat, cables, boot=boot, utc_us=round(begins.timestamp()) * 1_000_000, limit_s=limit_s
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.seat.close()
        self.machines.close()

    def _own_command(self) -> list[str]:
        config = self.folder / "table.toml"
        config.write_text(toml.written(self._own_document()), encoding="utf-8")
        state = str(self.folder / "state")
        return [felt(), "run", str(config), "--state-dir", state, "--control", str(self.control)]

    def _own_document(self) -> dict[str, Any]:
        document = copy.deepcopy(dict(self.plan.document))
        document["broker"] = {"mode": "embedded", "port": self._port}
        document["control"] = {"socket": str(self.control)}
        document["journal"] = {"directory": str(self.folder / "state")}
        for name, device in document["devices"].items():
            device["port"] = str(self.machines.cables[name].line.link)
        return document


def felt() -> str:
    """The program `felt`: beside this Python, or where the PATH finds it."""
    beside = Path(sys.executable).with_name("felt")
    return str(beside) if beside.exists() else shutil.which("felt") or "felt"
