"""Which software runs: one digest over every file of it, as it lies on this box."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import felt_daemon
import felt_drivers
import felt_mqtt
import felt_protocols

if TYPE_CHECKING:
    from collections.abc import Iterable

# What can change how the table decides: programs, and the rules that they load.
_ENDINGS = frozenset({".py", ".toml"})


def packages() -> list[Path]:
    """The folders of the installed packages that the daemon is made of."""
    found = (felt_protocols, felt_mqtt, felt_drivers, felt_daemon)
    return [Path(package.__path__[0]) for package in found]


def software_digest(folders: Iterable[Path]) -> str:
    """SHA-256, in hexadecimal, over the names and bytes of all `.py` and `.toml` files in these folders.

    A name begins with its folder's own name, `felt_daemon/setup.py`, wherever that folder lies. Each file
    adds its name, a zero byte, its length as 8 bytes, big end first, and its bytes, in the names' order.
    """
    files = {
        f"{folder.name}/{file.relative_to(folder).as_posix()}": file
        for folder in folders
        for file in folder.rglob("*")
        if file.suffix in _ENDINGS and file.is_file()
    }
    whole = hashlib.sha256()
    for name in sorted(files):
        content = files[name].read_bytes()
        whole.update(name.encode() + b"\0" + len(content).to_bytes(8, "big") + content)
    return whole.hexdigest()
