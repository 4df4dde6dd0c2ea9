"""benchmarks/keeper.py: a program that will not end stops no benchmark, and is counted."""

from __future__ import annotations

import asyncio
import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"

# Deaf to SIGTERM, as is what it has started, which holds the other end of its lines, too.
DEAF = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if len(sys.argv) == 1:
    subprocess.Popen([sys.executable, __file__, "child"], start_new_session=True)
else:
    print("up", flush=True)
time.sleep(600)
"""

pytestmark = pytest.mark.asyncio


@pytest.fixture
def keeper(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module, with little patience."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    module = importlib.import_module("keeper")
    monkeypatch.setattr(module, "END_S", 0.2)
    yield module
    del sys.modules["keeper"]


async def kept(keeper: ModuleType, folder: Path, text: str) -> Any:  # noqa: ANN401 - of a module without types
    """Keep a program until it has said that it is up, and end it."""
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    program = keeper.Program([sys.executable, str(file)], folder / "log", ("up",))
    running = asyncio.create_task(program.run())
    assert await program.until("up", 20.0)
    running.cancel()
    await asyncio.wait((running,), timeout=20.0)
    assert running.cancelled()
    return program


async def test_a_program_that_ends_when_it_is_told_to_is_not_counted(
    keeper: ModuleType, tmp_path: Path
) -> None:
    program = await kept(keeper, tmp_path, 'import time; print("up", flush=True); time.sleep(600)')
    assert program.outstayed == 0
    assert program.starts == 1


async def test_a_program_that_is_deaf_is_brought_to_its_end_with_what_it_started(
    keeper: ModuleType, tmp_path: Path
) -> None:
    program = await kept(keeper, tmp_path, DEAF)
    assert program.outstayed == 1
