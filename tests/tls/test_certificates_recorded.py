"""Warnings of certificates that end are rows of the table: each once, none by a clock that is not set."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from felt_daemon.clock import RealClock
from felt_daemon.journal import Journal
from felt_daemon.rules import load
from felt_daemon.shell.certificates import Certificates
from felt_daemon.shell.core import Core
from felt_daemon.shell.rows import row_of, rows_after
from felt_daemon.table import Table, blank, set_up
from felt_protocols.events import system

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

TABLE = "t-1"
UNTIL = "2027-01-31T12:00:00Z"
# The same moment in microseconds since 1970 (date -u -d 2027-01-31T12:00:00 +%s).
UNTIL_US = 1_801_396_800_000_000
DAY_US = 86_400_000_000

pytestmark = [pytest.mark.asyncio]


class Shell:
    """The core of a table and its certificates, over one journal; `now_us` is what time it is."""

    def __init__(self, path: Path) -> None:
        loop = asyncio.get_running_loop()
        self.now_us: int | None = UNTIL_US - 100 * DAY_US
        self._settled = asyncio.Event()

        def committed(heads: Any) -> None:  # noqa: ANN401 - seqs by stream
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._committed, heads)

        self.journal = Journal.open(
            path, now=lambda: time.time_ns() // 1000, on_commit=committed, on_trouble=lambda _: None
        )
        pack = load("659a")
        setup = set_up(
            pack,
            table=TABLE,
            devices={"shuffler-1": "shuffler", "shoe-1": "shoe", "shaker-1": "shaker"},
            decks={"red": "red", "blue": "blue"},
        )
        table = Table(pack, blank(setup))
        for stored in self.journal.read(TABLE):
            table.told(row_of(stored))
        self.core = Core(
            table=table,
            journal=self.journal,
            clock=RealClock(),
            loop=loop,
            tell=lambda _: None,
            watch=lambda _: None,
            fail=lambda: None,
        )
        self.core.take(
            system.Started(
                version="test",
                epoch=self.journal.epoch,
                pack="659a",
                pack_digest="00",
                config_digest="00",
                elections={},
                reference="RS-1",
                reference_date="2026-01-01",
            )
        )
        self.certificates = Certificates(self.core, lambda: self.now_us)

    def _committed(self, heads: Any) -> None:  # noqa: ANN401 - as above
        self.core.committed(heads)
        self._settled.set()

    async def rows(self) -> list[tuple[str, Any]]:
        """Every row about certificates, once all are committed."""
        while self.core.waiting:
            self._settled.clear()
            await asyncio.wait_for(self._settled.wait(), 10.0)
        found = [row.event for row in rows_after(self.journal, TABLE, 0)]
        told = [event for event in found if event.what().startswith("certificate-")]
        return [(event.what(), event) for event in told]

    async def warnings(self) -> list[tuple[str, str, int]]:
        """Whose certificate, until when, and for how many days, of each warning."""
        return [
            (one.which, one.until, one.days)
            for what, one in await self.rows()
            if what == "certificate-expiring"
        ]

    def at(self, days_before: float) -> None:
        """It is so many days before `UNTIL`, and somebody looks."""
        self.now_us = UNTIL_US - round(days_before * DAY_US)
        self.certificates.look()


@pytest_asyncio.fixture
async def shells(tmp_path: Path) -> AsyncIterator[Callable[[], Shell]]:
    """Begin a run; the one before it has ended by then."""
    running: list[Shell] = []

    def begun() -> Shell:
        for one in running:
            one.journal.close(5.0)
        running.append(Shell(tmp_path / "journal.db"))
        return running[-1]

    yield begun
    running[-1].journal.close(5.0)


async def test_each_step_is_told_once_from_its_first_moment(shells: Callable[[], Shell]) -> None:
    shell = shells()
    shell.certificates.heard({"seen": "table", "until": UNTIL})
    for days in (31, 30.001, 30, 29, 7.001, 7, 6.5, 1.5, 1, 0.5, 0.0001, 0, -1, -400):
        shell.at(days)
        shell.at(days)
    assert await shell.warnings() == [
        ("table", UNTIL, 30),
        ("table", UNTIL, 7),
        ("table", UNTIL, 1),
        ("table", UNTIL, 0),
    ]


async def test_a_certificate_that_is_seen_late_is_told_by_the_step_that_holds(
    shells: Callable[[], Shell],
) -> None:
    shell = shells()
    shell.now_us = UNTIL_US - 5 * DAY_US - 1
    shell.certificates.heard({"seen": "broker", "until": UNTIL})
    shell.at(4)
    assert await shell.warnings() == [("broker", UNTIL, 6)]


async def test_each_of_the_three_is_told_for_itself(shells: Callable[[], Shell]) -> None:
    shell = shells()
    shell.now_us = UNTIL_US - DAY_US
    for which in ("table", "authority", "broker"):
        shell.certificates.heard({"seen": which, "until": UNTIL})
    assert await shell.warnings() == [(which, UNTIL, 1) for which in ("table", "authority", "broker")]
    assert shell.certificates.shown() == dict.fromkeys(("table", "authority", "broker"), UNTIL)


async def test_a_start_does_not_warn_again_and_goes_on_with_the_next_step(
    shells: Callable[[], Shell],
) -> None:
    shell = shells()
    shell.certificates.heard({"seen": "table", "until": UNTIL})
    shell.at(20)
    assert len(await shell.warnings()) == 1
    for days in (19, 6, 5):
        shell = shells()
        shell.certificates.heard({"seen": "table", "until": UNTIL})
        shell.at(days)
        await shell.rows()
    assert await shell.warnings() == [("table", UNTIL, 20), ("table", UNTIL, 6)]


async def test_a_renewed_certificate_has_warnings_of_its_own(shells: Callable[[], Shell]) -> None:
    shell = shells()
    shell.certificates.heard({"seen": "table", "until": UNTIL})
    shell.at(3)
    later = "2027-02-05T12:00:00Z"
    shell.certificates.heard({"renewed": "ab" * 32, "until": later})
    shell.certificates.heard({"seen": "table", "until": later})
    assert await shell.warnings() == [("table", UNTIL, 3), ("table", later, 8)]
    [(what, event)] = [found for found in await shell.rows() if found[0] == "certificate-renewed"]
    assert (what, event.fingerprint, event.until) == ("certificate-renewed", "ab" * 32, later)


async def test_nothing_is_judged_while_nobody_knows_the_time(shells: Callable[[], Shell]) -> None:
    shell = shells()
    shell.now_us = None
    shell.certificates.heard({"seen": "table", "until": UNTIL})
    shell.certificates.look()
    assert await shell.warnings() == []
    shell.at(-1)
    assert await shell.warnings() == [("table", UNTIL, 0)]


async def test_files_that_cannot_be_used_are_a_row_once_however_often_the_publisher_starts(
    shells: Callable[[], Shell],
) -> None:
    shell = shells()
    why = "x" * 500
    for said in (
        {"unusable": why},
        {"unusable": why},
        {"renewed": "ab" * 32, "until": UNTIL},
        {"unusable": why},
    ):
        shell.certificates.heard(said)
    rows = await shell.rows()
    assert [what for what, _ in rows] == [
        "certificate-unusable",
        "certificate-renewed",
        "certificate-unusable",
    ]
    assert rows[0][1].why == "x" * 400
    assert shell.certificates.shown() == {"unusable": why}
