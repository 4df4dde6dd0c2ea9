"""`felt state`: the table now, as a floorperson wants to see it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, cast

from felt_daemon.cli import exits
from felt_daemon.cli.asking import add_options, ask
from felt_daemon.cli.terminal import tell

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

Picture = dict[str, Any]


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `state` and `health` to the commands of `felt`."""
    for name, words in (
        ("state", "the table now: round, decks, holds, and what people must do"),
        ("health", "how devices, journal and broker are: links, bytes, ages, first failures"),
    ):
        parser = subparsers.add_parser(name, help=words, description=f"Shows {words}.")
        add_options(parser)
        parser.set_defaults(run=run, question=name)


def run(args: argparse.Namespace) -> int:
    """Ask and show; gives the exit code."""
    answer = ask(args, args.question, {})
    if isinstance(answer, int):
        return answer
    if not answer.ok:
        tell(f"felt: {answer.why}", sys.stderr)
        return exits.REFUSED
    found = cast("Picture", answer.data)
    if args.json or args.question == "health":
        tell(json.dumps(found, indent=2))
    else:
        for line in lines(found):
            tell(line)
    return exits.OK


def lines(found: Picture) -> Iterator[str]:
    """The picture of the table, line by line, in plain words."""
    now = found["now"]
    clock = "" if now["trusted"] else " (clock not trusted)"
    yield f"{found['table']}  game {found['game']}  {found['state']}{', closing' if found['closing'] else ''}"
    yield f"gaming day {now['gaming_day']}{clock}"
    yield from _people(found)
    yield from _round(found["round"])
    for name, deck in found["decks"].items():
        places = _places(deck["places"])
        told = "shuffled" if deck["shuffled"] else "not shuffled"
        yield f"deck {name} ({deck['back']}): {places}; {told}, {deck['count']}"
        if found["state"] == "opening":
            steps = deck["prepared"]
            yield f"  prepared: {steps if isinstance(steps, str) else ', '.join(steps) or 'nothing yet'}"
    yield "devices: " + ", ".join(f"{name} {link}" for name, link in found["devices"].items())
    for name, what in found["aside"].items():
        yield f"ASIDE {name}: {what}"
    for one in found["due"]:
        yield f"DUE {one['device']} ({', '.join(one['cite'])}): {one['says']}"
    for hold in found["holds"]:
        cite = ", ".join(hold["cite"]) or "own rule"
        nobody = f", NOBODY OWNS IT{_asked(hold)}" if hold["locks"] else ", advice"
        owner = f", owned by {hold['owner']}" if hold["owner"] else nobody
        since = f"{_of(hold['rounds'], 'round')} and {_of(hold['hands'], 'hand')} since"
        yield (
            f"HOLD {hold['hold']} on {hold['subject']} {hold['subject_id']} ({cite}){owner}: {hold['says']}"
            f" Open for {_age(hold['since'], found['now'])}, {since}. Until {hold['until']}."
        )
    # Two troubles may ask for the same; it is done once.
    yield from dict.fromkeys(f"DO: {directive['says']}" for directive in found["directives"])
    for lock in found["interlocks"]:
        if lock["waits_for"]:
            yield f"{lock['device']} may not {lock['gate']}: {'; '.join(lock['waits_for'])}"


def _places(places: dict[str, int]) -> str:
    if list(places) == ["withdrawn"]:
        return "not at the table"
    words = (
        f"{count} withdrawn" if name == "withdrawn" else f"{count} in {name}"
        for name, count in places.items()
    )
    return ", ".join(words)


def _of(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _people(found: Picture) -> Iterator[str]:
    if found["dealer"]:
        yield f"dealer {found['dealer']}"
    if found["floor_called"]:
        yield f"THE DEALER CALLS THE FLOOR, for {_age(found['floor_called'], found['now'])}"
    if found["method"]:
        yield "way: " + ", ".join(f"{name} {word}" for name, word in found["method"].items())


def _asked(hold: Picture) -> str:
    """Who is asked to own it, if anybody is yet."""
    return f" ({hold['asked']} is asked)" if hold["asked"] else ""


def _round(now: Picture | None) -> Iterator[str]:
    if now is None:
        yield "no round"
        return
    start = "" if now["start_seat"] is None else f", start at {_seat(now['start_seat'])}"
    void = f", VOID ({now['void']})" if now["void"] else ""
    yield f"round {now['number']}, {now['phase']}{void}: {now['stacks']} stacks, {now['cards']} cards{start}"


def _age(since: Picture, now: Picture) -> str:
    """How long ago, in words; by the kernel's clock within a boot."""
    if since["boot"] == now["boot"]:
        seconds = (now["mono_ns"] - since["mono_ns"]) // 1_000_000_000
    elif since["trusted"] and now["trusted"]:
        seconds = (now["utc_us"] - since["utc_us"]) // 1_000_000
    else:
        return "an unknown time"
    hours, rest = divmod(max(0, seconds), 3600)
    return f"{hours} h {rest // 60} min" if hours else f"{rest // 60} min {rest % 60} s"


def _seat(seat: int) -> str:
    return "the dealer" if seat == 0 else f"seat {seat}"
