"""`felt run` as a program, and a table for it: two decks, and three devices that need not be there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from felt_daemon.control import NotReachable, call

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LIMIT_S = 60.0
_TABLE = """\
[table]
id = "{table}"
name = "Table {table}"
game = "659a"
time_zone = "America/New_York"
gaming_day_start = 06:00:00
[rules_submission]
reference = "RS-1"
date = 2026-01-01
[elections]
decks = 2
[devices.shuffler-1]
family = "shuffler"
port = "{folder}/{table}/shuffler-1"
[devices.shoe-1]
family = "shoe"
port = "{folder}/{table}/shoe-1"
[devices.shaker-1]
family = "shaker"
port = "{folder}/{table}/shaker-1"
[decks.red]
back = "red"
[decks.blue]
back = "blue"
[control]
socket = "{folder}/control"
"""


def table_text(folder: Path, table: str = "t-1") -> str:
    """What its configuration says but for the journal, the broker and people.

    Its devices are at `folder/table/NAME`, and its control socket is `folder/control`.
    """
    return _TABLE.format(folder=folder, table=table)


def answering(
    folder: Path, *files: Path, table: str = "t-1", environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Run it with these configurations, what it says at the end of `folder/log`, until this table answers."""
    with (folder / "log").open("ab") as log:
        daemon = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "felt_daemon", "run", *map(str, files)],
            stderr=log,
            env=os.environ | (environment or {}),
        )
    deadline = time.monotonic() + LIMIT_S
    while True:
        try:
            call(folder / "control", "ping", table=table)
        except NotReachable:
            if daemon.poll() is not None or time.monotonic() > deadline:
                daemon.kill()
                daemon.wait()
                raise AssertionError((folder / "log").read_text(encoding="utf-8")) from None
            time.sleep(0.02)
        else:
            return daemon
