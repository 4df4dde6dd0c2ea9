"""What the publisher tells the device process, and what it hears from it: one JSON object a line.

device process -> publisher                   publisher -> device process
{"table": {"config": text, "pack": text}}     first of all, at every start
{"committed": {stream: seq}}                  {"delivered": {stream: seq}}
{"health": {stream: {device: {...}}}}         {"retained": [topic, ...]}   to be noted in the journal
{"noted": [topic, ...]}                       {"broker": "up" | "down", "stream": ..., "why": ...}
{"skipped": {stream: seq}}                    {"lane": why | null, "stream": ..., "seq": ..., "code": ...}
{"clock": microseconds since 1970 | null}     {"dead_letter": seq, "stream": ...}
{"answer": {...}, "client": id}               {"request": {...}}           as request.py has it
{"stop": "stopped"}                           {"uncounted": requests that were turned away}
end of file: the device process died          {"trouble": text, "stream": ...}
                                              {"certificate": {...}, "stream": ...}

A certificate: {"seen": "table" | "authority" | "broker", "until": RFC 3339} for each that is in use,
{"renewed": SHA-256, "until": RFC 3339} when the table's changed, {"unusable": why} when its files do not fit.
"""

from __future__ import annotations

import json
from typing import Any

Line = dict[str, Any]


def encoded(line: Line) -> bytes:
    """One line of the pipe."""
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def decoded(line: bytes) -> Line:
    """Read a line that `encoded` wrote."""
    value: Line = json.loads(line)
    return value
