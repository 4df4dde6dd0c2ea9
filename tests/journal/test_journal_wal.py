"""The write-ahead log stays short, and is cut back when a long reader has gone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from felt_daemon.journal import WAL_LIMIT_BYTES, Reader

if TYPE_CHECKING:
    from tests.journal.conftest import Desk, MakeEntry

MEGABYTE = b'{"text":"' + b"x" * 2**20 + b'"}'


def test_the_log_stays_under_its_limit_while_readers_are_short(desk: Desk, entry: MakeEntry) -> None:
    desk.open()
    longest = 0
    with Reader(desk.path) as reader:
        for seq in range(1, 31):
            desk.journal.append([entry(seq, public=MEGABYTE)])
            desk.settle()
            assert reader.head("table-1") is not None
            longest = max(longest, desk.journal.size().log_bytes)
    assert longest < WAL_LIMIT_BYTES
    assert desk.journal.size().database_bytes > 20 * 2**20


@pytest.mark.fault("Kpa-clawbot/CoreScope#1434", "superseriousbusiness/gotosocial#2808")
def test_a_long_reader_stops_no_commit_and_the_log_shrinks_when_it_goes(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1)])
    desk.settle()
    with closing(sqlite3.connect(desk.path, isolation_level=None)) as dashboard:
        dashboard.execute("BEGIN")
        assert dashboard.execute("SELECT count(*) FROM rows").fetchone() == (1,)
        for seq in range(2, 32):
            desk.journal.append([entry(seq, public=MEGABYTE)])
            desk.settle()
        assert desk.journal.size().log_bytes > WAL_LIMIT_BYTES
        assert dashboard.execute("SELECT count(*) FROM rows").fetchone() == (1,)
        dashboard.execute("COMMIT")
    assert desk.troubles == []
    # No further row is needed: the writer comes back by itself.
    desk.poll(lambda: desk.journal.size().log_bytes == 0)
    desk.journal.append([entry(32)])
    desk.settle()
    assert desk.journal.size().log_bytes < WAL_LIMIT_BYTES
