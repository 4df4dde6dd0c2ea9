"""The commands of the table, each `felt NAME`: made from their models, so that none can be forgotten."""

from __future__ import annotations

import functools
import json
import sys
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from felt_daemon.cli import exits
from felt_daemon.cli.asking import add_options, ask
from felt_daemon.cli.terminal import tell
from felt_protocols.commands import COMMANDS

if TYPE_CHECKING:
    import argparse

    from felt_protocols.commands import Command


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add every command of the table."""
    for name, model in COMMANDS.items():
        words = (model.__doc__ or "").strip()
        parser = subparsers.add_parser(
            name,
            help=words[0].lower() + words.rstrip(".")[1:],
            description=f"{words} For: {', '.join(sorted(model.roles))}.",
            epilog=f"Exit code: {exits.OK} done and recorded, {exits.REFUSED} refused,"
            f" {exits.NOT_REACHABLE} feltd is not reached, {exits.UNKNOWN} no answer came.",
        )
        for field, about in model.model_fields.items():
            _add(parser, field, about)
        add_options(parser)
        parser.set_defaults(run=functools.partial(run, model))


def _add(parser: argparse.ArgumentParser, name: str, about: Any) -> None:  # noqa: ANN401 - pydantic's field
    kind: Any = about.annotation
    options: dict[str, Any] = {"help": None}
    if get_origin(kind) is Literal:
        options["choices"] = get_args(kind)
    elif kind is int:
        options["type"] = int
    if about.is_required():
        parser.add_argument(name, metavar=name.upper(), **options)
    else:
        parser.add_argument(f"--{name}", default=about.default, metavar=name.upper(), **options)


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
