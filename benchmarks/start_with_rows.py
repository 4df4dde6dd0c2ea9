"""From the start of `felt run` to a table that answers, with a journal of many rows and with none.

A journal of so many rows is made first: rounds of Asia Poker, decided by the real rules, and then repeated
with their numbers and times moved on. Then `felt run` is started in turn against that journal and against an
empty one. *Answers* is when a request gets through at the control socket, *told* when the publisher has
folded the table and is connected to its broker.

    python benchmarks/start_with_rows.py --rows 1000000
    python benchmarks/start_with_rows.py --rows 1000000 --kill      every run ends by kill -9

The first start with the rows has no snapshot and folds them all; it is told apart. Memory is PSS: what a
process has alone, and its share of what it has together with others.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jam_to_inhibit import CONFIGURATION, percentile

from felt_daemon.config import parse
from felt_daemon.journal import Entry, Journal, Reader, canonical
from felt_daemon.rules.library import digest_of
from felt_daemon.setup import pack_of, pack_text_of, setup_of
from felt_daemon.shell.rows import entry_of
from felt_daemon.table import Table, blank
from felt_protocols.events import Fact, Moment, Row, card, deck, device, draw, person, system

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from felt_daemon.config import Config

TABLE = "bench"
US_PER_S = 1_000_000
NS_PER_US = 1_000
BOOT = "an-earlier-boot"
FLOOR = person.Person(role="floor", name="Ann")
DEALER = person.Person(role="dealer", name="")
DECK_CARDS = 53
SECONDS_PER_ROUND = 60
# The two decks take turns, so that two rounds are what comes again.
CYCLE = 2
READY_S = 600.0
CELLS = ("answers", "told")


# ---- A journal of many rows.


class Evening:
    """Sound rounds, decided by the table itself out of facts as devices and people tell them."""

    def __init__(self, config: Config, began_us: int) -> None:
        pack = pack_of(config)
        self.table = Table(pack, blank(setup_of(config, pack)))
        self.rows: list[Row] = []
        self._utc_us = self._began_us = began_us
        self._n: dict[str, int] = {}
        self._batch = 0
        self._round = 0

    def take(self, fact: Fact) -> list[Row]:
        """Decide a fact; every order in it is answered."""
        self._utc_us += 100_000
        mono_ns = (self._utc_us - self._began_us) * NS_PER_US
        rows = self.table.take(fact, Moment(BOOT, "an-earlier-run", mono_ns, self._utc_us, trusted=True))
        self.rows += rows
        for row in rows:
            if isinstance(row.event, device.OrderIssued):
                self.take(device.OrderAnswered(device=row.event.device, order=row.seq, result="done"))
        return rows

    def tell(self, kind: type[Any], name: str, **fields: object) -> None:
        """A device tells something."""
        self._n[name] = self._n.get(name, 0) + 1
        self.take(kind(device=name, n=self._n[name], **fields))

    def begin(self, config: Config) -> None:
        """From the first row to an open table, the red deck shuffled and in the hand."""
        self.take(started(config))
        for name, settings in config.devices.items():
            self.take(
                device.DeviceConnected(
                    device=name,
                    family=settings.family,
                    model="bench",
                    serial="1",
                    firmware="1",
                    digest="",
                    device_boot="0b",
                    same_boot=False,
                )
            )
            self.take(device.DeviceDrained(device=name, upto=0))
        self.take(person.DiceChanged(by=FLOOR, device="shaker-1"))
        self.take(person.DeckChanged(by=FLOOR, deck="red", preshuffled=True))
        self._load()
        self._unload()
        self.take(person.DeckChanged(by=FLOOR, deck="blue", preshuffled=True))
        self.take(person.TableOpened(by=FLOOR))

    def round(self) -> None:
        """One round: the other deck is shuffled while this one is dealt."""
        self._round += 1
        self._utc_us = self._began_us + self._round * SECONDS_PER_ROUND * US_PER_S
        self._load()
        self.tell(card.ShoeLoaded, "shoe-1", count=DECK_CARDS)
        self.take(person.BetsClosed(by=DEALER))
        for _ in range(3):
            self.tell(draw.ShakerShaken, "shaker-1")
        self.tell(draw.ShakerUncovered, "shaker-1")
        self.tell(draw.DiceRead, "shaker-1", faces=(1, 2, 3), flat=True, inside=True)
        for _ in range(7):
            self.tell(card.StackDispensed, "shoe-1", size=7)
        self.tell(card.ShoeUnloaded, "shoe-1", count=4)
        self.tell(draw.ShakerCovered, "shaker-1")
        self.tell(draw.ShakerShaken, "shaker-1")
        self._unload()
        self.take(person.RoundEnded(by=DEALER))

    def _load(self) -> None:
        self._batch += 1
        self.tell(deck.DeckLoaded, "shuffler-1", batch=self._batch, count=DECK_CARDS)
        self.tell(deck.ShuffleStarted, "shuffler-1", batch=self._batch)

    def _unload(self) -> None:
        shuffled = {"batch": self._batch, "count": DECK_CARDS}
        self.tell(deck.ShuffleCompleted, "shuffler-1", mode="shuffle", **shuffled)
        self.tell(deck.DeckUnloaded, "shuffler-1", **shuffled)


def started(config: Config) -> system.Started:
    """The first fact of a run of this configuration."""
    return system.Started(
        version="bench",
        epoch="bench",
        pack=config.table.game,
        pack_digest=digest_of(pack_text_of(config)),
        config_digest=config.digest,
        elections=dict(config.elections),
        reference="",
        reference_date="",
        gaming_day="2026-01-01",
    )


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much everything that counts up has gone on after one cycle."""

    rows: int
    rounds: int
    batches: int
    incidents: int
    n: Mapping[str, int]

    def moved(self, entry: Entry, times: int) -> Entry:
        """The same row so many cycles later."""
        body: dict[str, Any] = json.loads(entry.public)
        for where in (body, body.get("context", {}), body.get("args", {})):
            self._move(where, times, body.get("device", ""))
        if "key" in body:
            counts = self.batches if body["gate"] == "shuffle" else self.rounds
            body["key"] = str(int(body["key"]) + times * counts)
        gone_us = times * self.rounds * SECONDS_PER_ROUND * US_PER_S
        return replace(
            entry,
            seq=entry.seq + times * self.rows,
            cause=None if entry.cause is None else entry.cause + times * self.rows,
            utc_us=entry.utc_us + gone_us,
            mono_ns=entry.mono_ns + gone_us * NS_PER_US,
            public=canonical(body),
        )

    def _move(self, values: dict[str, Any], times: int, name: str) -> None:
        by = {"round": self.rounds, "batch": self.batches, "cycle": self.batches, "incident": self.incidents}
        for key, step in (by | {"order": self.rows, "n": self.n.get(name, 0)}).items():
            if isinstance(values.get(key), int):
                values[key] += times * step


def entries_of(config: Config, rows: int) -> Iterator[list[Entry]]:
    """Entries of about so many rows, in groups that belong together."""
    cycles: list[list[Row]] = []
    evening = Evening(config, time.time_ns() // NS_PER_US - rows * 2 * US_PER_S)
    evening.begin(config)
    for _ in range(4):
        before = len(evening.rows)
        for _ in range(CYCLE):
            evening.round()
        cycles.append(evening.rows[before:])
    yield [entry_of(row) for row in evening.rows]
    shift = shift_between(cycles[2], cycles[3])
    third, fourth = ([entry_of(row) for row in cycle] for cycle in cycles[2:])
    if [shift.moved(entry, 1) for entry in third] != fourth:
        raise ValueError("a cycle of rounds is not what the one before it was")
    for times in range(1, 1 + (rows - len(evening.rows)) // len(fourth)):
        yield [shift.moved(entry, times) for entry in fourth]


def shift_between(one: Sequence[Row], other: Sequence[Row]) -> Shift:
    """What a cycle moves on."""

    def last(rows: Sequence[Row], name: str, of: str = "") -> int:
        found = [
            getattr(row.event, name)
            for row in rows
            if getattr(row.event, name, None) is not None
            and (not of or getattr(row.event, "device", "") == of)
        ]
        return int(found[-1]) if found else 0

    names = ("shoe-1", "shuffler-1", "shaker-1")
    return Shift(
        rows=len(one),
        rounds=last(other, "round") - last(one, "round"),
        batches=last(other, "batch") - last(one, "batch"),
        incidents=last(other, "incident") - last(one, "incident"),
        n={name: last(other, "n", name) - last(one, "n", name) for name in names},
    )


def make_journal(path: Path, config: Config, rows: int, *, delivered: bool = True) -> int:
    """Make a journal of about so many rows, delivered to the floor or not; gives how many there are."""
    journal = Journal.open(
        path, now=lambda: time.time_ns() // NS_PER_US, on_commit=lambda _: None, on_trouble=print
    )
    text = pack_text_of(config)
    journal.store_pack(digest_of(text), text)
    journal.store_config(config.digest, config.text)
    written = 0
    for group in entries_of(config, rows):
        journal.append(group)
        written += len(group)
        while journal.pending > 20_000:  # noqa: PLR2004 - so that memory is bounded
            time.sleep(0.01)
    if delivered:
        journal.set_cursor("floor", TABLE, written)
    journal.close(READY_S)
    return written


# ---- Starts.


@dataclass(frozen=True, slots=True)
class Side:
    """A folder with a configuration and a journal."""

    folder: Path

    @property
    def file(self) -> Path:
        """The configuration."""
        return self.folder / "table.toml"

    def config(self) -> Config:
        """What the file says."""
        return parse(self.file.read_bytes(), str(self.file))

    @contextlib.contextmanager
    def run(self, how: signal.Signals) -> Generator[dict[str, float]]:
        """Start `felt run`; seconds until it answers and until the floor is told; end it by a signal."""
        felt = Path(sys.executable).with_name("felt")
        command = [str(felt), "run", str(self.file)]
        began = time.perf_counter()
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603 - our own program
        try:
            found = {"pid": float(process.pid)}
            for line in process.stderr or ():
                if "broker up" in line:
                    found["told"] = time.perf_counter() - began
                elif "is up" in line:
                    self._ask()
                    found["answers"] = time.perf_counter() - began
                elif "snapshot" in line:
                    print(line, end="", file=sys.stderr)
                if found.keys() >= set(CELLS):
                    break
            else:
                raise RuntimeError("felt run ended")
            yield found
        finally:
            process.send_signal(how)
            process.wait()

    def _ask(self) -> None:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(self.folder / "control"))
            asking.sendall(b'{"query":"state"}\n')
            asking.recv(1)


def sides(folder: Path, rows: int) -> dict[str, Side]:
    """A table with so many rows, and one with none; what the folder holds already is taken."""
    found = {name: Side(folder / name) for name in ("rows", "empty")}
    if folder.exists() and any(folder.iterdir()):
        return found
    for side in found.values():
        side.folder.mkdir(parents=True)
        side.file.write_text(CONFIGURATION.format(folder=side.folder), encoding="utf-8")
    began = time.perf_counter()
    path = found["rows"].folder / "journal.db"
    written = make_journal(path, found["rows"].config(), rows)
    size_mb = path.stat().st_size / 1e6
    print(f"{written} rows, {size_mb:.0f} MB, made in {time.perf_counter() - began:.0f} s")
    return found


def emptied(side: Side) -> None:
    """No journal, as before the very first start."""
    for path in side.folder.glob("journal.db*"):
        path.unlink()


def measured(
    found: Mapping[str, Side], starts: int, how: signal.Signals
) -> dict[str, list[dict[str, float]]]:
    """The starts of each side, taken in turn."""
    results: dict[str, list[dict[str, float]]] = {name: [] for name in found}
    for _ in range(starts):
        for name, side in found.items():
            if name == "empty":
                emptied(side)
            with side.run(how) as times:
                results[name].append(times)
                # Long enough for everything that follows a start.
                time.sleep(2.0)
    return results


def table(results: Mapping[str, list[dict[str, float]]]) -> str:
    """The result in Markdown: median, and smallest and largest."""
    lines = ["| | answers, s (from-to) | told, s (from-to) |", "|---|---|---|"]
    medians: dict[str, list[float]] = {}
    for name, starts in results.items():
        values = [sorted(one[cell] for one in starts) for cell in CELLS]
        medians[name] = [percentile(ordered, 50) for ordered in values]
        cells = [
            f"{middle:.2f} ({ordered[0]:.2f}-{ordered[-1]:.2f})"
            for middle, ordered in zip(medians[name], values, strict=True)
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    ratios = (ours / theirs for ours, theirs in zip(medians["rows"], medians["empty"], strict=True))
    return "\n".join([*lines, f"| ratio | {' | '.join(f'{one:.2f}' for one in ratios)} |"])


def memory(side: Side) -> str:
    """PSS and RSS of the device process and of its children, in MB, ten seconds after a start."""
    lines: list[str] = []
    with side.run(signal.SIGTERM) as times:
        time.sleep(10.0)
        pid = int(times["pid"])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        for one in (str(pid), *children):
            command = Path(f"/proc/{one}/cmdline").read_bytes().split(b"\0")
            name = "publisher" if b"felt_daemon.publisher" in command else Path(command[0].decode()).name
            sums = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii").splitlines()
            kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in sums[1:]}
            lines.append(f"| {name} | {kilobytes['Pss'] / 1000:.0f} | {kilobytes['Rss'] / 1000:.0f} |")
    return "\n".join(["| process | PSS MB | RSS MB |", "|---|---|---|", *lines])


def arguments() -> argparse.Namespace:
    """What the caller wants."""
    parser = argparse.ArgumentParser(description="From the start of felt run to a table that is ready.")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the journal (%(default)s)")
    parser.add_argument("--starts", type=int, default=10, help="starts of each side (%(default)s)")
    parser.add_argument("--kill", action="store_true", help="end every run by kill -9")
    parser.add_argument("--keep", type=Path, help="a folder to keep the journal in, or to take it from")
    return parser.parse_args()


def main() -> None:
    """Measure and print tables in Markdown."""
    wanted = arguments()
    folder = wanted.keep or Path(tempfile.mkdtemp())
    try:
        found = sides(folder, wanted.rows)
        with found["rows"].run(signal.SIGTERM) as first:
            print(f"the first start folds every row: answers after {first['answers']:.1f} s, ", end="")
            print(f"told after {first['told']:.1f} s")
        how = signal.SIGKILL if wanted.kill else signal.SIGTERM
        ended = "killed" if wanted.kill else "stopped"
        results = measured(found, wanted.starts, how)
        print(f"\n{wanted.starts} alternating starts, each run {ended}, {os.cpu_count()} processors\n")
        print(table(results))
        print(f"\nMemory with the rows:\n\n{memory(found['rows'])}")
        with Reader(found["rows"].folder / "journal.db") as reader:
            print(f"\nrows at the end: {reader.last_id()}")
    finally:
        if wanted.keep is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
