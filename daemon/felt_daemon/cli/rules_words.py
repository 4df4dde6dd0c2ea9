"""`felt rules parts` and `felt rules names`: what packs are made of, for those who write one."""

from __future__ import annotations

import argparse
import difflib
import itertools
import sys
import textwrap
from typing import TYPE_CHECKING

from felt_daemon.cli import exits
from felt_daemon.cli.terminal import tell
from felt_daemon.rules.library import needs, parts
from felt_daemon.table.measures import MEASURES
from felt_protocols.events import EVENTS, Decision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_protocols.events import Event

# What every event of a device or a person has besides.
_ALWAYS = {"n", "device", "by", "second", "via"}
_WIDTH = 100
_INDENT = 26


_PARTS = f"""examples:
  felt rules parts                      every part, and what it is about
  felt rules parts automated-shoe       its file, and in words what it needs of other parts

exit codes: {exits.OK} shown, {exits.REFUSED} no part is called so, {exits.USAGE} the command line is wrong
"""
_NAMES = f"""examples:
  felt rules names                      every fact and every measure
  felt rules names shoe                 those with this word in their names

exit codes: {exits.OK} shown, {exits.REFUSED} no name has the word, {exits.USAGE} the command line is wrong
"""


def add_action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
    name: str,
    what: str,
    epilog: str,
) -> argparse.ArgumentParser:
    """An action of `felt rules` whose help ends with examples and exit codes as they are written."""
    return actions.add_parser(
        name, help=what, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def register(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add both to the actions of `felt rules`."""
    listing = add_action(actions, "parts", "the parts that a pack may be made of", _PARTS)
    listing.add_argument(
        "name", metavar="PART", nargs="?", help="print this part's file and what it needs; none: list all"
    )
    listing.set_defaults(run=run_parts)
    naming = add_action(actions, "names", "what a row may listen to and ask for", _NAMES)
    naming.add_argument("word", metavar="WORD", nargs="?", default="", help="only names with this in them")
    naming.set_defaults(run=run_names)


def run_parts(args: argparse.Namespace) -> int:
    """List the parts, or print one."""
    known = parts()
    asked: str | None = args.name
    if asked is None:
        for name, text in known.items():
            _entry(name, _about(text))
        return exits.OK
    if asked not in known:
        near = difflib.get_close_matches(asked, known, 3)
        hint = f"; near it: {', '.join(near)}" if near else "; `felt rules parts` shows all"
        tell(f"felt: no part is called {asked}{hint}", sys.stderr)
        return exits.REFUSED
    tell(known[asked].rstrip("\n"))
    needed = needs(asked)
    if needed:
        tell(f"\n# ---- What {asked} needs {'-' * (70 - len(asked))}")
    for need in needed:
        tell(f"# {need}")
    return exits.OK


def run_names(args: argparse.Namespace) -> int:
    """List facts, which a row names under `on`, and measures, which its conditions may ask for."""
    facts = {name: _fact(event) for name, event in EVENTS.items() if not issubclass(event, Decision)}
    measures = {name: _first(measure.__doc__) for name, measure in MEASURES.items()}
    word: str = args.word
    found = [
        (title, {name: says for name, says in known.items() if word in name})
        for title, known in (("facts, for `on`", facts), ("measures, for conditions", measures))
    ]
    if not any(names for _title, names in found):
        tell(f"felt: no fact and no measure has {word} in its name", sys.stderr)
        return exits.REFUSED
    for title, names in found:
        if names:
            tell(title)
        for name, says in sorted(names.items()):
            _entry(f"  {name}", says)
    return exits.OK


def _about(text: str) -> str:
    """The first paragraph of a file's comment."""
    lines = itertools.takewhile(lambda line: line.startswith("# "), text.splitlines())
    return " ".join(line.removeprefix("# ") for line in lines)


def _first(docs: str | None) -> str:
    return (docs or "").partition("\n")[0]


def _fact(event: type[Event]) -> str:
    fields = ", ".join(name for name in event.model_fields if name not in _ALWAYS)
    return f"{_first(event.__doc__)}{f' ({fields})' if fields else ''}"


def _entry(name: str, says: str) -> None:
    for line in _wrapped(name, says):
        tell(line)


def _wrapped(name: str, says: str) -> Iterator[str]:
    first, *rest = textwrap.wrap(says, _WIDTH - _INDENT) or [""]
    yield f"{name:<{_INDENT - 1}} {first}".rstrip()
    for line in rest:
        yield f"{'':{_INDENT}}{line}"
