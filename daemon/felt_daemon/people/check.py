"""One PIN checked in a process of its own: `python -m felt_daemon.people.check`.

A JSON line `{"hash", "pin"}` comes in on stdin, `{"right": true}` or `{"right": false}` goes out. Nothing
secret stands on the command line or in the environment, and the process leaves no core file.
"""

from __future__ import annotations

import json
import resource
import sys

from felt_daemon.people.argon import matches

_LONGEST_LINE = 4096


def main() -> int:
    """Check what stands on stdin; 2 for what is no question."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        question = json.loads(sys.stdin.buffer.readline(_LONGEST_LINE))
        encoded, pin = str(question["hash"]), str(question["pin"])
    except (ValueError, LookupError, TypeError):
        # Not a word about what was read: it may hold a PIN.
        return 2
    sys.stdout.write(json.dumps({"right": matches(encoded, pin)}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
