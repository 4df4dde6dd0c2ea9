"""The process of all simulated tables of a trial.

    python -m felt_simulators.floor.hall --tables 200 --rate 10 --seed 7 --broker HOST:PORT --out FILE

It reads words from its input: `stop` ends what happens at the tables, `leave` ends the tables, too. It says
once a second how far it is, in JSON. At the end its file has what every table really sent.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Final

from felt_simulators.chance import seeded
from felt_simulators.floor.book import Book
from felt_simulators.floor.evening import Evening
from felt_simulators.floor.table import Table

_TICK_S: Final = 0.25
_TELL_S: Final = 0.5
_CONNECTED_WITHIN_S: Final = 10.0
# So many tables have chances of their own under one seed.
_APART: Final = 1_000
_BOOT: Final = "5f6d1c1e-52a9-4a0e-9d0b-6f4f0a3c2e77"


def name_of(number: int) -> str:
    """The id of a simulated table."""
    return f"sim-{number:03d}"


class Hall:
    """All tables; `rate` rows in a second at each, on average."""

    def __init__(self, tables: int, rate: float, seed: int, consumer: str) -> None:
        self.tables = [_table(number, seed, consumer) for number in range(1, tables + 1)]
        self._rate = rate
        self._rng = seeded(seed)
        self._begun = False
        self._goes_on = True
        self._cuts = 0

    async def run(self, host: str, port: int, cut_every_s: float | None) -> None:
        """Let the tables play until somebody says `leave`."""
        loop = asyncio.get_running_loop()
        running = [loop.create_task(table.run(host, port)) for table in self.tables]
        running += [loop.create_task(self._tick()), loop.create_task(self._tell())]
        if cut_every_s is not None:
            running.append(loop.create_task(self._cut(cut_every_s)))
        running.append(loop.create_task(self._begin()))
        await self._obey()
        for task in running:
            task.cancel()
        await asyncio.wait(running)
        await asyncio.gather(*(table.leave() for table in self.tables))

    def truth(self) -> list[dict[str, object]]:
        """What every table sent, and what became of it."""
        return [
            {
                "table": table.book.table,
                "epoch": table.book.epoch,
                "fingerprints": table.book.fingerprints,
                "happened_ns": table.book.happened_ns,
                "acked_ns": table.acked_ns,
                "published": table.delivery.published,
                "replayed": table.delivery.again,
                "refused_acks": table.delivery.refused_acks,
                "connections": table.connections,
            }
            for table in self.tables
        ]

    async def _begin(self) -> None:
        """Let things happen as soon as every table is connected, or after a while."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CONNECTED_WITHIN_S):
                while not all(table.connected for table in self.tables):  # noqa: ASYNC110 - seen by nobody else
                    await asyncio.sleep(_TICK_S)
        self._begun = True
        for table in self.tables:
            self._soon(table, self._rng.expovariate(self._rate))

    def _soon(self, table: Table, after_s: float) -> None:
        if self._goes_on:
            asyncio.get_running_loop().call_later(after_s, self._happen, table)

    def _happen(self, table: Table) -> None:
        if self._goes_on:
            # What follows from a fact comes with it, so that the next one takes its time.
            rows = table.happen()
            self._soon(table, rows * self._rng.expovariate(self._rate))

    async def _obey(self) -> None:
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        async for line in reader:
            word = line.decode().strip()
            self._goes_on = self._goes_on and word not in {"stop", "leave"}
            if word == "leave":
                return

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_S)
            for table in self.tables:
                table.elapsed()

    async def _tell(self) -> None:
        while True:
            told = {
                "sent": sum(table.book.head for table in self.tables),
                "acked": sum(table.delivery.acked for table in self.tables),
                "connected": sum(table.connected for table in self.tables),
                "cuts": self._cuts,
                "begun": self._begun,
                "stopped": not self._goes_on,
            }
            print(json.dumps(told), flush=True)  # noqa: T201 - it is what the trial reads
            await asyncio.sleep(_TELL_S)

    async def _cut(self, every_s: float) -> None:
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / every_s))
            self._cuts += self._rng.choice(self.tables).cut()


def _table(number: int, seed: int, consumer: str) -> Table:
    name = name_of(number)
    rng = seeded(seed * _APART + number)
    book = Book(name, f"{rng.getrandbits(64):016x}", _BOOT, f"{rng.getrandbits(32):08x}")
    return Table(book, Evening(rng, book.epoch).told(), consumer, rng)


def main() -> None:
    """Run the tables, and write down what they sent."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--broker", required=True)
    parser.add_argument("--consumer", required=True)
    parser.add_argument("--cut-every", type=float)
    parser.add_argument("--out", type=Path, required=True)
    wanted = parser.parse_args()
    host, _, port = wanted.broker.rpartition(":")
    hall = Hall(wanted.tables, wanted.rate, wanted.seed, wanted.consumer)
    asyncio.run(hall.run(host, int(port), wanted.cut_every))
    with wanted.out.open("w", encoding="utf-8") as out:
        for each in hall.truth():
            out.write(json.dumps(each) + "\n")


if __name__ == "__main__":
    main()
