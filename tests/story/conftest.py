"""Journals with incidents in them, made by the real table, and the command line to look at them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import incident, journal
from felt_daemon.journal import Reader
from felt_daemon.story import Story, find, tell

from .house import House, overridden_evening, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Felt:
    """The command line in this process: exit code, and what it wrote."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str | Path) -> tuple[int, str, str]:
        """Run `felt` with these words."""
        parser = argparse.ArgumentParser(prog="felt")
        parts = parser.add_subparsers()
        incident.register(parts)
        journal.register(parts)
        self._capsys.readouterr()
        try:
            args = parser.parse_args([*map(str, words)])
            code: int = args.run(args)
        except SystemExit as left:
            code = int(left.code or 0)
        written = self._capsys.readouterr()
        return code, written.out, written.err


@pytest.fixture
def felt(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Felt:
    # The lines are those of a terminal of this width, whatever runs the tests.
    monkeypatch.setenv("COLUMNS", "100")
    return Felt(capsys)


@pytest.fixture
def told(tmp_path: Path) -> Callable[[House, int], Story]:
    """Tell the story of an incident of a house, through a journal of its own."""

    def story(house: House, number: int = 1) -> Story:
        path = tmp_path / f"told-{len([*tmp_path.iterdir()])}.db"
        write(house, path)
        with Reader(path) as reader:
            found = find(reader, "t-1", number)
        assert found is not None
        assert found.broken is None
        return tell(found.chapter)

    return story


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with incident 1, overridden in part. Not to be written to."""
    path = tmp_path_factory.mktemp("evening") / "journal.db"
    write(overridden_evening(), path)
    return path


@pytest.fixture(scope="session")
def overridden(evening: Path) -> Story:
    """The story of that incident."""
    with Reader(evening) as reader:
        found = find(reader, "t-1", 1)
    assert found is not None
    return tell(found.chapter)
