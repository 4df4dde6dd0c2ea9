"""`felt broker`: a broker of our own in the foreground, for trials and for a floor that has none yet."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.publisher import broker as brokers
from felt_daemon.publisher.backoff import Backoff
from felt_daemon.publisher.broker import HOST, EmbeddedBroker, NoBroker

if TYPE_CHECKING:
    from felt_daemon.publisher.broker import Program

_PROGRAMS = {"mosquitto": brokers.mosquitto, "iotcore": brokers.iotcore}
_HOW = {
    "mosquitto": "install Debian's package 'mosquitto'",
    "iotcore": "install 'felt-daemon[embedded]' for the iotcore wheel",
}
_LARGEST_PORT = 65_535

_EPILOG = f"""\
examples:
  felt broker                                 on a free port, until Ctrl-C
  felt broker --port 1883
  felt broker --program iotcore --json        its address and process id as one JSON document

Mosquitto is taken where it is installed, also in /usr/sbin; else the broker in the iotcore wheel. It listens
on {HOST} only, asks nobody for a password, keeps nothing on the disk, and is started again if it dies.
A floor in production has a broker of its own: docs/mqtt.md says what that one needs.

exit codes: {exits.OK} told to stop, {exits.REFUSED} no such broker here or the port is another program's,
{exits.USAGE} the command line is wrong
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `broker` to the commands of `felt`."""
    parser = subparsers.add_parser(
        "broker",
        help="run an MQTT broker for trials, in the foreground",
        description="Runs an MQTT broker on this machine, in the foreground, until it is told to stop.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=_port, default=0, help="the TCP port; else a free one")
    parser.add_argument(
        "--program", choices=tuple(_PROGRAMS), help="the broker to run; else the first that is installed"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the broker until a signal comes; gives the exit code."""
    try:
        asyncio.run(_serve(_chosen(args.program), args.port, as_json=args.json))
    except NoBroker as error:
        tell(f"felt: {error}", sys.stderr)
        return exits.REFUSED
    return exits.OK


def _chosen(name: str | None) -> Program:
    """The program that was asked for, or the first there is; raises NoBroker, which says what to install."""
    wanted = tuple(_PROGRAMS) if name is None else (name,)
    program = next(filter(None, (_PROGRAMS[each]() for each in wanted)), None)
    if program is None:
        there_is = "no broker is" if name is None else f"{name} is not"
        raise NoBroker(f"{there_is} installed: {', or '.join(_HOW[each] for each in wanted)}")
    return program


async def _serve(program: Program, port: int, *, as_json: bool) -> None:
    loop = asyncio.get_running_loop()
    told_to_stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told_to_stop.set)
    broker = EmbeddedBroker(program, port)
    try:
        await broker.start()
        keeping = asyncio.create_task(broker.keep(Backoff(random.uniform), _died))
        tell(_document(broker) if as_json else f"{program.name} on {broker.address}; Ctrl-C ends it")
        sys.stdout.flush()
        await told_to_stop.wait()
        keeping.cancel()
        await asyncio.wait((keeping,))
    finally:
        await broker.stop()


def _document(broker: EmbeddedBroker) -> str:
    return json.dumps(
        {
            "program": broker.program.name,
            "address": broker.address,
            "host": HOST,
            "port": broker.port,
            "pid": broker.pid,
        }
    )


def _died(why: str) -> None:
    tell(f"felt: {why}; it is started again", sys.stderr)
    sys.stderr.flush()


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= _LARGEST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 1 to {_LARGEST_PORT}")
    return int(text)
