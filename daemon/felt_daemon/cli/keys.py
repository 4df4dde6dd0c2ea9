"""`felt keys`: who may do what at the table, and the PINs and keys with which they prove who they are."""

from __future__ import annotations

import argparse
import getpass
import json
import re
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

from felt_daemon.cli import exits, keys_ca
from felt_daemon.cli.terminal import tell
from felt_daemon.people import BrokenRegister, Entry, Key, Register, RegisterError, changes, store
from felt_daemon.people.pins import weakness
from felt_daemon.people.register import named
from felt_protocols.events.person import Role
from felt_protocols.signed.public import KID_PATTERN
from felt_protocols.topics import checked

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_REGISTER = Path("/etc/feltd/people.json")
_LONGEST_OVERLAP_H = 8784.0
_KID = re.compile(KID_PATTERN)

_EPILOG = f"""\
examples:
  felt keys add ann --name "Ann Bell" --roles floor
  felt keys pin ann                                       asks for the PIN, twice
  felt keys add pit-3 --name "Pit 3 terminal" --roles floor-system --system
  felt keys make pit-3 --out pit-3.pem                    a key pair; the public half goes into the register
  felt keys trust pit-3 --public 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
  felt keys rotate pit-3 --out pit-3-new.pem --overlap 24
  felt keys revoke GGN4NGAZZ4PK2X2U                       one key; with an id, all its keys and the PIN
  felt keys off ann                                       she left; the entry stays, as the journal names it
  felt keys list
  felt keys ca --help                                     certificates for TLS to the broker

roles: {", ".join(get_args(Role))}

feltd reads the register again when it has changed; nothing has to be restarted.

exit codes: {exits.OK} done, {exits.REFUSED} not possible, {exits.USAGE} the command line is wrong,
{exits.NO_INPUT} a file cannot be read or written, {exits.BAD_CONFIG} the register has mistakes.
Nothing is changed unless the code is {exits.OK}.
"""


class _Told(NamedTuple):
    """What to say about what was done, to people and to programs."""

    text: str
    document: dict[str, Any]


def register(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
) -> None:
    """Add `keys` to the commands of `felt`."""
    keys = subparsers.add_parser(
        "keys",
        help="keep the register of people and systems: roles, PINs, keys",
        description="Keeps the register of people and systems, who has which role, and how they prove it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = keys.add_subparsers(metavar="COMMAND", required=True)
    part = partial(_part, parts)

    adding = part("add", _add, "add a person, or a system")
    adding.add_argument("--name", required=True, type=_name, help="what people call them")
    adding.add_argument("--roles", required=True, type=_roles, metavar="ROLE,ROLE", help="see `felt keys -h`")
    adding.add_argument("--system", action="store_true", help="a program, which signs and has no PIN")
    changing = part("change", _change, "give an entry another name or other roles")
    changing.add_argument("--name", type=_name, help="what people call them")
    changing.add_argument("--roles", type=_roles, metavar="ROLE,ROLE", help="all the roles from then on")
    pin = part("pin", _pin, "give a person a PIN, 6 to 12 figures")
    pin.add_argument("--stdin", action="store_true", help="read it from the first line of stdin, for scripts")
    making = part("make", _make, "make a key pair for an entry")
    making.add_argument("--out", required=True, type=Path, metavar="FILE", help="for the private key (PEM)")
    trusting = part("trust", _trust, "take the public half of a key made elsewhere")
    trusting.add_argument("--public", required=True, metavar="KEY", help="32 bytes as base64url")
    rotating = part("rotate", _rotate, "make a new key pair in place of the valid keys")
    rotating.add_argument("--out", required=True, type=Path, metavar="FILE", help="for the private key (PEM)")
    rotating.add_argument(
        "--overlap", type=_hours, metavar="HOURS", help="how long the old keys stay valid; else not at all"
    )
    part("revoke", _revoke, "revoke a key, or all keys and the PIN of an entry", "KID|ID")
    part("off", _off, "withdraw an entry with all that it has")
    part("on", _on, "bring an entry back; it needs a new PIN or key")
    part("list", _list, "show all entries, without secrets", "")
    keys_ca.register(parts)


def _part(
    parts: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage] - it has no public name
    name: str,
    work: Callable[[argparse.Namespace], _Told],
    what: str,
    operand: str = "ID",
) -> argparse.ArgumentParser:
    """Add one command; without an operand where that is empty."""
    parser = parts.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    if operand:
        kind = _id if operand == "ID" else str
        parser.add_argument("id", metavar=operand, type=kind, help="whose" if kind is _id else "which")
    parser.add_argument(
        "--register", type=Path, default=DEFAULT_REGISTER, metavar="PATH", help=f"({DEFAULT_REGISTER})"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=partial(_run, work))
    return parser


def _run(work: Callable[[argparse.Namespace], _Told], args: argparse.Namespace) -> int:
    """Do the work, and turn what hinders it into a sentence and an exit code."""
    as_json: bool = args.json
    try:
        told = work(args)
    except changes.NotPossible as error:
        tell(str(error), sys.stderr)
        return exits.REFUSED
    except BrokenRegister as error:
        tell(f"{error}\nThe register has mistakes; nothing was changed.", sys.stderr)
        return exits.BAD_CONFIG
    except RegisterError as error:
        tell(str(error), sys.stderr)
        return exits.NO_INPUT
    except OSError as error:
        tell(f"{error.filename}: {error.strerror}", sys.stderr)
        return exits.NO_INPUT
    tell(json.dumps(told.document, indent=2) if as_json else told.text)
    return exits.OK


def _add(args: argparse.Namespace) -> _Told:
    path: Path = args.register
    new = not path.exists()
    kind: Literal["person", "system"] = "system" if args.system else "person"
    entry = Entry(id=args.id, name=args.name, kind=kind, roles=args.roles)
    store.change(path, partial(changes.added, entry=entry), create=True)
    if new:
        tell(f"{path} is new. feltd must be able to read it: sudo chown feltd: {path}", sys.stderr)
    proof = f"felt keys make {entry.id} --out FILE" if args.system else f"felt keys pin {entry.id}"
    return _Told(
        f"{entry.id} ({entry.name}) is added: {', '.join(entry.roles)}. Next: {proof}",
        {"id": entry.id, "name": entry.name, "kind": kind, "roles": entry.roles},
    )


def _change(args: argparse.Namespace) -> _Told:
    if args.name is None and args.roles is None:
        raise changes.NotPossible("nothing to change: give --name or --roles")
    how = partial(changes.described, name=args.id, shown=args.name, roles=args.roles)
    entry = store.change(args.register, how).entry(args.id)
    # `how` has found the entry, or there would be no register.
    found = cast("Entry", entry)
    return _Told(
        f"{found.id} is {found.name}: {', '.join(found.roles)}",
        {"id": found.id, "name": found.name, "kind": found.kind, "roles": found.roles},
    )


def _pin(args: argparse.Namespace) -> _Told:
    from felt_daemon.people.argon import hashed  # noqa: PLC0415 - `felt run` has no use for its 6 MB

    changes.person(Register.load(args.register), args.id)
    pin = sys.stdin.readline().strip() if args.stdin else _asked(args.id)
    if why := weakness(pin):
        raise changes.NotPossible(f"{why}; choose another")
    store.change(args.register, partial(changes.with_pin, name=args.id, encoded=hashed(pin)))
    return _Told(f"{args.id} has a new PIN", {"id": args.id, "pin": True})


def _asked(name: str) -> str:
    """The PIN, typed twice alike."""
    if not sys.stdin.isatty():
        raise changes.NotPossible("there is no terminal to ask at; a script gives the PIN with --stdin")
    pin = getpass.getpass(f"PIN for {name}: ")
    if getpass.getpass("Once more: ") != pin:
        raise changes.NotPossible("the two are not the same; nothing was changed")
    return pin


def _make(args: argparse.Namespace) -> _Told:
    return _new_key(args, lambda key: partial(changes.with_key, name=args.id, key=key))


def _rotate(args: argparse.Namespace) -> _Told:
    now = _now()
    until = None if args.overlap is None else now + timedelta(hours=args.overlap)
    return _new_key(args, lambda key: partial(changes.rotated, name=args.id, key=key, now=now, until=until))


def _new_key(args: argparse.Namespace, how: Callable[[Key], Callable[[Register], Register]]) -> _Told:
    """Make a key pair and register it; its file goes again if that is not to be."""
    from felt_daemon.people.keyfile import write_new_key  # noqa: PLC0415 - `felt run` has no use for its 6 MB

    out: Path = args.out
    key = write_new_key(out, _now())
    try:
        store.change(args.register, how(key))
    except (RegisterError, changes.NotPossible):
        out.unlink()
        raise
    return _Told(
        f"{args.id} has the key {key.kid} (public {key.public}).\n"
        f"Its private half is {out}: whoever can read that file can sign as {args.id}.",
        {"id": args.id, "kid": key.kid, "public": key.public, "private_file": str(out)},
    )


def _trust(args: argparse.Namespace) -> _Told:
    try:
        key = Key.of(args.public, _now())
    except ValueError as error:
        raise changes.NotPossible(str(error)) from None
    store.change(args.register, partial(changes.with_key, name=args.id, key=key))
    return _Told(f"{args.id} has the key {key.kid}", {"id": args.id, "kid": key.kid, "public": key.public})


def _revoke(args: argparse.Namespace) -> _Told:
    what: str = args.id
    if _KID.fullmatch(what):
        store.change(args.register, partial(changes.without_key, kid=what, now=_now()))
        return _Told(f"key {what} is revoked", {"kid": what, "revoked": True})
    store.change(args.register, partial(changes.without_proof, name=what, now=_now()))
    return _Told(f"all keys of {what} are revoked, and the PIN is gone", {"id": what, "revoked": True})


def _off(args: argparse.Namespace) -> _Told:
    store.change(args.register, partial(changes.switched_off, name=args.id, now=_now()))
    return _Told(f"{args.id} is off: no role, no key, no PIN", {"id": args.id, "off": True})


def _on(args: argparse.Namespace) -> _Told:
    store.change(args.register, partial(changes.switched_on, name=args.id))
    return _Told(f"{args.id} is back and needs a new PIN or key", {"id": args.id, "off": False})


def _list(args: argparse.Namespace) -> _Told:
    found = Register.load(args.register)
    now = _now()
    lines = [line for entry in found.entries for line in _lines(entry, now)]
    document = {"register": str(args.register), "entries": [_document(entry, now) for entry in found.entries]}
    return _Told("\n".join(lines) or "nobody is in the register", document)


def _lines(entry: Entry, now: datetime) -> list[str]:
    has = ["off"] if entry.off else [", ".join(entry.roles), *(["PIN"] if entry.pin else [])]
    first = f"{entry.id:<16}  {entry.kind:<6}  {entry.name}: {'; '.join(has)}"
    return [first, *(f"  {key.kid}  {_state(key, now)}, since {key.since:%Y-%m-%d}" for key in entry.keys)]


def _document(entry: Entry, now: datetime) -> dict[str, Any]:
    content = entry.model_dump(mode="json", exclude={"pin", "keys"})
    keys = [{**key.model_dump(mode="json"), "valid": key.valid(now)} for key in entry.keys]
    return {**content, "pin": entry.pin is not None, "keys": keys}


def _state(key: Key, now: datetime) -> str:
    if key.revoked is not None:
        return f"revoked {key.revoked:%Y-%m-%d %H:%M} UTC"
    if key.until is not None:
        return f"{'valid until' if key.valid(now) else 'ended'} {key.until:%Y-%m-%d %H:%M} UTC"
    return "valid"


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _id(text: str) -> str:
    try:
        return checked(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _name(text: str) -> str:
    try:
        return named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _roles(text: str) -> tuple[Role, ...]:
    known: tuple[Role, ...] = get_args(Role)
    given = [part.strip() for part in text.split(",")]
    if strange := [part for part in given if part not in known]:
        raise argparse.ArgumentTypeError(f"no role is called {strange[0]!r}; there are {', '.join(known)}")
    return tuple(role for role in known if role in given)


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours <= _LONGEST_OVERLAP_H:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not more than 0 and at most {_LONGEST_OVERLAP_H:.0f} hours"
        )
    return hours
