"""What goes over the control socket: one JSON document on each line, a request or its answer.

Pure: no socket, no clock. A line that is no request is a value, `Malformed`, never a raise.
"""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn, cast, get_args

from felt_protocols.events.core import ID_PATTERN
from felt_protocols.events.person import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Longest line, its newline included. A command is a few hundred bytes.
LONGEST_LINE: Final = 64 * 1024
ROLES: Final[tuple[Role, ...]] = get_args(Role)
_KEYS = ("id", "table", "command", "args", "role", "person", "pin", "second")
_SECOND_KEYS = ("person", "pin")
_ID = re.compile(r"[!-~]{1,64}")
_COMMAND = re.compile(r"[a-z][a-z0-9-]{0,63}")
_TABLE = re.compile(ID_PATTERN)
_LONGEST_PERSON = 64
# Of an unknown key no more is said; it may be as long as a line.
_LONGEST_KEY = 64
# Generous: which text is a PIN, whoever checks it knows.
_LONGEST_PIN = 64

# Why an answer is no; scripts rely on these words. `refused` is the handler's own no.
MALFORMED: Final = "malformed"
BUSY: Final = "busy"
FORBIDDEN: Final = "forbidden"
REFUSED: Final = "refused"


def _nothing() -> Mapping[str, object]:
    return {}


@dataclass(frozen=True, slots=True)
class Second:
    """The other person of a command that takes two. The PIN shows in no text of this object."""

    person: str
    pin: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """A command or a query. `role` is what the caller says; only a simulated run or a PIN make it count.

    `table` is whom it is for; it may be left out where one table alone is at the socket. `person` is a name;
    with `pin`, which shows in no text of this object, the id of an entry in the register.
    """

    id: str
    command: str
    args: Mapping[str, object] = field(default_factory=_nothing)
    role: Role | None = None
    person: str | None = None
    pin: str | None = field(default=None, repr=False)
    second: Second | None = None
    table: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the request of the same id (None: the line had no id that could be read).

    `data` is what was asked for or done; a no has one of the words above in `code` and a reason for people
    in `why`.
    """

    id: str | None
    ok: bool
    data: Mapping[str, object] = field(default_factory=_nothing)
    code: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is at the other end: the kernel's word for process and account, and the roles these have here."""

    pid: int
    uid: int
    gid: int
    roles: frozenset[Role]


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that is no request: the reason, and the id to answer under where it had one."""

    id: str | None
    why: str


def refusal(request_id: str | None, code: str, why: str) -> Answer:
    """A no, with its reason."""
    return Answer(request_id, ok=False, code=code, why=why)


class Lines:
    """Cuts a byte stream into lines and holds at most one that is not finished."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._held = bytearray()
        self._skipping = False

    def receive(self, data: bytes) -> Iterator[bytes | Malformed]:
        """Every line that `data` ends, without its newline; one that is too long is told once and dropped."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            line = bytes(self._held) + part
            self._held.clear()
            skipped, self._skipping = self._skipping, False
            if skipped:
                continue
            if len(line) >= self._longest:
                yield self._too_long()
            elif line.strip():
                yield line
        if self._skipping:
            return
        self._held += rest
        if len(self._held) >= self._longest:
            self._held.clear()
            self._skipping = True
            yield self._too_long()

    def _too_long(self) -> Malformed:
        return Malformed(None, f"a line has at most {self._longest} bytes")


def parse_request(line: bytes) -> Request | Malformed:
    """The request that a line holds, or why it holds none."""
    try:
        document = _json(line)
    except ValueError as error:
        return Malformed(None, f"no JSON document: {error}")
    except RecursionError:
        return Malformed(None, "no JSON document: nested too deeply")
    if not isinstance(document, dict):
        return Malformed(None, 'a request is an object, such as {"id": "1", "command": "ping"}')
    given = cast("dict[str, object]", document)
    request_id = given.get("id")
    if not isinstance(request_id, str) or _ID.fullmatch(request_id) is None:
        return Malformed(None, "id must be text of 1 to 64 visible ASCII characters")
    why = _wrong(given)
    if why:
        return Malformed(request_id, why)
    return Request(
        id=request_id,
        command=cast("str", given["command"]),
        args=cast("Mapping[str, object]", given.get("args", {})),
        role=cast("Role | None", given.get("role")),
        person=cast("str | None", given.get("person")),
        pin=cast("str | None", given.get("pin")),
        second=_second(cast("Mapping[str, str] | None", given.get("second"))),
        table=cast("str | None", given.get("table")),
    )


def _second(given: Mapping[str, str] | None) -> Second | None:
    return None if given is None else Second(given["person"], given.get("pin"))


def _wrong(given: Mapping[str, object]) -> str:
    """Why an object with a valid id is no request; empty if it is one."""
    return _unknown_key(given, _KEYS) or _wrong_command(given) or _wrong_people(given)


def _unknown_key(given: Mapping[str, object], keys: tuple[str, ...]) -> str:
    for key in given:
        if key not in keys:
            named = key[:_LONGEST_KEY]
            near = difflib.get_close_matches(named, keys, n=1)
            return f"unknown key {named!r}" + (f"; nearest: {near[0]!r}" if near else "")
    return ""


def _wrong_command(given: Mapping[str, object]) -> str:
    command, args, role = given.get("command"), given.get("args", {}), given.get("role")
    table = given.get("table")
    if not isinstance(command, str) or _COMMAND.fullmatch(command) is None:
        return "command must be a name such as no-more-bets"
    if not isinstance(args, dict):
        return "args must be an object"
    if role is not None and role not in ROLES:
        return "role must be one of " + ", ".join(ROLES)
    if table is not None and not (isinstance(table, str) and _TABLE.fullmatch(table)):
        return "table must be the id of a table, such as asia-1"
    return ""


def _wrong_people(given: Mapping[str, object]) -> str:
    second = given.get("second")
    if second is None:
        return _wrong_person(given, "")
    other = cast("Mapping[str, object]", second if isinstance(second, dict) else {})
    if other.get("person") is None:
        return 'second must be an object, such as {"person": "ben", "pin": "..."}'
    wrong = _unknown_key(other, _SECOND_KEYS)
    return _wrong_person(given, "") or (f"second: {wrong}" if wrong else _wrong_person(other, "second."))


def _wrong_person(given: Mapping[str, object], where: str) -> str:
    """Why the person or the PIN of an object is none; never what was given as a PIN."""
    person, pin = given.get("person"), given.get("pin")
    if person is not None and not _is_name(person):
        return f"{where}person must be text of 1 to {_LONGEST_PERSON} printable characters"
    if pin is None:
        return ""
    if not isinstance(pin, str) or not 1 <= len(pin) <= _LONGEST_PIN:
        return f"{where}pin must be text of 1 to {_LONGEST_PIN} characters"
    return "" if person is not None else f"{where}pin needs {where}person: the id of an entry in the register"


def _is_name(person: object) -> bool:
    return isinstance(person, str) and 1 <= len(person) <= _LONGEST_PERSON and person.isprintable()


def encode_request(request: Request) -> bytes:
    """A request as a line."""
    document: dict[str, object] = {"id": request.id, "command": request.command, "args": request.args}
    if request.table is not None:
        document["table"] = request.table
    if request.role is not None:
        document["role"] = request.role
    if request.person is not None:
        document["person"] = request.person
    if request.pin is not None:
        document["pin"] = request.pin
    if request.second is not None:
        second, pin = request.second.person, request.second.pin
        document["second"] = {"person": second} | ({} if pin is None else {"pin": pin})
    return _line(document)


def encode_answer(answer: Answer) -> bytes:
    """An answer as a line."""
    document: dict[str, object] = {"id": answer.id, "ok": answer.ok}
    if answer.ok:
        document["data"] = answer.data
    else:
        document |= {"code": answer.code, "why": answer.why}
        if answer.data:
            document["data"] = answer.data
    return _line(document)


def parse_answer(line: bytes) -> Answer:
    """The answer that a line holds. Raises `ValueError` where it holds none."""
    # Ages and shares in an answer may be fractions; what is asked for never is one.
    document = _json(line, fractions=True)
    given = cast("dict[str, object]", document) if isinstance(document, dict) else {}
    request_id, ok, data = given.get("id"), given.get("ok"), given.get("data", {})
    code, why = given.get("code", ""), given.get("why", "")
    if (
        not (request_id is None or isinstance(request_id, str))
        or not isinstance(ok, bool)
        or not isinstance(data, dict)
        or not isinstance(code, str)
        or not isinstance(why, str)
    ):
        raise ValueError("an answer has id, ok, and data or code and why")
    return Answer(request_id, ok=ok, data=cast("Mapping[str, object]", data), code=code, why=why)


def _line(document: Mapping[str, object]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _json(line: bytes, *, fractions: bool = False) -> object:
    """The document of a line; strict where Python's parser is not. Raises `ValueError`."""
    document: object = json.loads(
        line.decode("utf-8"),
        object_pairs_hook=_object,
        parse_float=float if fractions else _no_float,
        parse_constant=_no_float,
    )
    if b"\\u" in line:
        # A lone surrogate is valid in JSON's escapes and in no text that could be kept or sent.
        json.dumps(document, ensure_ascii=False).encode()
    return document


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return members


def _no_float(text: str) -> NoReturn:
    raise ValueError(f"{text} is no whole number; there are no fractions here")
