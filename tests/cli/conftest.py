"""A past to look back on, and the command line to do it with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.cli import main

from .past import Past, write_past

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Asked = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask_felt(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Run `felt` with these words in this process: its exit code, and what it wrote."""
    monkeypatch.setenv("COLUMNS", "100")

    def ask(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as left:
            code = int(left.code or 0)
        written = capsys.readouterr()
        return code, written.out, written.err

    return ask


@pytest.fixture(scope="session")
def jammed() -> Past:
    """Three hands, then a jam that is cleared and a round that is released. Not to be changed."""
    past = Past()
    past.jam()
    past.clear()
    return past


@pytest.fixture(scope="session")
def jammed_journal(jammed: Past, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its journal. Not to be written to."""
    path = tmp_path_factory.mktemp("jammed") / "journal.db"
    write_past(jammed, path)
    return path
