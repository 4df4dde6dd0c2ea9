"""Who gives a command: an account, a person with a PIN, and two where it takes two."""

from __future__ import annotations

import asyncio
import getpass
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.control import Caller, Request, Second
from felt_daemon.people import Entry, Register, changes, store
from felt_daemon.people.argon import hashed
from felt_daemon.people.store import text_of
from felt_daemon.shell.givers import Givers, NotProven, Parties, Pins
from felt_daemon.shell.staff import Staff, named
from felt_protocols import commands
from felt_protocols.events.person import Person

if TYPE_CHECKING:
    from pathlib import Path

    from felt_protocols.events.person import Role

pytestmark = pytest.mark.asyncio

ME = getpass.getuser()
ANN, BEN, DAN = "481516", "902713", "335580"
NOT_RIGHT = "the person or the PIN is not right"


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Staff:
    """A register with PINs, of which one belongs to somebody who is off."""
    entries = [
        Entry(id="ann", name="Ann Meyer", kind="person", roles=("floor", "dealer"), pin=hashed(ANN)),
        Entry(id="ben", name="ben", kind="person", roles=("tech",), pin=hashed(BEN)),
        Entry(id="dan", name="Dan", kind="person", roles=("dealer",), pin=hashed(DAN)),
        Entry(id="gus", name="Gus", kind="person", roles=("floor",), pin=hashed(ANN), off=True),
        Entry(id="ida", name="Ida", kind="person", roles=("floor",)),
    ]
    file = tmp_path_factory.mktemp("people") / "people.json"
    file.write_text(text_of(Register(version=1, entries=tuple(entries))), encoding="utf-8")
    return Staff(file)


class Desk:
    """Givers at a time that the test sets."""

    def __init__(self, staff: Staff | None, pins: Pins | None = None, *, simulated: bool = False) -> None:
        self.now = 1000.0
        self._givers = Givers(staff, lambda: self.now, pins or Pins(), simulated=simulated)

    async def parties(
        self,
        command: type[commands.Command],
        *roles: Role,
        **more: Any,  # noqa: ANN401 - a request's own parts
    ) -> Parties:
        """Who gives the command, by an account with these roles."""
        caller = Caller(1, os.getuid(), os.getgid(), frozenset(roles))
        return await self._givers.parties(Request("1", command.name, {}, **more), caller, command)

    async def refused(
        self,
        command: type[commands.Command],
        *roles: Role,
        **more: Any,  # noqa: ANN401 - a request's own parts
    ) -> str:
        """Why nobody gives it."""
        with pytest.raises(NotProven) as caught:
            await self.parties(command, *roles, **more)
        assert caught.value.code == "forbidden"
        return str(caught.value)


async def test_without_a_register_the_account_is_the_person_by_its_name() -> None:
    desk = Desk(None)
    parties = await desk.parties(commands.OpenTable, "floor", "dealer")
    assert parties == Parties(Person(role="floor", name=ME, proof="account"))
    # Two roles may: the first of them in the alphabet.
    assert (await desk.parties(commands.RoundEnd, "floor", "dealer")).by.role == "dealer"
    parties = await desk.parties(commands.Override, "floor", person="Ann")
    assert parties.by == Person(role="floor", name=f"Ann ({ME})", proof="account")


async def test_without_a_register_a_pin_is_refused_and_not_taken_for_a_proof() -> None:
    desk = Desk(None)
    told = "this table keeps no register of people, so a PIN proves nothing here: leave it out"
    assert await desk.refused(commands.Override, "floor", person="ann", pin=ANN) == told
    second = Second("ben", BEN)
    assert await desk.refused(commands.Override, "floor", person="ann", second=second) == told


async def test_without_a_register_the_second_is_another_name() -> None:
    desk = Desk(None)
    parties = await desk.parties(commands.Override, "floor", person="Ann", second=Second("Ben"))
    assert parties.second == Person(role="floor", name=f"Ben ({ME})", proof="account")
    why = await desk.refused(commands.Override, "floor", person="Ann", second=Second(" ann "))
    assert why == "both are ann; it takes two people"
    why = await desk.refused(commands.Override, "floor", second=Second(ME))
    assert why == f"both are {ME}; it takes two people"


async def test_a_role_that_is_stated_counts_in_a_simulated_run() -> None:
    desk = Desk(None, simulated=True)
    parties = await desk.parties(commands.Override, "floor", role="floor", person="Ann", second=Second("Ben"))
    assert parties.by == Person(role="floor", name="Ann", proof="stated")
    assert parties.second == Person(role="floor", name="Ben", proof="stated")
    parties = await desk.parties(commands.OpenTable, "floor")
    assert parties.by == Person(role="floor", name=ME, proof="account")


async def test_a_floorpersons_pin_counts_at_the_dealers_terminal(staff: Staff) -> None:
    desk = Desk(staff)
    parties = await desk.parties(commands.Override, "dealer", person="ann", pin=ANN)
    assert parties == Parties(Person(role="floor", name="Ann Meyer (ann)", proof="pin"))
    # Who has no role at all gives none to anybody.
    why = await desk.refused(commands.Override, person="ann", pin=ANN)
    assert why == "this account has no role here; a PIN is typed at a terminal of the table's own"
    assert (
        await Desk(staff, simulated=True).parties(commands.Override, person="ann", pin=ANN)
    ).by.proof == "pin"


async def test_a_pin_gives_the_roles_of_its_person_and_not_those_of_the_account(staff: Staff) -> None:
    desk = Desk(staff)
    why = await desk.refused(commands.OpenTable, "floor", person="dan", pin=DAN)
    assert why == "open-table is for floor; Dan (dan) has dealer"
    asked = {"person": "ann", "pin": ANN}
    assert (await desk.parties(commands.RoundEnd, "tech", **asked)).by.role == "dealer"
    assert (await desk.parties(commands.RoundEnd, "tech", **asked, role="floor")).by.role == "floor"
    why = await desk.refused(commands.RoundEnd, "tech", **asked, role="tech")
    assert why == "round-end is for dealer, floor; Ann Meyer (ann) has dealer, floor"


async def test_with_a_register_what_must_be_proven_takes_a_pin(staff: Staff) -> None:
    desk = Desk(staff)
    why = await desk.refused(commands.Override, "floor", person="ann")
    assert why == (
        "override is given by a person of the register, with the PIN: name one"
        " (`felt` asks for the PIN after `--person ID`)"
    )
    # What need not be is the account's, as ever.
    parties = await desk.parties(commands.OpenTable, "floor", person="ann")
    assert parties.by == Person(role="floor", name=f"ann ({ME})", proof="account")
    why = await desk.refused(commands.OpenTable, "dealer")
    assert why == "open-table is for floor; this account has dealer. Or a person of the register gives a PIN"
    assert (
        await Desk(None).refused(commands.OpenTable)
        == "open-table is for floor; this account has no role here"
    )


@pytest.mark.parametrize(
    ("person", "pin"),
    [
        ("ann", BEN),
        ("ann", "what is it"),
        ("nobody", ANN),
        # Off, and without a PIN.
        ("gus", ANN),
        ("ida", ANN),
    ],
)
async def test_which_of_person_and_pin_was_wrong_is_never_said(staff: Staff, person: str, pin: str) -> None:
    assert await Desk(staff).refused(commands.Override, "floor", person=person, pin=pin) == NOT_RIGHT


async def test_after_five_wrong_pins_the_right_one_has_to_wait_too(staff: Staff) -> None:
    desk = Desk(staff)
    for name in ("ann", "stranger"):
        wrong = {"person": name, "pin": "no figures"}
        assert [await desk.refused(commands.Override, "floor", **wrong) for _ in range(5)] == [NOT_RIGHT] * 5
    told = "too many wrong PINs: try again in 60 s"
    assert await desk.refused(commands.Override, "floor", person="ann", pin=ANN) == told
    assert await desk.refused(commands.Override, "floor", person="stranger", pin=ANN) == told
    # Others are not held up, and a minute later neither is she.
    assert (await desk.parties(commands.NoMoreBets, "floor", person="dan", pin=DAN)).by.name == "Dan (dan)"
    desk.now += 60.0
    assert (await desk.parties(commands.Override, "floor", person="ann", pin=ANN)).by.role == "floor"


async def test_wrong_pins_count_together_at_tables_of_one_register_and_apart_at_others(
    staff: Staff, tmp_path: Path
) -> None:
    pins = Pins()
    wrong = {"person": "ann", "pin": "no figures"}
    for desk in (
        Desk(staff, pins),
        Desk(staff, pins),
        Desk(staff, pins),
        Desk(staff, pins),
        Desk(staff, pins),
    ):
        assert await desk.refused(commands.Override, "floor", **wrong) == NOT_RIGHT
    told = "too many wrong PINs: try again in 60 s"
    assert await Desk(staff, pins).refused(commands.Override, "floor", person="ann", pin=ANN) == told
    # Another register has another Ann.
    file = tmp_path / "people.json"
    file.write_bytes(staff.path.read_bytes())
    other = Desk(Staff(file), pins)
    assert (await other.parties(commands.Override, "floor", person="ann", pin=ANN)).by.role == "floor"


async def test_two_people_are_two_entries_with_two_pins(staff: Staff) -> None:
    desk = Desk(staff)
    asked = {"person": "ann", "pin": ANN}
    parties = await desk.parties(commands.Override, "floor", **asked, second=Second("dan", DAN))
    # Which role the second must have, the table knows; this is the one that there is.
    assert parties.second == Person(role="dealer", name="Dan (dan)", proof="pin")
    parties = await desk.parties(commands.Inspect, "floor", **asked, second=Second("ben", BEN))
    assert parties.second == Person(role="tech", name="ben", proof="pin")
    why = await desk.refused(commands.Override, "floor", **asked, second=Second("ann", ANN))
    assert why == "both are ann; it takes two people"
    why = await desk.refused(commands.Override, "floor", **asked, second=Second("dan"))
    assert why == "the second person is one of the register, and gives a PIN of their own"
    assert await desk.refused(commands.Override, "floor", **asked, second=Second("dan", ANN)) == NOT_RIGHT


def complaint(staff: Staff) -> str | None:
    return staff.complaint


async def test_a_register_that_cannot_be_read_proves_nobody_and_is_read_once_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "people.json"
    staff = Staff(file)
    desk = Desk(staff)
    assert await desk.refused(commands.Override, "floor", person="ann", pin=ANN) == NOT_RIGHT
    assert complaint(staff) == f"{file}: the register of people cannot be read: No such file or directory"
    ann = Entry(id="ann", name="Ann", kind="person", roles=("floor",), pin=hashed(ANN))
    file.write_text(text_of(Register(version=1, entries=(ann,))), encoding="utf-8")
    assert (await desk.parties(commands.Override, "floor", person="ann", pin=ANN)).by.name == "Ann (ann)"
    assert complaint(staff) is None
    file.write_text("{", encoding="utf-8")
    assert (await desk.parties(commands.Override, "floor", person="ann", pin=ANN)).by.name == "Ann (ann)"
    said = [one.getMessage().splitlines()[0] for one in caplog.records]
    assert len(said) == 3
    assert said[1] == f"{file}: the register of people is read again"


async def test_who_is_withdrawn_while_the_pin_is_checked_is_withdrawn(tmp_path: Path) -> None:
    file = tmp_path / "people.json"
    ann = Entry(id="ann", name="Ann", kind="person", roles=("floor",), pin=hashed(ANN))
    file.write_text(text_of(Register(version=1, entries=(ann,))), encoding="utf-8")
    desk = Desk(Staff(file))
    asking = asyncio.create_task(desk.parties(commands.Override, "floor", person="ann", pin=ANN))
    # One turn of the loop: the child that checks is being started.
    await asyncio.sleep(0)
    store.change(file, lambda register: changes.switched_off(register, "ann", datetime.now(UTC)))
    with pytest.raises(NotProven, match="the register has changed ann just now: try again"):
        await asking
    assert await desk.refused(commands.Override, "floor", person="ann", pin=ANN) == NOT_RIGHT


async def test_no_text_of_a_request_has_the_pin() -> None:
    request = Request("1", "override", {}, person="ann", pin=ANN, second=Second("dan", DAN))
    assert ANN not in f"{request} {request!r}"
    assert DAN not in f"{request} {request!r}"


async def test_a_name_keeps_what_is_sure_about_it_however_long_it_is() -> None:
    assert named("Ann", "felt") == "Ann (felt)"
    assert named("A" * 64, "felt") == "A" * 57 + " (felt)"
