"""What people do to a register. Pure: each gives a new register, or says why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_protocols.errors import FeltError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from felt_daemon.people.register import Entry, Key, Register
    from felt_protocols.events.person import Role


class NotPossible(FeltError):  # noqa: N818 - a refusal is an answer
    """The register is not changed; the text says what would be right."""


def added(register: Register, entry: Entry) -> Register:
    """With a new entry; an id is never given twice, since the journal names it."""
    if any(entry.id == other.id for other in register.entries):
        raise NotPossible(f"{entry.id} is in the register; an id is never given to somebody else")
    return _with(register, (*register.entries, entry))


def described(
    register: Register, name: str, *, shown: str | None = None, roles: tuple[Role, ...] | None = None
) -> Register:
    """With another name for people, or other roles."""
    changes = {"name": shown, "roles": roles}
    given = {field: value for field, value in changes.items() if value is not None}
    return _changed(register, name, lambda entry: entry.model_copy(update=given))


def person(register: Register, name: str) -> Entry:
    """The person of this id, who may have a PIN."""
    entry = _found(register, name)
    if entry.kind == "system":
        raise NotPossible(f"{name} is a system, which signs and has no PIN")
    return entry


def with_pin(register: Register, name: str, encoded: str) -> Register:
    """With this hash of a PIN, which only a person has."""
    return _replaced(register, person(register, name).model_copy(update={"pin": encoded}))


def with_key(register: Register, name: str, key: Key) -> Register:
    """With a further key."""
    if any(key.kid == other.kid for entry in register.entries for other in entry.keys):
        raise NotPossible(f"key {key.kid} is in the register; every key is new")
    return _changed(register, name, lambda entry: entry.model_copy(update={"keys": (*entry.keys, key)}))


def rotated(register: Register, name: str, key: Key, now: datetime, until: datetime | None) -> Register:
    """With a new key in place of all that were valid: these end at `until`, or at once where it is None."""

    def ended(old: Key) -> Key:
        if until is None:
            return _revoked(old, now)
        return old.model_copy(update={"until": until if old.until is None else min(until, old.until)})

    def turned(entry: Entry) -> Entry:
        keys = tuple(ended(old) if old.valid(now) else old for old in entry.keys)
        return entry.model_copy(update={"keys": keys})

    if not any(old.valid(now) for old in _found(register, name).keys):
        raise NotPossible(f"{name} has no valid key to replace; `felt keys make` makes the first")
    return with_key(_changed(register, name, turned), name, key)


def without_key(register: Register, kid: str, now: datetime) -> Register:
    """With this key revoked; once is for ever."""
    for entry in register.entries:
        if any(key.kid == kid for key in entry.keys):
            keys = tuple(_revoked(key, now) if key.kid == kid else key for key in entry.keys)
            return _replaced(register, entry.model_copy(update={"keys": keys}))
    raise NotPossible(f"no key {kid} is in the register")


def without_proof(register: Register, name: str, now: datetime) -> Register:
    """With all keys of an entry revoked and its PIN forgotten."""

    def bare(entry: Entry) -> Entry:
        keys = tuple(_revoked(key, now) for key in entry.keys)
        return entry.model_copy(update={"keys": keys, "pin": None})

    return _changed(register, name, bare)


def switched_off(register: Register, name: str, now: datetime) -> Register:
    """With an entry that counts for nothing any more: no role, no key, no PIN."""
    bare = without_proof(register, name, now)
    return _changed(bare, name, lambda entry: entry.model_copy(update={"off": True}))


def switched_on(register: Register, name: str) -> Register:
    """With an entry back that was off: its roles, and a PIN or key when it is given one."""
    entry = next((entry for entry in register.entries if entry.id == name), None)
    if entry is None or not entry.off:
        raise NotPossible(f"{name} is not off")
    return _replaced(register, entry.model_copy(update={"off": False}))


def _revoked(key: Key, now: datetime) -> Key:
    return key if key.revoked is not None else key.model_copy(update={"revoked": now})


def _found(register: Register, name: str) -> Entry:
    entry = register.entry(name)
    if entry is not None:
        return entry
    if any(other.id == name for other in register.entries):
        raise NotPossible(f"{name} is off; `felt keys on {name}` brings the entry back")
    raise NotPossible(f"{name} is not in the register; `felt keys add` adds, `felt keys list` shows all")


def _changed(register: Register, name: str, how: Callable[[Entry], Entry]) -> Register:
    return _replaced(register, how(_found(register, name)))


def _replaced(register: Register, entry: Entry) -> Register:
    return _with(register, tuple(entry if entry.id == other.id else other for other in register.entries))


def _with(register: Register, entries: tuple[Entry, ...]) -> Register:
    return register.model_copy(update={"entries": entries})
