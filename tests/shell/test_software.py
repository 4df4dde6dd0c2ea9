"""The digest of the software: the same for the same files, another for any other."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from felt_daemon.shell.software import packages, software_digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def package(folder: Path) -> Path:
    (folder / "deep").mkdir(parents=True)
    (folder / "b.py").write_bytes(b"x = 1\n")
    (folder / "deep" / "a.toml").write_bytes(b"")
    return folder


def test_the_digest_is_over_names_lengths_and_bytes_in_order(tmp_path: Path) -> None:
    content = b"felt_x/b.py\0" + b"\0\0\0\0\0\0\0\x06x = 1\n" + b"felt_x/deep/a.toml\0" + b"\0\0\0\0\0\0\0\0"
    assert software_digest([package(tmp_path / "felt_x")]) == hashlib.sha256(content).hexdigest()


def test_what_python_leaves_behind_and_where_the_packages_lie_change_nothing(tmp_path: Path) -> None:
    here, there = package(tmp_path / "here" / "felt_x"), package(tmp_path / "there" / "felt_x")
    (there / "__pycache__").mkdir()
    (there / "__pycache__" / "b.cpython-311.pyc").write_bytes(b"compiled")
    (there / "py.typed").write_bytes(b"")
    assert software_digest([here]) == software_digest([there])


def test_any_byte_any_name_and_any_file_more_is_another_software(tmp_path: Path) -> None:
    digests = set()
    changes: tuple[Callable[[Path], object], ...] = (
        lambda _: None,
        lambda one: (one / "b.py").write_bytes(b"x = 2\n"),
        lambda one: (one / "b.py").rename(one / "c.py"),
        lambda one: (one / "c.py").write_bytes(b""),
        lambda one: (one / "deep" / "a.toml").unlink(),
    )
    for number, change in enumerate(changes):
        one = package(tmp_path / str(number) / "felt_x")
        change(one)
        digests.add(software_digest([one]))
    assert len(digests) == 5


def test_the_daemons_own_digest_is_had_at_once() -> None:
    names = [folder.name for folder in packages()]
    assert names == ["felt_protocols", "felt_mqtt", "felt_drivers", "felt_daemon"]
    began = time.monotonic()
    digest = software_digest(packages())
    assert time.monotonic() - began < 2.0
    assert digest == software_digest(packages())
    assert len(digest) == 64
