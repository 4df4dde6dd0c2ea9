"""The publisher process of a table: `python -m felt_daemon.publisher TABLE --journal FILE --start ID ...`.

Its device process starts it and speaks with it over stdin and stdout (`report.py`). When stdin ends, the
device process has died: the status says `failed` and this process is gone within a second.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt_daemon.config import Config
from felt_daemon.config.model import ExternalBroker
from felt_daemon.journal import Reader
from felt_daemon.publisher import bell
from felt_daemon.publisher.adapter import Access
from felt_daemon.publisher.consumers import TERMS, Consumers
from felt_daemon.publisher.delivery import BROKER, CONSUMER, DEAD, FLOOR, SUSPENDED, Delivery
from felt_daemon.publisher.desk import Desk, World
from felt_daemon.publisher.fold import Fold
from felt_daemon.publisher.lane import Lane
from felt_daemon.publisher.picture import Picture
from felt_daemon.publisher.pipe import Orders, Reports
from felt_daemon.publisher.publication import Publication, Run
from felt_daemon.publisher.source import Source
from felt_daemon.publisher.tables import begun_and_picture
from felt_daemon.publisher.tls import LOOK_EVERY_S, Credentials
from felt_daemon.shell.staff import Staff
from felt_daemon.table import evolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.publisher.consumers import Terms
    from felt_daemon.publisher.intake import Intake
    from felt_daemon.publisher.report import Line

# An orderly stop sends what is left for so long.
DRAIN_S = 2.0
# A thread that still connects, or looks a name up, is not waited for longer than this.
_THREADS_S = 0.1


def main() -> None:
    """Run until told to stop or until stdin ends."""
    # Who stops the device process means this one, too, and hears from it when to go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    arguments = _parser().parse_args()
    said = f"publisher of {arguments.table}: %(message)s"
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format=said)
    # Not asyncio.run: it would wait for a thread that hangs in a connect.
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(_publish(arguments))
    finally:
        loop.close()
    _leave_threads_behind()


async def _publish(arguments: argparse.Namespace) -> None:
    orders = await Orders.open()
    first = await orders.next()
    if first is None:
        return
    # As the device process has them: a slip in a file that was changed since must not silence the table.
    config, pack = Config.recalled(first["table"]["config"]), first["table"]["pack"]
    reports = await Reports.open()
    with Reader(arguments.journal) as reader:
        desk = _desk(config, pack, Source(reader, config.table.id), reports, arguments.start)
        listening = asyncio.create_task(orders.listen(lambda line: hear(desk, line)))
        listening.add_done_callback(lambda _: desk.leave("failed", 0.0))
        if arguments.bell is not None:
            bell.listen(arguments.bell, desk.committed)
        run = Run(
            start=arguments.start,
            version=arguments.release,
            simulated=arguments.simulated,
            utc_us=lambda: time.time_ns() // 1000,
        )
        # What is there now stays: the collector need not look through it while an event waits.
        gc.collect()
        gc.freeze()
        try:
            access = _access(config, arguments.broker)
            await Publication(desk, access, run, _credentials(config, desk), arguments.look_every).run()
        finally:
            listening.cancel()
            if desk.intake is not None:
                desk.intake.close()
            await reports.close()


def hear(desk: Desk, line: Line) -> None:
    """Act on a line from the device process; what this release does not know is passed over."""
    table = desk.table
    if table in (committed := line.get("committed", {})):
        desk.committed(committed[table])
    if table in (health := line.get("health", {})):
        desk.health(health[table])
    if table in (skipped := line.get("skipped", {})):
        desk.skipped(skipped[table])
    if table in (replay := line.get("replay", {})):
        desk.replay(**replay[table])
    if line.get("snapshot") == table:
        desk.snapshot()
    whole: dict[str, Callable[[Any], None]] = {
        "noted": desk.noted,
        "clock": desk.clock,
        "journal": desk.journal,
    }
    for name in whole.keys() & line.keys():
        whole[name](line[name])
    if "answer" in line:
        desk.answer(line["client"], line["answer"])
    if "stop" in line:
        desk.leave(line["stop"], DRAIN_S)


def _desk(config: Config, pack: str, source: Source, reports: Reports, start: str) -> Desk:
    begun, after, picture = begun_and_picture(config, pack, source)
    return Desk(
        source,
        Fold(source, begun, evolve, picture, after),
        delivery_of(config, source, time.monotonic()),
        Picture(source.stream, source.epoch, source.retained()),
        World(now=time.monotonic, dice=random.uniform, report=reports.tell),
        intake=_intake(config, start, reports),
        composition=[name for name, consumer in config.consumers.items() if consumer.composition],
    )


def delivery_of(config: Config, source: Source, now: float, terms: Terms = TERMS) -> Delivery:
    """How far everybody had got, as the journal's cursors have it."""
    cursors = source.cursors()
    # A journal from before there were consumers has the floor's cursor alone.
    reached = cursors.get(BROKER, cursors.get(FLOOR, 0))
    dead = {int(name.removeprefix(DEAD)) for name in cursors if name.startswith(DEAD)}
    names = config.consumers.keys()
    return Delivery(
        Lane(reached, dead=dead),
        Consumers(
            positions={name: cursors.get(f"{CONSUMER}{name}", 0) for name in names},
            suspended=[name for name in names if cursors.get(f"{SUSPENDED}{name}")],
            reached=reached,
            now=now,
            terms=terms,
        ),
    )


def _intake(config: Config, start: str, reports: Reports) -> Intake | None:
    """Who takes requests, where the configuration says that there are any."""
    if not config.broker.commands or config.people.register is None:
        return None
    # Libraries of several megabytes, which a table without commands does not need.
    from felt_daemon.publisher.intake import Intake  # noqa: PLC0415 - see above

    staff = Staff(config.people.register)
    return Intake(config.table.id, start, staff, asyncio.get_running_loop(), reports.tell)


def _access(config: Config, embedded: str) -> Access:
    """Where to go: to the configured broker, or to the one that the device process has started."""
    broker = config.broker
    if isinstance(broker, ExternalBroker):
        return Access(
            host=broker.host,
            port=broker.port,
            client_id=config.table.id,
            keepalive_s=broker.keepalive_s,
            user=broker.user,
            password_file=broker.password_file,
        )
    host, _, port = embedded.rpartition(":")
    return Access(host=host, port=int(port), client_id=config.table.id, keepalive_s=broker.keepalive_s)


def _credentials(config: Config, desk: Desk) -> Credentials | None:
    """The table's certificate, where the way to the broker asks for one."""
    broker = config.broker
    if not isinstance(broker, ExternalBroker) or broker.tls is None:
        return None
    return Credentials(broker.tls, config.table.id, desk.certificate)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m felt_daemon.publisher", description=__doc__)
    parser.add_argument("table", help="the table's id, for whoever looks at the processes")
    parser.add_argument("--journal", type=Path, required=True, help="the journal's file")
    parser.add_argument("--start", required=True, help="the id of this run of the device process")
    parser.add_argument("--release", required=True, help="the version of the daemon")
    parser.add_argument("--bell", type=int, metavar="FD", help="where commits are told at once")
    parser.add_argument("--broker", default="", metavar="HOST:PORT", help="the embedded broker's address")
    parser.add_argument(
        "--look-every",
        type=float,
        default=LOOK_EVERY_S,
        metavar="SECONDS",
        help="how often the files of the table's certificate are looked at",
    )
    parser.add_argument("--simulated", action="store_true", help="nothing of this is real")
    return parser


def _leave_threads_behind() -> None:
    deadline = time.monotonic() + _THREADS_S
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(max(0.0, deadline - time.monotonic()))
    if threading.active_count() > 1:
        sys.stderr.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
