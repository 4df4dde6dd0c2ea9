"""The register of people and systems: one JSON file, closed, and wrong as a whole if any of it is wrong."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self, cast

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from felt_protocols.errors import FeltError
from felt_protocols.events.person import Role
from felt_protocols.signed.claims import Kid
from felt_protocols.signed.public import kid_of, public_bytes
from felt_protocols.signed.strict import parsed
from felt_protocols.topics import checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from pydantic_core import ErrorDetails

# Some hundreds of entries; a casino's dealers and floor staff fit in many times over.
LARGEST_FILE = 1024 * 1024
# As long as a name in the journal.
LONGEST_NAME = 64
# The encoded hash of argon2id: at most 999,999 KiB and 99 passes, so that no register can stall a check.
_ARGON2ID = (
    r"^\$argon2id\$v=19\$m=[1-9][0-9]{0,5},t=[1-9][0-9]?,p=[1-9]\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{6,128}$"
)


class RegisterError(FeltError):
    """The register gives nobody a role; the text says why and names the file."""


class NoRegister(RegisterError):  # noqa: N818 - the name says what happened
    """There is no register in this place, or it cannot be read."""


class BrokenRegister(RegisterError):  # noqa: N818 - the name says what was met
    """The file is no register; `mistakes` holds each with its place."""

    def __init__(self, file: str, mistakes: tuple[str, ...]) -> None:
        super().__init__("\n".join(f"{file}: {mistake}" for mistake in mistakes))
        self.file = file
        self.mistakes = mistakes


def named(text: str) -> str:
    """The name of an entry for people; raises ValueError for one that cannot be shown."""
    if not 1 <= len(text) <= LONGEST_NAME or not text.isprintable() or text != text.strip():
        raise ValueError(f"a name has 1 to {LONGEST_NAME} characters that can be seen, and no outer spaces")
    return text


def _public(text: str) -> str:
    public_bytes(text)
    return text


def _some_each_once(roles: tuple[Role, ...]) -> tuple[Role, ...]:
    if not roles:
        raise ValueError("an entry has one role or more")
    if len(set(roles)) != len(roles):
        raise ValueError("a role is given twice")
    return roles


EntryId = Annotated[str, AfterValidator(checked)]
Name = Annotated[str, AfterValidator(named)]
Roles = Annotated[tuple[Role, ...], AfterValidator(_some_each_once)]


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Key(_Closed):
    """A public key. `revoked` ends it whatever the time; `until` ends it then, and sooner without a clock."""

    kid: Kid
    public: Annotated[str, AfterValidator(_public)]
    since: AwareDatetime
    until: AwareDatetime | None = None
    revoked: AwareDatetime | None = None

    @classmethod
    def of(cls, public: str, since: datetime) -> Key:
        """The key of this text; raises ValueError for text that is no public key."""
        return cls(kid=kid_of(public_bytes(public)), public=public, since=since)

    @model_validator(mode="after")
    def _named_after_itself(self) -> Self:
        if self.kid != (right := kid_of(public_bytes(self.public))):
            raise ValueError(f"kid does not belong to this public key, whose kid is {right}")
        return self

    def valid(self, now: datetime | None) -> bool:
        """Whether signatures by it count. `now` is None while the clock is not trusted.

        A key with an end is not valid then: a box that woke up in the past would give it back its life.
        """
        if self.revoked is not None:
            return False
        return self.until is None or (now is not None and now < self.until)


class Entry(_Closed):
    """One person or system. An entry is never deleted, since the journal names it: it is `off`."""

    id: EntryId
    name: Name
    kind: Literal["person", "system"]
    roles: Roles
    pin: Annotated[str, Field(pattern=_ARGON2ID)] | None = None
    keys: tuple[Key, ...] = ()
    off: bool = False

    @model_validator(mode="after")
    def _systems_type_nothing(self) -> Self:
        if self.kind == "system" and self.pin is not None:
            raise ValueError("a system has no PIN; it signs")
        return self


class Holder(NamedTuple):
    """Whose key it is."""

    entry: Entry
    key: Key


class Register(_Closed):
    """All entries. `entry` and `holder` are who counts; `entries` has those that are off, too."""

    version: Literal[1]
    entries: tuple[Entry, ...]

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Register:
        """The register in a file. Raises NoRegister, or BrokenRegister with every mistake."""
        file = os.fspath(path)
        try:
            with Path(file).open("rb") as stream:
                return cls.read(stream.read(LARGEST_FILE + 1), file)
        except OSError as error:
            raise NoRegister(f"{file}: the register of people cannot be read: {error.strerror}") from error

    @classmethod
    def read(cls, data: bytes, file: str) -> Register:
        """The register in the bytes of a file. Raises BrokenRegister with every mistake."""
        if len(data) > LARGEST_FILE:
            raise BrokenRegister(file, (f"larger than {LARGEST_FILE} bytes: no register",))
        try:
            tree = parsed(data)
        except ValueError as error:
            raise BrokenRegister(file, (f"no valid JSON: {error}",)) from None
        mistakes = tuple(_doubles(tree))
        try:
            register = cls.model_validate_json(data)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False, include_context=False)
            raise BrokenRegister(file, (*(_mistake(tree, one) for one in found), *mistakes)) from None
        if mistakes:
            raise BrokenRegister(file, mistakes)
        return register

    def entry(self, name: str) -> Entry | None:
        """The entry of this id; None for one that is off, as for one that never was."""
        return next((entry for entry in self.entries if entry.id == name and not entry.off), None)

    def holder(self, kid: str) -> Holder | None:
        """Whose key it is, valid or not; None for a key of nobody, and of somebody who is off."""
        return next(
            (
                Holder(entry, key)
                for entry in self.entries
                if not entry.off
                for key in entry.keys
                if key.kid == kid
            ),
            None,
        )


def _doubles(tree: dict[str, Any]) -> Iterator[str]:
    """Ids and keys that stand twice, also in a file that has other mistakes."""
    entries = _objects(tree.get("entries"))
    keys = [key for entry in entries for key in _objects(entry.get("keys"))]
    for what, found in (("id", entries), ("public", keys)):
        counts = Counter(str(one[what]) for one in found if what in one)
        twice = [text for text, count in counts.items() if count > 1]
        yield from (f"entries: {what} {text[:64]!r} is given more than once" for text in twice)


def _objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list, if it is one."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]


def _mistake(tree: dict[str, Any], error: ErrorDetails) -> str:
    """Place and text, never the value: it may be the hash of a PIN."""
    where = _place(tree, error["loc"])
    text = error["msg"].removeprefix("Value error, ")
    return f"{where}: {text}" if where else text


def _place(tree: dict[str, Any], parts: Sequence[str | int]) -> str:
    """`entries[2] (ann).keys[0].public`, counted from 0 as `jq` does."""
    text = ""
    for at, part in enumerate(parts):
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
        if at == 1 and parts[0] == "entries" and isinstance(part, int):
            entry = tree["entries"][part]
            text += f" ({entry['id']})" if isinstance(entry, dict) and "id" in entry else ""
    return text
