"""`felt-sim floor`: many simulated tables, one consumer, and whether every event arrived once, in order."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt_simulators.cli.lines import WIDTH
from felt_simulators.floor.trial import FAULTS, Plan, Trial
from felt_simulators.seat import RunFailed

if TYPE_CHECKING:
    from felt_simulators.floor.trial import Fault

OK, NOT_AS_EXPECTED, USAGE, RUN_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
MOST_TABLES = 999

EPILOG = """\
examples:
  felt-sim floor                                        ten tables for ten seconds
  felt-sim floor --tables 200 --seconds 30 --rate 10
  felt-sim floor --faults broker-kill,consumer-kill     the broker forgets everything, the consumer dies
  felt-sim floor --broker floor.example:1883 --json     at a broker of your own, which must take anybody

Every table is a session of MQTT 5 of its own and speaks the contract (docs/mqtt.md): the chain of hashes, the
codes of a PUBACK, the consumer's acknowledgements. The consumer is a program that uses felt_floor. Tables,
consumer and broker are processes of their own. What the consumer stored is held against what the tables sent.

faults:
  broker-kill        kill -9 of the broker, which starts again and knows nothing
  consumer-kill      kill -9 of the consumer, which goes on where its store ends
  consumer-freeze    the consumer stands still for two seconds
  cut                tables lose their connections

exit codes: 0 nothing is missing, doubled, out of order or wrong; 1 something is; 2 the command line makes no
sense; 3 the trial failed
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "floor",
        help="let many tables tell a floor their events, and see whether all arrive",
        description="Let many simulated tables tell one consumer their events, and see whether all arrive.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=_tables, default=10, help=f"1 to {MOST_TABLES} (default: 10)")
    parser.add_argument("--seconds", type=_positive, default=10.0, help="how long they play (default: 10)")
    parser.add_argument(
        "--rate", type=_positive, default=5.0, help="events in a second at each table (default: 5)"
    )
    parser.add_argument("--seed", type=int, default=7, help="of what happens at the tables (default: 7)")
    parser.add_argument(
        "--faults", type=_faults, default=(), metavar="NAME,NAME", help="see below; all or none, too"
    )
    parser.add_argument("--broker", metavar="HOST:PORT", type=_address, help="else one is started")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Try it, and say what came of it; 0 only when every event arrived once and in order."""
    if arguments.broker and "broker-kill" in arguments.faults:
        print("felt-sim: a broker of your own is not killed: leave out --broker", file=sys.stderr)
        return USAGE
    plan = Plan(
        tables=arguments.tables,
        seconds=arguments.seconds,
        rate=arguments.rate,
        seed=arguments.seed,
        faults=arguments.faults,
        broker=arguments.broker,
    )
    show = _shown if sys.stderr.isatty() and not arguments.json else _silent
    try:
        with tempfile.TemporaryDirectory(prefix="felt-floor-") as folder:
            found = asyncio.run(_tried(Trial(plan, Path(folder), show)))
    except RunFailed as failure:
        print(f"felt-sim: {failure}", file=sys.stderr)
        return RUN_FAILED
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    if show is _shown:
        print(file=sys.stderr)
    return report(found, as_json=arguments.json)


async def _tried(trial: Trial) -> dict[str, Any]:
    """Try it; whoever ends this process ends all of the trial's."""
    if (task := asyncio.current_task()) is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await trial.run()


def report(found: dict[str, Any], *, as_json: bool) -> int:
    """Print what came of it; the exit code that says whether all is well."""
    print(json.dumps(found, indent=2) if as_json else summary(found))
    return OK if found["complete"] else NOT_AS_EXPECTED


def summary(found: dict[str, Any]) -> str:
    """What came of it, in words."""
    told, acked = found["handed_over_ms"], found["acknowledged_ms"]
    sums = (
        f"{found['tables']} tables sent {found['sent']:,} events in {found['seconds']:g} s, "
        f"{found['sent_per_second']:,} in a second. The consumer got {found['received']:,}: "
        f"{found['missing']} are missing, {found['doubled']} came twice, {found['out_of_order']} came out of "
        f"order, {found['wrong']} are not what a table sent."
    )
    paragraphs = [sums]
    if found["worst"]:
        worst = found["worst"][0]
        paragraphs.append(
            f"The worst table is {worst['table']}: {worst['missing']} missing, {worst['doubled']} twice, "
            f"{worst['out_of_order']} out of order, {worst['wrong']} wrong."
        )
    if told and acked:
        paragraphs.append(
            f"From the table to the consumer's hands: {told['p50']:g} ms (half), {told['p95']:g} ms (95 %), "
            f"{told['p99']:g} ms (99 %), {told['max']:g} ms at most. Until the table knew that it is stored: "
            f"{acked['p50']:g}, {acked['p95']:g}, {acked['p99']:g} and {acked['max']:g} ms."
        )
    faults = ", ".join(f"{fault} {times}x" for fault, times in found["faults"].items())
    paragraphs.append(
        f"Faults: {faults or 'none'}; {found['connections']} connections of tables; {found['replayed']:,} of "
        f"{found['messages']:,} messages told something again."
    )
    parts = [("consumer", "consumer"), ("simulated_tables", "all tables"), ("broker", "broker")]
    used = [
        f"{words} {found[part]['cpu_s']:g} s and {found[part]['peak_mb']:g} MB"
        for part, words in parts
        if found[part]
    ]
    paragraphs.append(f"Processor and memory: {', '.join(used)}.")
    return "\n".join(textwrap.fill(paragraph, WIDTH) for paragraph in paragraphs)


def _shown(line: str) -> None:
    # Over the line before it; what is left of that one is cleared.
    print(f"\r{line}\x1b[K", end="", flush=True, file=sys.stderr)


def _silent(_line: str) -> None:
    return


def _tables(text: str) -> int:
    number = int(text) if text.isdigit() else 0
    if not 0 < number <= MOST_TABLES:
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to {MOST_TABLES}")
    return number


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number


def _faults(text: str) -> tuple[Fault, ...]:
    if text in {"all", "none"}:
        return FAULTS if text == "all" else ()
    wanted = text.split(",")
    if strange := [name for name in wanted if name not in FAULTS]:
        raise argparse.ArgumentTypeError(f"no fault is called {strange[0]!r}; there are {', '.join(FAULTS)}")
    return tuple(fault for fault in FAULTS if fault in wanted)


def _address(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return text
