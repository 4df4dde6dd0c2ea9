"""benchmarks/kills.py: that it would see what is lost, doubled or out of order, and that nothing is."""

from __future__ import annotations

import contextlib
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture
def kills(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The benchmark as a module."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(BENCHMARKS)
    yield importlib.import_module("kills")
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(BENCHMARKS)):
            del sys.modules[name]


def row(seq: int, **public: object) -> dict[str, Any]:
    return {"seq": seq, "hash": f"h{seq}", "type": "stack-dispensed", "public": public or {"size": 7}}


def store_of(path: Path, sequences: list[int], **changed: str) -> Path:
    consumer: Any = importlib.import_module("consumer")
    with contextlib.closing(consumer.opened(path)) as store:
        for seq in sequences:
            one = {"hash": f"h{seq}", "data": '{"size":7}', **changed}
            store.execute(
                "INSERT INTO events (stream, epoch, sequence, hash, data) VALUES ('bench', 'e', ?, ?, ?)",
                (seq, one["hash"], one["data"]),
            )
    return path


@pytest.mark.parametrize(
    ("stored", "changed", "amiss"),
    [
        ([1, 2, 3], {}, {}),
        ([1, 2], {}, {"stored": 2, "lost": 1}),
        ([1, 2, 2, 3], {}, {"doubled": 1}),
        ([2, 1, 3], {}, {"out_of_order": 1}),
        ([1, 2, 3, 4], {}, {"stored": 4, "different": 1}),
        ([1, 2, 3], {"hash": "another"}, {"different": 3}),
        ([1, 2, 3], {"data": "{}"}, {"different": 3}),
    ],
)
def test_what_the_consumer_has_is_held_against_the_journal(
    kills: ModuleType, tmp_path: Path, stored: list[int], changed: dict[str, str], amiss: dict[str, int]
) -> None:
    rows = [row(seq) for seq in (1, 2, 3)]
    sound = {"rows": 3, "stored": 3, "lost": 0, "doubled": 0, "out_of_order": 0, "different": 0}
    assert kills.compared(rows, store_of(tmp_path / "store.db", stored, **changed)) == sound | amiss


@pytest.mark.parametrize(
    ("numbers", "amiss"),
    [
        ([1, 2, 3], {}),
        ([1, 3], {"lost": 1}),
        ([1, 2, 2, 3], {"doubled": 1}),
        ([1, 3, 2], {"out_of_order": 1}),
    ],
)
def test_the_journal_is_held_against_what_devices_told(
    kills: ModuleType, numbers: list[int], amiss: dict[str, int]
) -> None:
    rows = [row(seq, device="shoe-1", n=n) for seq, n in enumerate(numbers, 1)]
    rows += [row(90, device="shaker-1", n=1), row(91, device="shoe-1")]
    told = {"shoe-1": ["stack"] * 3, "shaker-1": ["shaken"]}
    sound = {"told": 4, "lost": 0, "doubled": 0, "out_of_order": 0}
    assert kills.facts_compared(rows, told) == sound | amiss


@pytest.mark.long
@pytest.mark.timeout(900)
def test_nothing_is_lost_doubled_or_out_of_order_when_everything_is_killed() -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, str(BENCHMARKS / "kills.py"), "--kills", "20", "--seed", "3"],
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)
    assert found["floor"] | {"rows": 0, "stored": 0} == {
        "rows": 0,
        "stored": 0,
        "lost": 0,
        "doubled": 0,
        "out_of_order": 0,
        "different": 0,
    }
    assert found["floor"]["rows"] == found["floor"]["stored"] > 0
    assert found["facts"]["told"] > 0
    assert (found["facts"]["lost"], found["facts"]["doubled"], found["facts"]["out_of_order"]) == (0, 0, 0)
    assert found["commands"]["lost"] == 0
    assert found["stuck"] == 0
    assert found["journal_problems"] == []
    assert found["sound"]
    assert done.returncode == 0
