"""kill -9 at any moment: what was acknowledged is there, nothing is doubled, no group is half."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from felt_daemon.journal import Reader
from felt_daemon.journal.verify import verify

CHILD = Path(__file__).with_name("journal_child.py")


def write_and_kill(path: Path, dice: random.Random) -> dict[str, int]:
    """Run a writer, kill it at a random moment, and return what it had acknowledged."""
    acknowledged: dict[str, int] = {}
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, str(CHILD), str(path)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        wanted = dice.randint(0, 20)
        lines = iter(child.stdout)
        heard = [next(lines) for _ in range(wanted)]
        time.sleep(dice.random() * 0.01)  # where in a commit it dies is the point of the test
        child.send_signal(signal.SIGKILL)
        heard += lines
    for line in heard:
        if line.endswith("\n"):
            stream, seq = line.split()
            acknowledged[stream] = int(seq)
    return acknowledged


def kill_often(path: Path, times: int, seed: int) -> int:
    dice = random.Random(seed)  # noqa: S311 - a test's dice
    heads: dict[str, int] = {}
    for _ in range(times):
        acknowledged = write_and_kill(path, dice)
        if not path.exists() or not path.stat().st_size:
            assert not acknowledged
            continue
        with Reader(path) as reader:
            found = {stream: head.seq for stream, head in reader.heads().items()}
        for stream, seq in acknowledged.items():
            assert found[stream] >= seq, "an acknowledged row is lost"
        for stream, seq in heads.items():
            assert found[stream] >= seq, "a row that was there is gone"
        heads = found
    return sum(heads.values())


def assert_whole(path: Path) -> None:
    report = verify(path)
    assert report.problems == []
    sizes: Counter[int] = Counter()
    wanted: dict[int, int] = {}
    with Reader(path) as reader:
        after = 0
        while rows := reader.read_all(after):
            for row in rows:
                body = json.loads(row.entry.public)
                sizes[body["group"]] += 1
                wanted[body["group"]] = body["of"]
            after = rows[-1].id
        cursor = reader.cursor("floor", "table-1")
        head = reader.head("table-1")
    assert dict(sizes) == wanted, "a group was committed in part"
    assert head is not None
    assert cursor is not None
    assert cursor <= head.seq


@pytest.mark.long
def test_twenty_kills_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert kill_often(path, times=20, seed=random.randrange(2**32)) > 0  # noqa: S311 - seeded by pytest-randomly
    assert_whole(path)


@pytest.mark.fault("influxdata/telegraf#18528", "influxdata/telegraf#17247")
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_thousand_kills_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert kill_often(path, times=1000, seed=random.randrange(2**32)) > 0  # noqa: S311 - seeded by pytest-randomly
    assert_whole(path)
