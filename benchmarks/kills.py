"""Kill -9 again and again while a table deals, and see whether anything is lost, doubled or out of order.

Three devices tell the facts of one round after the other, and people give their commands. A supervisor starts
`felt run` again as soon as it is gone, as systemd would, but without a pause. The broker keeps nothing on the
disk. A consumer that uses felt_floor stores every event in SQLite before it acknowledges it, and is killed
now and then, too. At the end the store is held against the journal, and the journal against what the devices
know that they told and what people were told that it is recorded.

    python benchmarks/kills.py --kills 1000                  of the daemon, of its publisher and of the broker
    python benchmarks/kills.py --kills 20 --what publisher
    python benchmarks/kills.py --kills 1000 --keep DIR       leaves journal, store and logs, for the curious

A kill comes at a random moment: while the daemon starts, soon after it serves its devices, or while it tells
the floor. Ctrl-C ends it early. Progress goes to stderr, one JSON document to stdout; the exit code is 0 when
nothing is amiss. When something is, journal, store and logs are left where they are, and stderr says where.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import itertools
import json
import math
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from bare import SERVES, TABLE, TELLS, configuration, felt
from deal import Deal
from keeper import AGAIN_S, Program

from felt_daemon.journal import JournalError, Reader
from felt_daemon.journal.text import row_document
from felt_daemon.journal.verify import verify
from felt_daemon.publisher.broker import EmbeddedBroker, NoBroker, chosen
from felt_simulators.floor.usage import children
from felt_simulators.overhearing import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Victim = Literal["daemon", "device-process", "publisher", "broker"]
VICTIMS: Final[tuple[Victim, ...]] = get_args(Victim)

CONSUMER: Final = "pit"
START_S: Final = 120.0
# A kill comes so long after a start, or after the daemon serves its devices, or while it tells the floor.
SOON_S: Final = 0.5
LATER_S: Final = 2.0
# The consumer is killed after one kill in so many.
CONSUMER_ONE_IN: Final = 5
# What the commands of these people become.
HUMAN: Final = frozenset(
    {"bets-closed", "round-ended", "round-released", "dice-changed", "deck-changed", "table-opened"}
)
ARRIVE_S: Final = 900.0
# How often it is seen whether events arrive.
LOOK_S: Final = 0.5


class Trial:
    """So many kills of one table, its broker and its consumer."""

    def __init__(self, folder: Path, what: Sequence[Victim], seed: int) -> None:
        self._folder = folder
        self._rng = random.Random(seed)  # noqa: S311 - the same seed, the same choices
        self._what = what
        self.journal = folder / "journal.db"
        self.store = folder / "store.db"
        self.kills: collections.Counter[str] = collections.Counter()
        self.moments: collections.Counter[str] = collections.Counter()
        # How often the daemon did not come up in time, or a publisher outlived its daemon for as long.
        self.stuck = 0
        # How often the broker could not be started again at once.
        self.broker_refused = 0
        # The longest time in which rows waited and none of them arrived.
        self.longest_silence_s = 0.0
        self._keeping: list[asyncio.Task[None]] = []
        self._enough = False
        self.deal = Deal(folder, self._rng)
        # A port that the kernel gives to nobody's connection while the broker is dead.
        self.broker = EmbeddedBroker(chosen(), free_port())
        config = configuration(folder, self.broker.port, [CONSUMER])
        self.daemon = Program([felt(), "run", str(config)], folder / "daemon.log", (SERVES, TELLS))
        consumer = [sys.executable, str(Path(__file__).with_name("consumer.py"))]
        consumer += ["--broker", self.broker.address, "--consumer", CONSUMER, "--store", str(self.store)]
        self.consumer = Program(consumer, folder / "consumer.log", ("up",))

    async def run(self, kills: int, limit_s: float, per_second: float, tell: Callable[[str], None]) -> bool:
        """Kill so often, or for so long; then let everything arrive. Whether it did."""
        await self.broker.start()
        keepers = (self.daemon.run(), self.consumer.run(), self._keep_broker(), self._watch())
        self._keeping = [asyncio.create_task(one) for one in keepers]
        dealing = asyncio.create_task(self.deal.run(per_second))
        self._keeping.append(dealing)
        began = time.monotonic()
        try:
            for number in range(1, kills + 1):
                if self._enough or time.monotonic() > began + limit_s:
                    break
                await self._kill()
                self._look_after_keepers()
                tell(self._progress(number, kills, time.monotonic() - began))
            dealing.cancel()
            await asyncio.wait((dealing,))
            self._keeping.append(asyncio.create_task(self.deal.hear()))
            tell("everything arrives")
            await self.daemon.until(TELLS, START_S)
            arrived = await self._arrived()
            self._keeping[0].cancel()
            await asyncio.wait((self._keeping[0],))
            return arrived and await self._arrived()
        finally:
            for task in self._keeping:
                task.cancel()
            await asyncio.wait(self._keeping)
            self.deal.close()
            await self.broker.stop()

    def stop(self) -> None:
        """Kill no more, and come to an end."""
        self._enough = True

    # A kill.

    async def _kill(self) -> None:
        what = self._rng.choice(self._what)
        moment = self._rng.choice(("starting", "serving", "telling"))
        if moment == "starting":
            await asyncio.sleep(self._rng.uniform(0.0, SOON_S))
        else:
            telling = moment == "telling"
            if not await self.daemon.until(TELLS if telling else SERVES, START_S):
                self.stuck += 1
                for pid in publishers_of(self.journal):
                    _killed(pid)
            await asyncio.sleep(self._rng.uniform(0.0, LATER_S if telling else SOON_S))
        if self._put(what):
            self.kills[what] += 1
            self.moments[moment] += 1
        if self._rng.randrange(CONSUMER_ONE_IN) == 0:
            self.consumer.kill()
            self.kills["consumer"] += 1

    def _put(self, what: Victim) -> bool:
        """Kill it, and say whether it was there."""
        if what == "broker":
            return _killed(self.broker.pid)
        pid = self.daemon.pid
        if pid is None:
            return False
        publishers = children(pid)
        if what == "publisher":
            # Its successor says again that it has reached the broker.
            self.daemon.saw.discard(TELLS)
            return any(_killed(each) for each in publishers)
        self.daemon.kill()
        if what == "daemon":
            for each in publishers:
                _killed(each)
        return True

    async def _keep_broker(self) -> None:
        while True:
            await self.broker.ended()
            await asyncio.sleep(AGAIN_S)
            try:
                await self.broker.start()
            except NoBroker:
                self.broker_refused += 1

    def _look_after_keepers(self) -> None:
        """Raise what has ended one of them: a keeper's mistake is not taken for the daemon's."""
        for task in self._keeping:
            if task.done() and not task.cancelled():
                task.result()

    async def _watch(self) -> None:
        stored, moved_s = 0, time.monotonic()
        while True:
            await asyncio.sleep(LOOK_S)
            now_s, found = time.monotonic(), _stored(self.store)
            if found != stored or found >= self._head():
                stored, moved_s = found, now_s
            self.longest_silence_s = max(self.longest_silence_s, now_s - moved_s)

    # The end.

    async def _arrived(self) -> bool:
        """Wait until the consumer has stored the last row; whether it came to that."""
        end = time.monotonic() + ARRIVE_S
        while time.monotonic() < end:
            if 0 < self._head() <= _stored(self.store):
                return True
            self._look_after_keepers()
            await asyncio.sleep(0.2)
        return False

    def _head(self) -> int:
        """The last row, 0 while nobody can say."""
        with contextlib.suppress(JournalError), Reader(self.journal) as reader:
            head = reader.head(TABLE)
            return 0 if head is None else head.seq
        return 0

    def _progress(self, number: int, kills: int, took_s: float) -> str:
        facts = sum(len(device.told) for device in self.deal.devices.values())
        return (
            f"{number} of {kills} kills in {took_s:.0f} s; {facts} facts told, {self._head()} rows, "
            f"{_stored(self.store)} stored"
        )


def publishers_of(journal: Path) -> list[int]:
    """Processes that publish this journal, whoever started them."""
    found: list[int] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = place.read_bytes().split(b"\0")
            if b"felt_daemon.publisher" in words and bytes(journal) in words:
                found.append(int(place.parent.name))
    return found


def _killed(pid: int | None) -> bool:
    if pid is None:
        return False
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _stored(path: Path) -> int:
    """The last sequence that a store has."""
    if not path.exists():
        return 0
    with contextlib.suppress(sqlite3.OperationalError), contextlib.closing(sqlite3.connect(path)) as store:
        return int(store.execute("SELECT coalesce(max(sequence), 0) FROM events").fetchone()[0])
    return 0


# ---- The verdict.


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """Every row as a document."""
    with Reader(path) as reader:
        after = 0
        while rows := reader.raw(after):
            for row in rows:
                yield row_document(row, private=False)
                after = row.id


def compared(rows: Sequence[Mapping[str, Any]], store: Path) -> dict[str, int]:
    """What the consumer has of the journal."""
    expected = {int(row["seq"]): row for row in rows}
    found = dict.fromkeys(("rows", "stored", "lost", "doubled", "out_of_order", "different"), 0)
    seen: set[int] = set()
    last = 0
    with contextlib.closing(sqlite3.connect(store)) as events:
        for sequence, digest, data in events.execute("SELECT sequence, hash, data FROM events ORDER BY id"):
            row = expected.get(sequence)
            same = row is not None and row["hash"] == digest and row["public"] == json.loads(data)
            found["different"] += not same
            found["doubled"] += sequence in seen
            found["out_of_order"] += sequence < last
            seen.add(sequence)
            last = max(last, sequence)
    return found | {"rows": len(expected), "stored": len(seen), "lost": len(expected.keys() - seen)}


def facts_compared(rows: Sequence[Mapping[str, Any]], told: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """What the journal has of what the devices told: each fact once, in the device's order."""
    found = {"told": sum(map(len, told.values())), "lost": 0, "doubled": 0, "out_of_order": 0}
    for device, events in told.items():
        numbers = [
            row["public"]["n"]
            for row in rows
            if row["public"].get("device") == device and "n" in row["public"]
        ]
        found["lost"] += len(set(range(1, len(events) + 1)) - set(numbers))
        found["doubled"] += len(numbers) - len(set(numbers))
        found["out_of_order"] += sum(later < before for before, later in itertools.pairwise(numbers))
    return found


def document(trial: Trial, took_s: float, *, arrived: bool) -> dict[str, Any]:
    """Everything that was found."""
    rows = list(rows_of(trial.journal))
    told = {f"{name}-1": device.told for name, device in trial.deal.devices.items()}
    report = verify(trial.journal)
    floor, facts = compared(rows, trial.store), facts_compared(rows, told)
    amiss = [floor[name] for name in ("lost", "doubled", "out_of_order", "different")]
    amiss += [facts[name] for name in ("lost", "doubled", "out_of_order")]
    people = trial.deal.people
    commands_lost = len(set(people.recorded) - {int(row["seq"]) for row in rows if row["type"] in HUMAN})
    amiss.append(commands_lost)
    return {
        "kills": dict(trial.kills),
        "moments": dict(trial.moments),
        "seconds": round(took_s),
        "sound": arrived
        and not any(amiss)
        and not any((trial.stuck, trial.daemon.outstayed, trial.consumer.outstayed))
        and not report.problems,
        "arrived": arrived,
        "stuck": trial.stuck,
        "outstayed": {"daemon": trial.daemon.outstayed, "consumer": trial.consumer.outstayed},
        "broker_refused": trial.broker_refused,
        "longest_silence_s": round(trial.longest_silence_s, 1),
        "floor": floor,
        "facts": facts,
        "commands": {
            "recorded": len(people.recorded),
            "lost": commands_lost,
            "unanswered": people.unanswered,
            "refused": dict(people.refused),
        },
        "journal_problems": [problem.text for problem in report.problems],
        "starts": {"daemon": trial.daemon.starts, "consumer": trial.consumer.starts},
        "ended_by_itself": {
            "daemon": dict(collections.Counter(trial.daemon.ended_by_itself)),
            "consumer": dict(collections.Counter(trial.consumer.ended_by_itself)),
        },
        "rows_by_event": dict(collections.Counter(str(row["type"]) for row in rows).most_common(60)),
    }


def arguments() -> argparse.Namespace:
    """What the caller wants."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        epilog=(__doc__ or "").partition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--kills", type=int, default=20, help="how many (%(default)s)")
    parser.add_argument(
        "--what",
        choices=("any", *VICTIMS),
        default="any",
        help="what is killed: the daemon with its publisher, its device process alone, its publisher alone,"
        " or the broker (%(default)s)",
    )
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="no more kills after so long (%(default)s)"
    )
    parser.add_argument("--per-second", type=float, default=15.0, help="facts at the table (%(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="of all choices (%(default)s)")
    parser.add_argument("--keep", type=Path, help="a new folder for journal, store and logs")
    return parser.parse_args()


def main() -> int:
    """Kill, compare, and print one JSON document."""
    wanted = arguments()
    folder = wanted.keep or Path(tempfile.mkdtemp(prefix="felt-kills-"))
    folder.mkdir(parents=True, exist_ok=True)
    what = VICTIMS if wanted.what == "any" else (wanted.what,)

    def tell(line: str) -> None:
        before, after = ("\r", "\x1b[K") if sys.stderr.isatty() else ("", "\n")
        print(f"{before}{line}{after}", end="", file=sys.stderr, flush=True)

    async def tried() -> dict[str, Any]:
        began = time.monotonic()
        trial = Trial(folder, what, wanted.seed)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, trial.stop)
        arrived = await trial.run(wanted.kills, 60 * wanted.minutes, wanted.per_second, tell)
        return document(trial, time.monotonic() - began, arrived=arrived)

    sound = False
    try:
        found = asyncio.run(tried())
        sound = found["sound"]
    finally:
        if sound and wanted.keep is None:
            shutil.rmtree(folder)
        elif not sound:
            tell(f"journal, store and logs are in {folder}\n")
    print(json.dumps(found, indent=2))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
