"""What a consumer says that it has stored: read, or refused with a word for it. Pure.

A payload is `{"epoch": "...", "sequence": "00000000000000000123"}`: everything up to that sequence is
stored, and with zeros nothing is.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast

from felt_daemon.shell.refusals import Room
from felt_protocols.cloudevents import SEQUENCE_DIGITS

if TYPE_CHECKING:
    from collections.abc import Container

Why = Literal["unknown-consumer", "other-epoch", "above-head", "malformed"]

# What is longer is none; fields that a later release adds have room.
_LARGEST: Final = 1024
_LONGEST_WORD: Final = 64
# So many refusals are told at once, and one more every so many seconds: each is a row for ever.
_BURST: Final = 20
_EVERY_S: Final = 60.0
_REMEMBERED: Final = 512


@dataclass(frozen=True, slots=True)
class Ack:
    """The consumer has stored every event up to `seq`."""

    consumer: str
    seq: int


@dataclass(frozen=True, slots=True)
class Refused:
    """An acknowledgement that is not taken; `said` is what stood in it, cut short."""

    consumer: str
    why: Why
    said: str


def read(consumer: str, payload: bytes, *, consumers: Container[str], epoch: str, head: int) -> Ack | Refused:
    """What the payload on a consumer's topic says, in a journal of this epoch with so many rows."""
    if consumer not in consumers:
        return _refused(consumer, "unknown-consumer", payload)
    said = _fields(payload)
    if said is None:
        return _refused(consumer, "malformed", payload)
    if said[0] != epoch:
        return _refused(consumer, "other-epoch", payload)
    if said[1] > head:
        return _refused(consumer, "above-head", payload)
    return Ack(consumer, said[1])


class Told:
    """Which refusals are told: each once, and never a flood of them."""

    def __init__(self, now: float) -> None:
        self._room = Room(now, _BURST, _EVERY_S)
        self._before: OrderedDict[Refused, None] = OrderedDict()

    def fresh(self, refused: Refused, now: float) -> bool:
        """Whether this one is to be told."""
        if refused in self._before:
            self._before.move_to_end(refused)
            return False
        if not self._room.take(now):
            return False
        self._before[refused] = None
        if len(self._before) > _REMEMBERED:
            self._before.popitem(last=False)
        return True


def _fields(payload: bytes) -> tuple[str, int] | None:
    if len(payload) > _LARGEST:
        return None
    try:
        said: object = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    fields = cast("dict[str, object]", said)
    epoch, sequence = fields.get("epoch"), fields.get("sequence")
    if not isinstance(epoch, str) or not isinstance(sequence, str):
        return None
    if len(sequence) != SEQUENCE_DIGITS or not (sequence.isascii() and sequence.isdigit()):
        return None
    return epoch, int(sequence)


def _refused(consumer: str, why: Why, payload: bytes) -> Refused:
    return Refused(_word(consumer), why, _word(payload[:_LARGEST].decode("utf-8", "replace")))


def _word(text: str) -> str:
    return "".join(one if one.isprintable() else "?" for one in text[:_LONGEST_WORD])
