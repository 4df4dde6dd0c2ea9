"""A journal of many events that the floor lacks: how long until it has them, and what happens meanwhile.

The journal is made by the real rules, as in journals.py. Three sides take turns, each with a shoe that
jams again and again and a consumer (`archive`) that uses felt_floor and stores in SQLite:

    drain      nobody has any of the events: the only consumer gets them on the common stream
    catch-up   one consumer lacks them and is told again beside what happens, another one is up to date
    nothing    both consumers are up to date

Measured are the seconds until every event is acknowledged; the time from a jam's last byte to the inhibit, to
the event at a subscriber and to the hold in the picture; and what memory the publisher needs. Between any two
jams another shoe jams, at whose other end is nothing but an echo that decodes (jam_to_inhibit.py): what the
machine itself takes for a jam under the same load.

    python benchmarks/drain.py
    python benchmarks/drain.py --rows 3000 --runs 1     a look whether it works
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bare import (
    ANSWER_S,
    SERVES,
    START_S,
    TABLE,
    TELLS,
    WatchingShoe,
    configuration,
    consuming,
    felt,
    running,
)
from consumer import opened
from jam_to_inhibit import PAUSE_S, PERCENTS, Shoe, percentile, served
from journals import make_journal

from felt_daemon.config import load
from felt_daemon.journal import Journal, Reader
from felt_daemon.publisher.broker import EmbeddedBroker, chosen
from felt_daemon.publisher.desk import PICTURE_EVERY_S
from felt_protocols import topics
from felt_simulators.floor.usage import Usage, children

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from felt_daemon.journal import Head
    from felt_simulators.floor.packets import Published

ARCHIVE: Final = "archive"
LIVE: Final = "live"
# Consumers of each side, and which of them are up to date.
SIDES: Final[Mapping[str, tuple[Sequence[str], Sequence[str]]]] = {
    "drain": ([ARCHIVE], []),
    "catch-up": ([ARCHIVE, LIVE], [LIVE]),
    "nothing": ([ARCHIVE, LIVE], [ARCHIVE, LIVE]),
}
INHIBIT: Final = "inhibit"
ECHO: Final = "the echo's inhibit"
WAYS: Final = (INHIBIT, ECHO, "event", "picture")
# So many jams where there is nothing to wait for.
JAMS: Final = 200
DRAINED_S: Final = 600.0


@dataclass(slots=True)
class Found:
    """What one side's runs came to: seconds and peak MB of each run, milliseconds of each jam."""

    seconds: list[float] = field(default_factory=list[float])
    peak_mb: list[float] = field(default_factory=list[float])
    ways_ms: dict[str, list[float]] = field(default_factory=lambda: {way: list[float]() for way in WAYS})


class JammingShoe(WatchingShoe):
    """A shoe that jams, and sees what becomes of that."""

    # What the archive has acknowledged.
    archived = 0

    def jam_and_look(self, *, with_event: bool) -> dict[str, float]:
        """Jam once; milliseconds until the inhibit, the hold in the picture and, if wanted, the event."""
        # Not in step with the pace at which pictures are published.
        self.idle(random.uniform(0.0, PICTURE_EVERY_S))  # noqa: S311 - no secret
        self.happen("removed", {"count": 0})
        self.idle(PAUSE_S)
        self.inhibited_ns = 0
        began_ns = self.happen("jam", {"where": "gate"})
        seen: dict[str, int] = {}
        wanted = {"picture", "event"} if with_event else {"picture"}

        def look(message: Published) -> int | None:
            self._look(message, seen)
            return 1 if seen.keys() >= wanted else None

        # As the echo's shoe does: nothing else is read until the inhibit is there.
        while not self.inhibited_ns:
            self.serve_device(ANSWER_S)
        self.until(look)
        times = {INHIBIT: self.inhibited_ns, **{way: seen[way] for way in wanted}}
        return {way: (at_ns - began_ns) / 1_000_000 for way, at_ns in times.items()}

    def _look(self, message: Published, seen: dict[str, int]) -> None:
        now_ns = time.perf_counter_ns()
        if message.topic == topics.ack(TABLE, ARCHIVE):
            self.archived = int(json.loads(message.payload)["sequence"])
        elif message.topic.startswith(f"felt/1/{TABLE}/hold/") and message.payload and not message.retained:
            seen.setdefault("picture", now_ns)
        elif message.topic == topics.event(TABLE, "card") and b".shoe-jammed." in message.payload:
            seen.setdefault("event", now_ns)


class Place:
    """The folder in which every run takes place, and journals that lie ready for each set of consumers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.run = folder / "run"
        self.journal = self.run / "journal.db"

    def prepare(self, rows: int) -> int:
        """Make the journals; gives how many rows they have. What the folder holds already is taken."""
        base = self._folder / "base.db"
        if not base.exists():
            self._empty()
            config = load(configuration(self.run, 1, [ARCHIVE]))
            make_journal(base, config, rows, delivered=False)
        for consumers, _ in SIDES.values():
            ready = self._ready(consumers)
            if not ready.exists():
                self._empty()
                shutil.copy(base, self.journal)
                # The first start folds every row; from here on there is a snapshot.
                config_file = configuration(self.run, 1, consumers)
                with running([felt(), "run", str(config_file)]) as daemon:
                    daemon.until(SERVES, START_S)
                shutil.copy(self.journal, ready)
        with Reader(base) as reader:
            return reader.last_id()

    def begin(self, side: str, port: int) -> tuple[Path, Head]:
        """A run's configuration and the last row of its journal; stores of consumers lie ready."""
        consumers, up_to_date = SIDES[side]
        self._empty()
        shutil.copy(self._ready(consumers), self.journal)
        with Reader(self.journal) as reader:
            head, epoch = reader.head(TABLE), reader.epoch
        if head is None:
            raise RuntimeError("the journal has no rows")
        cursors = {f"consumer:{name}": head.seq for name in up_to_date}
        if up_to_date:
            cursors["broker"] = head.seq
        if len(up_to_date) == len(consumers):
            cursors["floor"] = head.seq
        _set_cursors(self.journal, cursors)
        for name in up_to_date:
            with contextlib.closing(opened(self.store(name))) as store:
                row = (TABLE, epoch, head.seq, head.hash.hex(), "", "{}", 0)
                store.execute("INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", row)
        return configuration(self.run, port, consumers), head

    def store(self, consumer: str) -> Path:
        """Where a consumer stores."""
        return self.run / f"{consumer}.db"

    def _ready(self, consumers: Sequence[str]) -> Path:
        return self._folder / f"{'-'.join(consumers)}.db"

    def _empty(self) -> None:
        shutil.rmtree(self.run, ignore_errors=True)
        self.run.mkdir(parents=True)


def _set_cursors(path: Path, cursors: Mapping[str, int]) -> None:
    journal = Journal.open(
        path, now=lambda: time.time_ns() // 1000, on_commit=lambda _: None, on_trouble=print
    )
    for name, seq in cursors.items():
        journal.set_cursor(name, TABLE, seq)
    journal.close(ANSWER_S)


def one_run(place: Place, side: str, broker: EmbeddedBroker, found: Found) -> None:
    """One run of a side; what it came to is added to what was found."""
    consumers, up_to_date = SIDES[side]
    config, head = place.begin(side, broker.port)
    filters = [topics.acks_filter(TABLE), topics.holds_filter(TABLE), topics.event(TABLE, "card")]
    shoe = JammingShoe(place.run / "shoe", broker.port, filters)
    publisher = Usage()
    with contextlib.ExitStack() as open_ends:
        open_ends.callback(shoe.close)
        for name in consumers:
            open_ends.enter_context(consuming(broker.address, name, place.store(name))).until("up")
        daemon = open_ends.enter_context(running([felt(), "run", str(config)]))
        echo = open_ends.enter_context(served(echoing(place.run / "echo"), place.run / "echo"))
        daemon.until(SERVES)
        shoe.connect()
        began_s = daemon.until(TELLS)
        drains = ARCHIVE not in up_to_date
        for times in jams(shoe, echo, head.seq, drains=drains, with_event=side != "drain"):
            for way, value_ms in times.items():
                found.ways_ms[way].append(value_ms)
        if drains:
            found.seconds.append(time.monotonic() - began_s)
        for pid in children(daemon.process.pid):
            publisher.look(pid)
    found.peak_mb.append(publisher.peak_mb)


def echoing(path: Path) -> list[str]:
    """The command of an echo that decodes."""
    return [sys.executable, str(Path(__file__).with_name("jam_to_inhibit.py")), "--serve", "echo", str(path)]


def jams(
    shoe: JammingShoe, echo: Shoe, head: int, *, drains: bool, with_event: bool
) -> Iterator[dict[str, float]]:
    """Jam until the archive has what was there at the beginning, or so often; each time at the echo, too."""
    end_s = time.monotonic() + DRAINED_S
    done = 0
    while shoe.archived < head if drains else done < JAMS:
        if time.monotonic() > end_s:
            raise TimeoutError(f"after {DRAINED_S:.0f} s the archive has {shoe.archived} of {head} events")
        times = shoe.jam_and_look(with_event=with_event)
        yield times | {ECHO: echo.jam() / 1_000_000}
        done += 1


def told(found: Mapping[str, Found], rows: int) -> str:
    """The result in Markdown."""
    lines = ["| | seconds (from-to) | events in a second | publisher's peak MB |", "|---|---|---|---|"]
    for side, one in found.items():
        took = one.seconds
        cells = ["", ""]
        if took:
            middle = statistics.median(took)
            cells = [f"{middle:.1f} ({min(took):.1f}-{max(took):.1f})", f"{rows / middle:,.0f}"]
        lines.append(f"| {side} | {' | '.join(cells)} | {max(one.peak_mb):.0f} |")
    lines += ["", "| jam to inhibit, in times of the echo's | p50 | p95 | p99 |", "|---|---|---|---|"]
    for side, one in found.items():
        ours, echo = sorted(one.ways_ms[INHIBIT]), sorted(one.ways_ms[ECHO])
        ratios = [percentile(ours, percent) / percentile(echo, percent) for percent in PERCENTS]
        lines.append(f"| {side} | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |")
    for way in WAYS:
        lines += ["", f"| jam to {way} | p50 ms | p95 ms | p99 ms | jams |", "|---|---|---|---|---|"]
        at_rest = sorted(found["nothing"].ways_ms[way])
        for side, one in found.items():
            values = sorted(one.ways_ms[way])
            if values:
                cells = [_with_ratio(values, at_rest, percent) for percent in PERCENTS]
                lines.append(f"| {side} | {' | '.join(cells)} | {len(values)} |")
    return "\n".join(lines)


def _with_ratio(values: Sequence[float], at_rest: Sequence[float], percent: int) -> str:
    value, rest = percentile(values, percent), percentile(at_rest, percent)
    return f"{value:.2f}" + ("" if values == at_rest else f" ({value / rest:.2f} times)")


async def at_brokers(place: Place, runs: int) -> dict[str, Found]:
    """Every side's runs, taken in turn, each at a broker that knows nothing yet."""
    found = {side: Found() for side in SIDES}
    for _ in range(runs):
        for side, one in found.items():
            broker = EmbeddedBroker(chosen())
            await broker.start()
            try:
                await asyncio.to_thread(one_run, place, side, broker, one)
            finally:
                await broker.stop()
    return found


def arguments() -> argparse.Namespace:
    """What the caller wants."""
    about, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=about, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rows",
        type=int,
        default=100_000,
        help="events in the journal (%(default)s); who lacks no more than 2,000 is not told again beside what"
        " happens but gets them on the common stream",
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each side (%(default)s)")
    parser.add_argument("--keep", type=Path, help="a folder to keep the journals in, or to take them from")
    return parser.parse_args()


def main() -> None:
    """Measure and print tables in Markdown."""
    wanted = arguments()
    folder = wanted.keep or Path(tempfile.mkdtemp())
    try:
        place = Place(folder)
        rows = place.prepare(wanted.rows)
        found = asyncio.run(at_brokers(place, wanted.runs))
        print(f"{rows} events, {wanted.runs} alternating runs of each side, {os.cpu_count()} processors\n")
        print(told(found, rows))
    finally:
        if wanted.keep is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
