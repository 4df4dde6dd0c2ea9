"""Rows for people and for programs."""

import json

from felt_daemon.journal.entry import NOTHING_PRIVATE, Raw

JsonValue = str | int | float | bool | None | list["JsonValue"] | dict[str, "JsonValue"]


def row_line(row: Raw, *, private: bool) -> str:
    """Return a row on one line: when, where, what, to what it belongs, and its body."""
    body = _parsed(row.public)
    context: JsonValue = None
    if isinstance(body, dict):
        context = body.pop("context", None)
    parts = [row.utc, row.stream, str(row.seq), row.type]
    if isinstance(context, dict):
        parts += [f"{name} {value}" for name, value in context.items() if value is not None]
    parts += [text for text in _marks(row) if text]
    if body:
        parts.append(json.dumps(body, ensure_ascii=False))
    if private and row.private.encode(errors="replace") != NOTHING_PRIVATE:
        parts.append(f"private {row.private}")
    return "  ".join(parts)


def row_document(row: Raw, *, private: bool) -> dict[str, JsonValue]:
    """Return a row for JSON: every column under its name, digests in hexadecimal."""
    document: dict[str, JsonValue] = {
        "id": row.id,
        "stream": row.stream,
        "seq": row.seq,
        "type": row.type,
        "v": row.v,
        "boot": row.boot,
        "start": row.start,
        "mono_ns": row.mono_ns,
        "utc": row.utc,
        "clock": row.clock,
        "recorded_utc": row.recorded_utc,
        "late": bool(row.late),
        "simulated": bool(row.simulated),
        "cause": row.cause,
        "public": _parsed(row.public),
        "publichash": row.publichash.hex(),
        "privatehash": row.privatehash.hex(),
        "hash": row.hash.hex(),
    }
    if private:
        document |= {"private": _parsed(row.private), "salt": row.salt.hex()}
    return document


def _marks(row: Raw) -> tuple[str, ...]:
    return (
        f"from {row.cause}" if row.cause is not None else "",
        "late" if row.late else "",
        "clock untrusted" if row.clock != "trusted" else "",
        "simulated" if row.simulated else "",
    )


def _parsed(body: str) -> JsonValue:
    """Return the body's value, or its text where somebody made it something else than JSON."""
    try:
        value: JsonValue = json.loads(body)
    except ValueError:
        return body
    return value
