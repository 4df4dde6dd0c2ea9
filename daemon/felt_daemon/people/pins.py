"""PINs: which are worth something, and whether one is right."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from felt_protocols.errors import FeltError

if TYPE_CHECKING:
    from felt_daemon.people.register import Entry


@dataclass(frozen=True, slots=True)
class Checking:
    """The program that checks, and how long it may take."""

    # By its path and isolated: nothing of feltd's is loaded, and no variable of the environment adds to it.
    command: tuple[str, ...] = (sys.executable, "-I", str(Path(__file__).with_name("check.py")))
    # A slow box that starts a program and computes the hash takes a second or two.
    limit_s: float = 10.0


_OURS = Checking()
_PIN = re.compile(r"[0-9]{6,12}")
_BLOCK = re.compile(r"([0-9]{1,4})\1+")


class PinUnchecked(FeltError):  # noqa: N818 - the name says what happened
    """Whether the PIN is right could not be found out; that is never a yes."""


def weakness(pin: str) -> str | None:
    """What is wrong with a PIN that somebody chooses; None for one that will do."""
    if not _PIN.fullmatch(pin):
        return "a PIN is 6 to 12 figures, 0 to 9"
    if _BLOCK.fullmatch(pin):
        return "a PIN that repeats itself is guessed first"
    steps = {(int(after) - int(before)) % 10 for before, after in itertools.pairwise(pin)}
    if steps in ({1}, {9}):
        return "a PIN that counts up or down is guessed first"
    return None


async def check_pin(entry: Entry, pin: str, by: Checking = _OURS) -> bool:
    """Whether it is this entry's PIN. Ends in 10 s at most; raises PinUnchecked where nobody can say.

    False for an entry that is off or has no PIN. Whoever asks counts the tries with `Tries` before asking.
    """
    if entry.off or entry.pin is None or not _PIN.fullmatch(pin):
        return False
    return await asyncio.to_thread(_asked, entry.pin, pin, by)


def _asked(encoded: str, pin: str, by: Checking) -> bool:
    """Ask a child, whose 19 MiB are given back when it ends. In a thread, so that its limit is real time."""
    question = json.dumps({"hash": encoded, "pin": pin}).encode("ascii") + b"\n"
    try:
        child = subprocess.run(  # noqa: S603 - our own program; the secret goes in by the pipe
            by.command, input=question, capture_output=True, timeout=by.limit_s, check=False
        )
        answer = json.loads(child.stdout)
    except subprocess.TimeoutExpired:
        raise PinUnchecked(f"the PIN was not checked: no answer within {by.limit_s:g} s") from None
    except OSError as error:
        raise PinUnchecked(f"the PIN was not checked: {error.strerror}") from None
    except ValueError:
        raise PinUnchecked("the PIN was not checked: the checking program failed") from None
    return bool(answer == {"right": True})
