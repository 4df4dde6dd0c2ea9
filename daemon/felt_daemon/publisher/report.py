"""What the publisher tells the device process, and what it hears from it: one JSON object a line.

device process -> publisher                       publisher -> device process
{"table": {"config": text, "pack": text}}         {"cursors": {stream: {name: seq}}}   see delivery.py
{"committed": {stream: seq}}                      {"consumers": {stream: {id: how it stands}}}
{"health": {stream: {device: {...}}}}             {"suspended": id, "stream": ..., "seq": ...}
{"noted": [topic, ...]}                           {"returned": id, "stream": ..., "seq": ...}
{"skipped": {stream: seq}}                        {"ack_refused": {"consumer", "why", "said"}, "stream": ...}
{"replay": {stream: {"consumer", "after"}}}       {"retained": [topic, ...]}   to be noted in the journal
{"snapshot": stream}                              {"broker": "up" | "down", "stream": ..., "why": ...}
{"clock": microseconds since 1970 | null}         {"lane": why | null, "stream": ..., "seq": ..., "code": ...}
{"journal": {"kind", "text", "since"} | null}     {"dead_letter": seq, "stream": ...}
{"answer": {...}, "client": id}                   {"request": {...}}   as request.py has it
{"stop": "stopped"}                               {"uncounted": requests that were turned away}
end of file: the device process died              {"trouble": text, "stream": ...}
                                                  {"certificate": {...}, "stream": ...}

`table` comes first, at every start. `journal` says why the journal cannot be written, null when it is again;
a publisher that has heard nothing of it takes it for written.

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
