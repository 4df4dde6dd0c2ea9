"""What all tests of the journal share: entries, and a journal whose callbacks are written down."""

import contextlib
import itertools
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest

from felt_daemon.journal import Entry, Journal, Trouble

DEADLINE_S = 10.0


class MakeEntry(Protocol):
    """Makes entries that differ in their seq."""

    def __call__(self, seq: int, stream: str = "table-1", **changed: Any) -> Entry:  # noqa: ANN401 - any column
        """An entry like all others but for what is changed."""
        ...


def make_entry(seq: int, stream: str = "table-1", **changed: Any) -> Entry:  # noqa: ANN401 - any column
    columns: dict[str, Any] = {
        "stream": stream,
        "seq": seq,
        "type": "felt.card.card-drawn.v1",
        "v": 1,
        "boot": "6f1c1a52-0d8e-4a39-8a51-1f0f6a3b9c11",
        "start": "s-1",
        "mono_ns": 1_000_000 * seq,
        "utc_us": 1_767_323_045_678_901 + seq,
        "clock": "trusted",
        "late": False,
        "simulated": True,
        "cause": None,
        "public": b'{"context":{"round":4},"stack":1}',
        "private": b'{"card":"As"}',
    }
    return Entry(**{**columns, **changed})


class Desk:
    """A journal in use: its clock counts, and what it tells is kept in order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.commits: list[Mapping[str, int]] = []
        self.troubles: list[Trouble | None] = []
        self.told = threading.Condition()
        # A test that clears it keeps the writer inside its callback, as if a commit took long.
        self.gate = threading.Event()
        self.gate.set()
        self._clock = itertools.count(1_767_323_100_000_000)
        self._journal: Journal | None = None

    def now(self) -> int:
        """One microsecond more than the last time."""
        return next(self._clock)

    def open(self) -> Journal:
        """Open the journal."""
        self._journal = Journal.open(
            self.path, now=self.now, on_commit=self._committed, on_trouble=self._troubled
        )
        return self._journal

    @property
    def journal(self) -> Journal:
        """The journal, opened when first used."""
        return self._journal or self.open()

    def reopen(self) -> Journal:
        """Close the journal and open it again."""
        self.close()
        return self.open()

    def close(self) -> None:
        """Close the journal, also one whose writer was held."""
        self.gate.set()
        if self._journal is not None:
            self._journal.close(2.0)
            self._journal = None

    def wait(self, condition: Callable[[], object]) -> None:
        """Wait until something holds that the writer tells of; fail at the deadline."""
        with self.told:
            assert self.told.wait_for(condition, DEADLINE_S), "it never came true"

    def settle(self) -> None:
        """Wait until everything is committed."""
        self.wait(lambda: self.journal.pending == 0)

    def poll(self, condition: Callable[[], object]) -> None:
        """Wait until something holds that nobody tells of; fail at the deadline."""
        deadline_s = time.monotonic() + DEADLINE_S
        while not condition():
            assert time.monotonic() < deadline_s, "it never came true"
            time.sleep(0.01)

    def kinds(self) -> list[str | None]:
        """What kinds of trouble were told, None for the end of one."""
        return [trouble.kind.value if trouble else None for trouble in self.troubles]

    def _committed(self, heads: Mapping[str, int]) -> None:
        with self.told:
            self.commits.append(dict(heads))
            self.told.notify_all()
        self.gate.wait(DEADLINE_S)

    def _troubled(self, trouble: Trouble | None) -> None:
        with self.told:
            self.troubles.append(trouble)
            self.told.notify_all()


@pytest.fixture
def entry() -> MakeEntry:
    return make_entry


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "journal.db")
    yield desk
    desk.close()


class SmallDisk:
    """A file system of one megabyte that can be filled, emptied, and made read-only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave no room at all."""
        with self.ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    def free(self) -> None:
        """Give the room back."""
        self.ballast.unlink()

    def remount(self, how: str) -> None:
        """Make the file system ro or rw."""
        subprocess.run(["mount", "-o", f"remount,{how}", str(self.folder)], check=True)  # noqa: S603, S607 - a constant command


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(  # noqa: S603 - a constant command
        ["mount", "-t", "tmpfs", "-o", "size=1m,mode=0755", "felt-test", str(folder)],  # noqa: S607 - found on the path
        check=False,
        capture_output=True,
    )
    if mounted.returncode != 0:
        pytest.skip("mounting a small file system needs root")
    yield SmallDisk(folder)
    subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S603, S607 - a constant command


@pytest.fixture
def small_desk(small_disk: SmallDisk) -> Iterator[Desk]:
    desk = Desk(small_disk.folder / "journal.db")
    yield desk
    desk.close()
