"""One PIN checked in a process of its own, which `pins` starts by this file's path.

A JSON line `{"hash", "pin"}` comes in on stdin, `{"right": true}` or `{"right": false}` goes out. Nothing
secret stands on the command line or in the environment, and the process leaves no core file. It imports
nothing of feltd's, so that it is quick also on a small box.
"""

from __future__ import annotations

import contextlib
import json
import resource
import sys

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_LONGEST_LINE = 4096


def answered(question: bytes) -> str | None:
    """The answer's line; None for what is no question, without a word about it: it may hold a PIN."""
    try:
        asked = json.loads(question)
        encoded, pin = str(asked["hash"]), str(asked["pin"])
    except (ValueError, LookupError, TypeError):
        return None
    return json.dumps({"right": _matches(encoded, pin)}) + "\n"


def _matches(encoded: str, pin: str) -> bool:
    """Whether the hash, which says how it was made, is of this PIN."""
    try:
        return PasswordHasher().verify(encoded, pin)
    except (InvalidHashError, VerificationError):
        return False


def main() -> int:
    """Answer what stands on stdin; 2 for what is no question."""
    # A box that forbids even this call is no reason to let nobody in.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answer = answered(sys.stdin.buffer.readline(_LONGEST_LINE))
    if answer is None:
        return 2
    sys.stdout.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
