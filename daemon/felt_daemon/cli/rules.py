"""`felt rules`: the packs, their rules and reports in plain words, and whether they are sound."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt_daemon.cli import exits, rules_words
from felt_daemon.cli.rules_words import add_action
from felt_daemon.cli.terminal import tell
from felt_daemon.rules.check import check
from felt_daemon.rules.explain import explain, explain_others, explain_reports, reports_of, tests_of
from felt_daemon.rules.library import (
    BadPack,
    chapters,
    document_of,
    document_of_file,
    load,
    load_file,
    pack_of,
    packs_in,
)
from felt_daemon.rules.settle import settings
from felt_daemon.rules.text import citations, names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from felt_daemon.rules.pack import Pack

_EPILOG = """\
examples:
  felt rules list                       every rule of every pack
  felt rules explain "659a.13(m)"       one subsection, also written 659a.13.m
  felt rules explain shoe-jam           one rule or report by its name, in every game that has it
  felt rules explain shoe-jam --chapter 659a
  felt rules explain deal/manual-shoe --chapter 686a    whatever else keeps a subsection, by its kind and name
  felt rules reports 659a               what people can report, by whom, and what they say with it
  felt rules check mygame.toml          what is wrong with a pack of your own
  felt rules list --packs /etc/feltd/packs      with the packs of your own in this folder
  felt rules parts                      what a pack of your own may be made of
  felt rules parts automated-shoe       the rows of one part
  felt rules names shoe                 what a row may listen to and ask for

`felt rules ACTION --help` has more of each.
"""
_SHELF_EXITS = f"""exit codes:
  {exits.OK}  shown
  {exits.REFUSED}  there is no such chapter, rule or subsection, or a pack of the folder does not load
  {exits.USAGE}  the command line is wrong
  {exits.NO_INPUT} the folder of packs cannot be read
"""
_LIST = f"""examples:
  felt rules list                                    every rule of every pack, by chapter
  felt rules list --packs /etc/feltd/packs           with the packs of your own in this folder
  felt rules list --json

{_SHELF_EXITS}"""
_EXPLAIN = f"""examples:
  felt rules explain "659a.13(m)"                    one subsection, also written 659a.13.m
  felt rules explain shoe-jam                        one rule or report by its name, in every game that has it
  felt rules explain shoe-jam --chapter 659a --json
  felt rules explain deal/manual-shoe --chapter 686a  whatever else keeps a subsection, by its kind and name
  felt rules explain rest-taken-early --packs /etc/feltd/packs

Each entry of the JSON document has its `kind`: rule, report, permit, election and so on, or people, where
nobody else sees what the subsection asks for.

{_SHELF_EXITS}"""
_REPORTS = f"""examples:
  felt rules reports                                 what people can report, of every game
  felt rules reports 659a                            of one: by whom, and what they say with it
  felt rules reports 900a --packs /etc/feltd/packs   of a game of your own

{_SHELF_EXITS}"""
_CHECK = f"""examples:
  felt rules check                                   every pack that came along
  felt rules check mygame.toml                       every mistake of a pack of your own
  felt rules check 659a packs/900a.toml packs/901a.toml

A pack is checked whatever the house elects. Where a part of it needs another that is missing, that alone is
said: most other mistakes would come of it.

exit codes:
  {exits.OK}  all of them are sound
  {exits.REFUSED}  one at least is not
  {exits.USAGE}  the command line is wrong
  {exits.NO_INPUT} a file cannot be read; the others are checked all the same
"""


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `rules` to the commands of `felt`."""
    parser = subparsers.add_parser(
        "rules",
        help="the rules in plain words",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = add_action(actions, "list", "every rule of every pack", _LIST)
    _add_shared(listing)
    listing.set_defaults(run=_with_packs(run_list))
    explaining = add_action(actions, "explain", "one subsection, rule or report", _EXPLAIN)
    explaining.add_argument(
        "what",
        metavar="CITATION",
        help="659a.13(m), 659a.13.m, or the name of a rule, a report, or what else keeps the text",
    )
    explaining.add_argument("--chapter", help="of this chapter alone, as 659a")
    _add_shared(explaining)
    explaining.set_defaults(run=_with_packs(run_explain))
    reporting = add_action(actions, "reports", "what people can report with `felt report`", _REPORTS)
    reporting.add_argument("chapter", metavar="CHAPTER", nargs="?", help="as 659a; none: every chapter")
    _add_shared(reporting)
    reporting.set_defaults(run=_with_packs(run_reports))
    checking = add_action(actions, "check", "whether packs are sound", _CHECK)
    checking.add_argument(
        "files", metavar="FILE", nargs="*", help="packs of your own, or chapters; none: all that came along"
    )
    checking.set_defaults(run=run_check)
    rules_words.register(actions)


def _add_shared(parser: argparse.ArgumentParser) -> None:
    """What every action has that shows packs."""
    parser.add_argument(
        "--packs", metavar="DIR", type=Path, help="a folder of packs of your own, shown as well"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _shelf(folder: Path | None) -> dict[str, Pack]:
    """The packs that come along and those in the folder, by name; raises `BadPack` or `OSError`."""
    shelf = {chapter: load(chapter) for chapter in chapters()}
    if folder is None:
        return shelf
    # A folder that is not there would only look empty.
    next(folder.iterdir(), None)
    for name, file in packs_in(folder).items():
        if name in shelf:
            raise BadPack(f"{file}: a pack of this name comes along; give yours another")
        try:
            shelf[name] = load_file(file)
        except BadPack as error:
            raise BadPack(f"{error}\n{file}: `felt rules check` says all of it") from None
    return shelf


def _with_packs(
    run: Callable[[argparse.Namespace, dict[str, Pack]], int],
) -> Callable[[argparse.Namespace], int]:
    """The action with its packs, or an end with what is wrong with them."""

    def with_packs(args: argparse.Namespace) -> int:
        try:
            packs = _shelf(args.packs)
        except BadPack as error:
            tell(f"felt: {error}", sys.stderr)
            return exits.REFUSED
        except OSError as error:
            tell(f"felt: {args.packs}: {error.strerror}", sys.stderr)
            return exits.NO_INPUT
        return run(args, packs)

    return with_packs


def run_list(args: argparse.Namespace, shelf: dict[str, Pack]) -> int:
    """List every rule."""
    packs = shelf.values()
    if args.json:
        document = [
            {"id": rule.id, "chapter": pack.source.chapter, "cite": list(rule.cite), "says": rule.says}
            for pack in packs
            for rule in pack.rules
        ]
        tell(json.dumps(document, indent=2))
        return exits.OK
    for pack in packs:
        tell(f"{pack.source.chapter}  {pack.source.game}  ({pack.source.bulletin}, {pack.source.standing})")
        width = max((len(name) for name in pack.by_id), default=0)
        for rule in pack.rules:
            tell(f"  {', '.join(rule.cite) or 'own rule':32} {rule.id:{width}} {rule.says}")
    return exits.OK


def run_reports(args: argparse.Namespace, shelf: dict[str, Pack]) -> int:
    """List what people can report."""
    if _no_such(args.chapter, shelf):
        return exits.REFUSED
    packs = {args.chapter: shelf[args.chapter]} if args.chapter else shelf
    if args.json:
        document = [
            {"chapter": pack.source.chapter, **report}
            for name, pack in packs.items()
            for report in reports_of(pack, tests_of(name))
        ]
        tell(json.dumps(document, indent=2))
        return exits.OK
    for pack in packs.values():
        tell(
            f"{pack.source.chapter}  {pack.source.game}: `felt report WHAT`, or the report button of a panel"
        )
        for report in reports_of(pack, {}):
            by, asks = ", ".join(report["by"]), _asks(report)
            tell(f"  {report['report']:26} {by:20} {asks:14} {report['says']}")
    return exits.OK


def run_explain(args: argparse.Namespace, shelf: dict[str, Pack]) -> int:
    """Explain one subsection, rule or report."""
    if _no_such(args.chapter, shelf):
        return exits.REFUSED
    rules = explain(args.what, args.chapter, shelf)
    reports = explain_reports(args.what, args.chapter, shelf)
    others = explain_others(args.what, args.chapter, shelf)
    if not (rules or reports or others):
        known = {name for pack in shelf.values() for name in _known(pack)}
        near = difflib.get_close_matches(args.what, sorted(known), 3)
        hint = f"; near it: {', '.join(near)}" if near else "; `felt rules list` shows all"
        tell(f"felt: no pack has {args.what}{hint}", sys.stderr)
        return exits.REFUSED
    if args.json:
        # Of a name the rule alone, whose entry names its reports; of a subsection whatever keeps it.
        named = [rule for rule in rules if rule.get("id") == args.what]
        tell(json.dumps([_with_kind(one) for one in named or [*rules, *reports, *others]], indent=2))
        return exits.OK
    parts = [map(_lines, rules), map(_report_lines, reports), map(_other_lines, others)]
    for index, lines in enumerate(chain.from_iterable(parts)):
        if index:
            tell("")
        for line in lines:
            tell(line)
    return exits.OK


def _with_kind(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry that says what it is; `people` where nobody else sees what a subsection asks for."""
    if "kind" in entry:
        return entry
    return {"kind": "rule" if "id" in entry else "report" if "report" in entry else "people", **entry}


def _no_such(chapter: str | None, shelf: dict[str, Pack]) -> bool:
    """Whether a chapter is named that there is no pack for; says so."""
    if chapter is None or chapter in shelf:
        return False
    tell(f"felt: no pack for chapter {chapter}; there are: {', '.join(shelf)}", sys.stderr)
    return True


def _known(pack: Pack) -> Iterator[str]:
    yield from names_of(pack)
    yield from pack.reports
    yield from (cite for cite, _kind, _name in citations(pack))


def _head(kind: str, cite: list[str], game: str) -> str:
    return f"{', '.join(cite) or f'A {kind} of our own; the text is silent'}  ({game})"


def _lines(rule: dict[str, Any]) -> Iterator[str]:
    yield _head("rule", rule["cite"], rule["game"])
    yield f"  {rule['says']}"
    if "why" in rule:
        yield f"  Why: {rule['why']}"
    else:
        yield f"  rule      {rule['id']}, {rule['text']}"
        if rule["on"]:
            yield f"  when      {' or '.join(rule['on'])}{_and(rule['when'])}"
        for one in rule["reported_as"]:
            yield f"  reported  {one['report']}{_and(one['when'])}: {one['says']}"
        yield f"  effect    {rule['effect']}" + ("; the round is void" if rule["void"] else "")
    for directive in rule["directives"]:
        yield f"  do        {directive}"
    for hold in rule.get("holds", ()):
        yield _hold_line(hold)
    if rule.get("note"):
        yield f"  note      {rule['note']}"
    for test in rule["tests"]:
        yield f"  held by   {test}"


def _and(conditions: list[str]) -> str:
    return f", and {', '.join(conditions)}" if conditions else ""


def _hold_line(hold: dict[str, Any]) -> str:
    stops = "inhibits the device and " if hold["stops"] else ""
    gates = f"keeps {' and '.join(hold['gates'])} closed" if hold["gates"] else "advises"
    two = "; it takes two to override" if hold["override"] == "two" else ""
    return f"  hold      on the {hold['binds']}: {stops}{gates} until {hold['until']}{two}"


def _report_lines(report: dict[str, Any]) -> Iterator[str]:
    yield _head("report", report["cite"], report["game"])
    yield f"  {report['says']}"
    yield f"  report    {report['report']}, by {', '.join(report['by'])}; asks {_asks(report)}"
    for need in report["needs"]:
        yield f"  needs     {need['when']}; else refused: {need['says']}"
    for row in report["rulings"]:
        yield f"  ruling    {row}"
    for test in report["tests"]:
        yield f"  held by   {test}"


def _other_lines(other: dict[str, Any]) -> Iterator[str]:
    yield _head(other["kind"], other["cite"], other["game"])
    if other["says"]:
        yield f"  {other['says']}"
    yield f"  kept by   {other['kind']} {other['name']}"
    for test in other["tests"]:
        yield f"  held by   {test}"


def _asks(report: dict[str, Any]) -> str:
    """What must be said with it; a device of which there is one, and a deck that is meant, need no saying."""
    return ", ".join(f"--{name}" for name in report["asks"]) or "nothing"


def run_check(args: argparse.Namespace) -> int:
    """Check packs; tells every mistake."""
    code = exits.OK
    for name in args.files or chapters():
        try:
            mistakes = list(dict.fromkeys(_mistakes(name)))
        except OSError as error:
            tell(f"{name}: {error.strerror}", sys.stderr)
            code = exits.NO_INPUT
            continue
        for mistake in mistakes:
            tell(f"{name}: {mistake}", sys.stderr)
            code = max(code, exits.REFUSED)
        if not mistakes:
            tell(f"{name}: sound")
    return code


def _mistakes(name: str) -> Iterator[str]:
    """Every mistake, whatever the house elects; of a chapter that came along, or of a file."""
    try:
        document = document_of(name) if name in chapters() else document_of_file(Path(name))
        for elections in settings(document):
            yield from check(pack_of(document, elections))
    except BadPack as error:
        yield from str(error).splitlines()
