"""What is done to a register, and what cannot be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from felt_daemon.people import Entry, Key, Register, changes

if TYPE_CHECKING:
    from collections.abc import Callable

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
# The first is that of RFC 8410, 10.1; the others are those of RFC 8032, 7.1, tests 3 and 1024.
NEW = Key.of("Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE", NOON)
ANN, PIT = "EH7DDX5BKSRGCYTL", "HH3RHUFGIQST6BCS"


def key_of(register: Register, kid: str) -> Key:
    [found] = [key for entry in register.entries for key in entry.keys if key.kid == kid]
    return found


def entry_of(register: Register, name: str) -> Entry:
    [found] = [entry for entry in register.entries if entry.id == name]
    return found


def test_a_rotated_key_ends_at_once(register: Register) -> None:
    after = changes.rotated(register, "pit-3", NEW, NOON, None)
    assert key_of(after, PIT).revoked == NOON
    assert key_of(after, NEW.kid).valid(NOON)
    # Ann's key is nobody else's business.
    assert key_of(after, ANN) == key_of(register, ANN)


def test_a_rotated_key_ends_after_the_overlap(register: Register) -> None:
    after = changes.rotated(register, "pit-3", NEW, NOON, NOON + HOUR)
    assert key_of(after, PIT).valid(NOON + HOUR - timedelta(seconds=1))
    assert not key_of(after, PIT).valid(NOON + HOUR)
    assert key_of(after, PIT).revoked is None


def test_an_overlap_gives_no_key_more_time_than_it_has(register: Register) -> None:
    third = Key.of("_FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU", NOON)
    once = changes.rotated(register, "pit-3", NEW, NOON, NOON + HOUR)
    twice = changes.rotated(once, "pit-3", third, NOON, NOON + 9 * HOUR)
    assert key_of(twice, PIT).until == NOON + HOUR
    assert key_of(twice, NEW.kid).until == NOON + 9 * HOUR
    # What is over stays as it ended.
    late = changes.rotated(twice, "pit-3", Key.of(_LATE, NOON), NOON + 2 * HOUR, None)
    assert key_of(late, PIT).revoked is None
    assert key_of(late, NEW.kid).revoked == NOON + 2 * HOUR


_LATE = "J4EX_BRMcjQPZ9DyMW6Dhs7_vyskKMnFH-98WX8dQm4"


def test_a_revoked_key_stays_revoked_since_then(register: Register) -> None:
    once = changes.without_key(register, ANN, NOON)
    assert key_of(once, ANN).revoked == NOON
    assert key_of(once, PIT).revoked is None
    assert changes.without_key(once, ANN, NOON + HOUR) == once


def test_who_loses_all_proof_keeps_the_roles(register: Register) -> None:
    with_pin = changes.with_pin(register, "ann", "hash")
    assert entry_of(with_pin, "ann").pin == "hash"
    after = entry_of(changes.without_proof(with_pin, "ann", NOON), "ann")
    assert (after.pin, after.keys[0].revoked, after.roles) == (None, NOON, ("floor", "dealer"))


def test_who_is_off_comes_back_with_the_roles_alone(register: Register) -> None:
    off = changes.switched_off(changes.with_pin(register, "ann", "hash"), "ann", NOON)
    assert off.entry("ann") is None
    back = changes.switched_on(off, "ann").entry("ann")
    assert back is not None
    assert (back.roles, back.pin, back.keys[0].revoked) == (("floor", "dealer"), None, NOON)


def test_name_and_roles_change_alone_or_together(register: Register) -> None:
    renamed = entry_of(changes.described(register, "ann", shown="Ann Cole"), "ann")
    assert (renamed.name, renamed.roles) == ("Ann Cole", ("floor", "dealer"))
    both = entry_of(changes.described(register, "ann", shown="A", roles=("tech",)), "ann")
    assert (both.name, both.roles) == ("A", ("tech",))


ANN_AGAIN = Entry(id="ann", name="Another", kind="person", roles=("tech",))


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (lambda register: changes.added(register, ANN_AGAIN), "ann is in the register; an id is never"),
        (lambda register: changes.described(register, "cal", shown="C"), "cal is not in the register"),
        (lambda register: changes.with_pin(register, "pit-3", "hash"), "pit-3 is a system, which signs"),
        (lambda register: changes.with_key(register, "cal", NEW), "cal is not in the register"),
        (
            lambda register: changes.with_key(register, "pit-3", register.entries[0].keys[0]),
            "key EH7DDX5BKSRGCYTL is in the register; every key is new",
        ),
        (
            lambda register: changes.rotated(
                changes.without_key(register, ANN, NOON), "ann", NEW, NOON, None
            ),
            "ann has no valid key to replace",
        ),
        (lambda register: changes.without_key(register, "A" * 16, NOON), "no key AAAAAAAAAAAAAAAA is"),
        (lambda register: changes.without_proof(register, "cal", NOON), "cal is not in the register"),
        (lambda register: changes.switched_on(register, "ann"), "ann is not off"),
        (lambda register: changes.switched_on(register, "cal"), "cal is not off"),
        (
            lambda register: changes.with_key(changes.switched_off(register, "ann", NOON), "ann", NEW),
            "ann is off; `felt keys on ann` brings the entry back",
        ),
    ],
)
def test_what_is_not_possible_says_what_would_be(
    what: Callable[[Register], Register], says: str, register: Register
) -> None:
    with pytest.raises(changes.NotPossible, match=says):
        what(register)
