"""The commands of the table, each `felt NAME`: made from their models, so that none can be forgotten."""

from __future__ import annotations

import argparse
import functools
import json
import sys
from argparse import RawDescriptionHelpFormatter
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

from felt_daemon.cli import exits
from felt_daemon.cli.asking import add_options, add_proof, ask
from felt_daemon.cli.terminal import tell
from felt_protocols.commands import COMMANDS

if TYPE_CHECKING:
    from felt_protocols.commands import Command

# How each is typed. The lines of one command are separated by a newline.
EXAMPLES: Final = {
    "open-table": "felt open-table",
    "close-table": "felt close-table",
    "no-more-bets": "felt no-more-bets",
    "round-end": "felt round-end",
    "new-dealer": "felt new-dealer --dealer Robin",
    "call-floor": "felt call-floor",
    "report": 'felt report players-card-exposed --seat 4 --note "turned over by the dealer"\n'
    "felt report seats-playing --seats 1,3,5",
    "acknowledge": "felt acknowledge 7 --person ann",
    "override": (
        'felt override 7 --reason "counted by hand: 53" --person ann\n'
        'felt override 7 --reason "counted by hand: 53" --person ann --second ben --pin-file pins'
    ),
    "release-round": "felt release-round",
    "change-deck": "felt change-deck red\nfelt change-deck blue --preshuffled",
    "change-dice": "felt change-dice shaker-1",
    "order": "felt order reshuffle --deck red",
    "count": "felt count red 53\nfelt count red 4 --part remaining",
    "withdraw-card": 'felt withdraw-card red table --why "a corner is bent" --card QD',
    "replace-card": "felt replace-card red --card QD",
    "method": "felt method --shuffle hand",
    "sign": "felt sign shuffler-1 out-of-order",
    "inspect": "felt inspect in-order --device shoe-1 --person tom",
    "service-begin": 'felt service-begin shuffler-1 --why "rollers are worn" --person tom',
    "service-end": "felt service-end shuffler-1 --shown-empty --person tom",
    "device-retire": "felt device-retire shuffler-1 --shown-empty --person tom",
    "device-accept": "felt device-accept shuffler-1 SN-4711 --shown-empty --person tom",
    "jackpot-verify": "felt jackpot-verify main 3 --person ann",
    "jackpot-paid": "felt jackpot-paid main 3 table --person ann",
    "meter-reset": "felt meter-reset main --person tom",
    "meter-correct": 'felt meter-correct main 1250000 --reason "by the log" --person fay --second fred',
    "replay": "felt replay accounting 4711",
    "snapshot": "felt snapshot accounting",
}
# What people say in their own words has its name before it, also where it must be said.
_SENTENCES = frozenset({"reason", "why"})


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add every command of the table."""
    for name, model in COMMANDS.items():
        words = (model.__doc__ or "").strip()
        proven = " Takes a person with a PIN where there is a register of people." if model.proven else ""
        example = "".join(f"  {line}\n" for line in EXAMPLES[name].splitlines())
        parser = subparsers.add_parser(
            name,
            help=words[0].lower() + words.rstrip(".")[1:],
            description=f"{words} For: {', '.join(sorted(model.roles))}.{proven}",
            epilog=f"example:\n{example}\nexit code: {exits.OK} done and recorded, {exits.REFUSED} refused,"
            f" {exits.NOT_REACHABLE} feltd is not reached, {exits.UNKNOWN} no answer came",
            formatter_class=RawDescriptionHelpFormatter,
        )
        for field, about in model.model_fields.items():
            _add(parser, field, about)
        add_options(parser)
        add_proof(parser)
        parser.set_defaults(run=functools.partial(run, model))


def _add(parser: argparse.ArgumentParser, name: str, about: Any) -> None:  # noqa: ANN401 - pydantic's field
    flag = f"--{name.replace('_', '-')}"
    options: dict[str, Any] = {}
    kinds = _kinds(about.annotation)
    if bool in kinds:
        parser.add_argument(flag, action="store_true")
        return
    choices = [choice for kind in kinds if get_origin(kind) is Literal for choice in get_args(kind)]
    if choices:
        options["choices"] = choices
        options["metavar"] = "{" + ",".join(choices) + "}"
    else:
        options["metavar"] = name.upper()
    if int in kinds:
        options["type"] = int
    if tuple in kinds:
        options["type"] = numbers
        options["metavar"] = "N,N,..."
    if not about.is_required():
        parser.add_argument(flag, default=about.default, **options)
    elif name in _SENTENCES:
        parser.add_argument(flag, required=True, **options)
    else:
        parser.add_argument(name, **options)


def numbers(text: str) -> list[int]:
    """Numbers with commas between them. Raises what argparse tells as a wrong value."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no list of numbers; write them with commas, as 1,3,5"
        ) from None


def _kinds(annotation: Any) -> list[Any]:  # noqa: ANN401 - whatever a field may be
    """The types that a field may have, without None and without what is beside a type."""
    if get_origin(annotation) is tuple:
        return [tuple]
    parts = get_args(annotation) if get_origin(annotation) is not Literal else ()
    if not parts:
        return [annotation]
    if hasattr(annotation, "__metadata__"):
        return _kinds(parts[0])
    return [kind for part in parts if part is not type(None) for kind in _kinds(part)]


def run(model: type[Command], args: argparse.Namespace) -> int:
    """Give the command; gives the exit code."""
    fields = {name: getattr(args, name) for name in model.model_fields}
    answer = ask(args, model.name, {name: value for name, value in fields.items() if value is not None})
    if isinstance(answer, int):
        return answer
    if args.json:
        tell(json.dumps({"ok": answer.ok, "code": answer.code, "why": answer.why, **answer.data}))
    elif answer.ok:
        tell(f"{model.name}: done, row {answer.data.get('sequence')}")
    else:
        tell(f"{model.name}: {answer.why}", sys.stderr)
    return exits.OK if answer.ok else exits.REFUSED
