"""PINs: which are taken, how one is checked, and how fast they can be guessed."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from felt_daemon.people import Entry, PinUnchecked, Tries, check_pin, pins
from felt_daemon.people.argon import hashed
from felt_daemon.people.check import answered

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Of 274951, as `echo -n 274951 | argon2 saltsaltsalt -id -t 2 -k 19456 -p 1 -e` writes it.
HASH = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$VJ6l1gNw5g2fkjWjcXv4dE8Q1yFcB4ERO/UNcGQlP28"


def entry(pin: str | None = HASH, *, off: bool = False) -> Entry:
    return Entry(id="ann", name="Ann Bell", kind="person", roles=("floor",), pin=pin, off=off)


@pytest.mark.parametrize("pin", ["274951", "112233445566", "998877", "135790", "202611", "123457"])
def test_a_pin_that_will_do(pin: str) -> None:
    assert pins.weakness(pin) is None


@pytest.mark.parametrize(
    ("pin", "why"),
    [
        ("27495", "6 to 12 figures"),
        ("2749512749510", "6 to 12 figures"),
        ("27495a", "6 to 12 figures"),
        ("274951\n", "6 to 12 figures"),
        ("٢٧٤٩٥١", "6 to 12 figures"),
        ("", "6 to 12 figures"),
        ("000000", "repeats itself"),
        ("121212", "repeats itself"),
        ("123123", "repeats itself"),
        ("27492749", "repeats itself"),
        ("123456", "counts up or down"),
        ("678901", "counts up or down"),
        ("987654", "counts up or down"),
        ("321098", "counts up or down"),
    ],
)
def test_a_pin_that_is_guessed_first_is_refused(pin: str, why: str) -> None:
    assert why in str(pins.weakness(pin))


def test_a_hash_is_argon2id_with_a_salt_of_its_own() -> None:
    one, other = hashed("274951"), hashed("274951")
    assert one.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert one != other
    assert entry(one).pin == one


@pytest.mark.asyncio
async def test_the_right_pin_is_right_and_every_other_wrong() -> None:
    assert await check_pin(entry(), "274951")
    assert not await check_pin(entry(), "274952")
    assert await check_pin(entry(hashed("830264")), "830264")


@pytest.mark.asyncio
async def test_who_has_no_pin_or_is_off_has_no_right_one() -> None:
    assert not await check_pin(entry(None), "274951")
    assert not await check_pin(entry(off=True), "274951")
    assert not await check_pin(entry(), "no figures")


@pytest.mark.asyncio
async def test_the_loop_goes_on_while_a_pin_is_checked() -> None:
    check = asyncio.create_task(check_pin(entry(), "274951"))
    turns = 0
    while not check.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 10
    assert check.result()


@pytest.fixture
def checking(tmp_path: Path) -> Callable[..., pins.Checking]:
    """Have another program check."""

    def written(program: str, limit_s: float = 10.0) -> pins.Checking:
        file = tmp_path / "check.py"
        file.write_text(program, encoding="utf-8")
        return pins.Checking((sys.executable, "-I", str(file)), limit_s)

    return written


@pytest.mark.parametrize(
    "program",
    ["raise SystemExit(2)", "print('yes')", "import os; os.kill(os.getpid(), 9)"],
    ids=["refuses", "babbles", "dies"],
)
@pytest.mark.asyncio
async def test_a_check_that_fails_is_never_a_yes(
    program: str, checking: Callable[..., pins.Checking]
) -> None:
    with pytest.raises(PinUnchecked, match="the checking program failed") as failed:
        await check_pin(entry(), "274951", checking(program))
    assert "274951" not in repr(failed.value)
    assert failed.value.__suppress_context__


@pytest.mark.parametrize(
    "answer", ['{"right": false}', '{"right": 1, "x": 2}', '{"right": "true"}', "true", "{}"]
)
@pytest.mark.asyncio
async def test_any_other_answer_is_a_no(answer: str, checking: Callable[..., pins.Checking]) -> None:
    assert not await check_pin(entry(), "274951", checking(f"print('{answer}')"))


@pytest.mark.asyncio
async def test_a_check_that_hangs_is_ended(checking: Callable[..., pins.Checking]) -> None:
    with pytest.raises(PinUnchecked, match=r"no answer within 0\.3 s"):
        await check_pin(entry(), "274951", checking("import time; time.sleep(60)", 0.3))


@pytest.mark.asyncio
async def test_a_check_that_cannot_be_started_is_never_a_yes() -> None:
    with pytest.raises(PinUnchecked, match="not checked: No such file"):
        await check_pin(entry(), "274951", pins.Checking(("/nowhere/python",)))


@pytest.mark.parametrize(
    ("pin", "encoded", "right"),
    [
        ("274951", HASH, "true"),
        ("274952", HASH, "false"),
        ("274951", "no hash", "false"),
        ("274951", HASH.replace("m=19456", "m=1"), "false"),
    ],
)
def test_a_question_has_an_answer(pin: str, encoded: str, right: str) -> None:
    assert answered(json.dumps({"hash": encoded, "pin": pin}).encode()) == f'{{"right": {right}}}\n'


@pytest.mark.parametrize("question", [b"", b"274951\n", b'{"pin": "274951"}\n', b'"274951"\n', b"\xff274951"])
def test_nothing_is_said_about_what_is_no_question(question: bytes) -> None:
    assert answered(question) is None
    child = subprocess.run(pins.Checking().command, input=question, capture_output=True, check=False)  # noqa: S603 - ours
    assert (child.returncode, child.stdout, child.stderr) == (2, b"", b"")


# Guessing.


def test_five_tries_are_free_and_the_sixth_waits_a_minute() -> None:
    tries = Tries()
    assert [tries.take("ann", 100.0 + second) for second in range(5)] == [0.0, 0.0, 0.0, 0.0, 0.0]
    # The fifth was at 104.
    assert tries.take("ann", 104.0) == 60.0
    assert tries.take("ann", 150.0) == 14.0
    assert tries.take("ann", 163.5) == 0.5
    assert tries.take("ann", 164.0) == 0.0


def test_every_further_one_waits_twice_as_long_up_to_a_quarter_of_an_hour() -> None:
    tries, now_s, waits = Tries(), 0.0, []
    for _ in range(5):
        tries.take("ann", now_s)
    for _ in range(20):
        waits.append(tries.take("ann", now_s))
        now_s += waits[-1]
        assert tries.take("ann", now_s) == 0.0
    assert waits == [60.0, 120.0, 240.0, 480.0, *[900.0] * 16]


def test_a_right_one_begins_anew() -> None:
    tries = Tries()
    for _ in range(4):
        tries.take("ann", 0.0)
    tries.take("ann", 1.0)
    tries.right("ann")
    assert [tries.take("ann", 2.0) for _ in range(6)] == [0.0, 0.0, 0.0, 0.0, 0.0, 60.0]
    tries.right("nobody")


def test_one_waits_for_oneself_alone() -> None:
    tries = Tries()
    for _ in range(5):
        tries.take("ann", 0.0)
    assert tries.take("ben", 0.0) == 0.0
    assert tries.take("ann", 0.0) == 60.0


def test_asking_how_long_makes_nobody_wait_longer() -> None:
    tries = Tries()
    for _ in range(5):
        tries.take("ann", 0.0)
    for _ in range(100):
        assert tries.take("ann", 30.0) == 30.0
    assert tries.take("ann", 60.0) == 0.0
