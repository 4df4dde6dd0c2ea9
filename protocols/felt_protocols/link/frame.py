"""Cuts a byte stream into Felt Link frames, and makes frames.

A frame is `00 | COBS(version kind address body crc) | 00`; the CRC is CRC-32C over header and body,
least significant byte first. The decoder never raises: what is no frame comes out as `Garbled`.
It has no clock and holds at most one half frame, so any cutting of the stream gives the same items.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from cobs import cobs
from fastcrc.crc32 import iscsi as crc32c

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION: Final = 1
HEADER_SIZE: Final = 3
CRC_SIZE: Final = 4
MAX_BODY: Final = 1024
MAX_ADDRESS: Final = 31

MAX_PLAIN: Final = HEADER_SIZE + MAX_BODY + CRC_SIZE
MAX_CODED: Final = MAX_PLAIN + -(-MAX_PLAIN // 254)
"""Bytes between two `00`, at most: 1036."""

RAW_KEPT: Final = 16
"""Bytes of a garbled frame that are kept: enough to name its kind, too few to tell a deck's order."""


# The library has no types of its own, hence the two ignores.
_stuff = cast("Callable[[bytes], bytes]", cobs.encode)  # pyright: ignore[reportUnknownMemberType]
_unstuff = cast("Callable[[bytes], bytes]", cobs.decode)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame whose CRC is right; its body is not read yet. `version` may be one we do not speak."""

    kind: int
    address: int
    body: bytes
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Garbled:
    """Bytes that are no frame, or a frame that is no message: a short reason, and the first bytes."""

    why: str
    raw: bytes


def encode_frame(kind: int, address: int, body: bytes) -> bytes:
    """Make one frame with both its `00`; ValueError when the body or the address is out of range."""
    if len(body) > MAX_BODY:
        raise ValueError(f"a body of {len(body)} bytes; the most is {MAX_BODY}")
    if not 0 <= address <= MAX_ADDRESS:
        raise ValueError(f"address {address}; addresses are 0 to {MAX_ADDRESS}")
    plain = bytes((VERSION, kind, address)) + body
    return b"\0" + _stuff(plain + crc32c(plain).to_bytes(CRC_SIZE, "little")) + b"\0"


class FrameDecoder:
    """Turns bytes, however they are cut, into frames and garbled pieces, in the order of the stream."""

    __slots__ = ("_dropping", "_half")

    def __init__(self) -> None:
        self._half = b""
        self._dropping = False

    @property
    def held(self) -> int:
        """How many bytes of a half frame are held; never more than `MAX_CODED`."""
        return len(self._half)

    def receive(self, data: bytes) -> list[Frame | Garbled]:
        """Take the next bytes of the stream; all that they complete comes back at once."""
        items: list[Frame | Garbled] = []
        start = 0
        while (end := data.find(0, start)) >= 0:
            self._hold(data[start:end], items)
            if self._half:
                items.append(_opened(self._half))
            self._half = b""
            self._dropping = False
            start = end + 1
        self._hold(data[start:], items)
        return items

    def _hold(self, piece: bytes, items: list[Frame | Garbled]) -> None:
        """Add to the half frame, or start dropping when it has become too long to be one."""
        if self._dropping:
            return
        self._half += piece[: MAX_CODED + 1]
        if len(self._half) > MAX_CODED:
            items.append(Garbled("too long", self._half[:RAW_KEPT]))
            self._half = b""
            self._dropping = True


def _opened(coded: bytes) -> Frame | Garbled:
    try:
        plain = _unstuff(coded)
    except cobs.DecodeError:
        return Garbled("cobs", coded[:RAW_KEPT])
    if len(plain) < HEADER_SIZE + CRC_SIZE:
        return Garbled("too short", plain[:RAW_KEPT])
    if len(plain) > MAX_PLAIN:
        return Garbled("too long", plain[:RAW_KEPT])
    covered = plain[:-CRC_SIZE]
    if crc32c(covered) != int.from_bytes(plain[-CRC_SIZE:], "little"):
        return Garbled("crc", plain[:RAW_KEPT])
    return Frame(plain[1], plain[2], covered[HEADER_SIZE:], plain[0])
