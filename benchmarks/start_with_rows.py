"""From the start of `felt run` to a table that answers, with a journal of many rows and with none.

A journal of so many rows is made first: rounds decided by the real rules, and then repeated with numbers and
times moved on. Then `felt run` is started in turn against that journal and against an empty one. *Answers* is
when a request gets through at the control socket, *told* when the publisher has folded the table and is
connected to its broker.

    python benchmarks/start_with_rows.py --rows 1000000
    python benchmarks/start_with_rows.py --rows 1000000 --kill         every run ends by kill -9
    python benchmarks/start_with_rows.py --rows 1000000 --game 672a    416 cards in a shuffler without end

The first start with the rows has no snapshot and folds them all; it is told apart. Memory is told of both
tables: PSS is what a process has alone, and its share of what it has together with others.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from configured import configuration_of
from evenings import GAMES
from jam_to_inhibit import percentile
from journals import make_journal

from felt_daemon.config import parse
from felt_daemon.journal import Reader

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from felt_daemon.config import Config

CELLS = ("answers", "told")


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


def sides(folder: Path, rows: int, game: str) -> dict[str, Side]:
    """A table with so many rows, and one with none; what the folder holds already is taken."""
    found = {name: Side(folder / name) for name in ("rows", "empty")}
    if folder.exists() and any(folder.iterdir()):
        return found
    for side in found.values():
        side.folder.mkdir(parents=True)
        side.file.write_text(configuration_of(game, side.folder), encoding="utf-8")
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
    parser.add_argument("--game", choices=sorted(GAMES), default="659a", help="whose table (%(default)s)")
    parser.add_argument("--starts", type=int, default=10, help="starts of each side (%(default)s)")
    parser.add_argument("--kill", action="store_true", help="end every run by kill -9")
    parser.add_argument("--keep", type=Path, help="a folder to keep the journal in, or to take it from")
    return parser.parse_args()


def main() -> None:
    """Measure and print tables in Markdown."""
    wanted = arguments()
    folder = wanted.keep or Path(tempfile.mkdtemp())
    try:
        found = sides(folder, wanted.rows, wanted.game)
        with found["rows"].run(signal.SIGTERM) as first:
            print(f"the first start folds every row: answers after {first['answers']:.1f} s, ", end="")
            print(f"told after {first['told']:.1f} s")
        how = signal.SIGKILL if wanted.kill else signal.SIGTERM
        ended = "killed" if wanted.kill else "stopped"
        results = measured(found, wanted.starts, how)
        print(f"\n{wanted.starts} alternating starts, each run {ended}, {os.cpu_count()} processors\n")
        print(table(results))
        emptied(found["empty"])
        for words, name in (("with the rows", "rows"), ("with none", "empty")):
            print(f"\nMemory {words}:\n\n{memory(found[name])}")
        with Reader(found["rows"].folder / "journal.db") as reader:
            print(f"\nrows at the end: {reader.last_id()}")
    finally:
        if wanted.keep is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
