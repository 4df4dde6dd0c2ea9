"""The page for makers says what the code does: every frame, key, table and time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_protocols.link import (
    FAMILIES,
    Ack,
    Done,
    Event,
    Failed,
    Frame,
    FrameDecoder,
    Garbled,
    Hello,
    HostHello,
    Message,
    Order,
    Ping,
    Pong,
    Refused,
    Welcome,
    encode,
    parse,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_protocols.link.shapes import Shape

HEX = re.compile(r"(?:[0-9A-F]{2} {1,2})*(?:[0-9A-F]{2}(?= {3}|$))?")
PAGE = (Path(__file__).parents[2] / "docs" / "felt-link.md").read_text(encoding="utf-8")


def golden() -> list[bytes]:
    """Give the frames of the page: the bytes at the beginning of each line of its blocks."""
    part = PAGE.split("## 11. Golden frames")[1].split("## 12.")[0]
    frames = []
    for block in re.findall(r"```\n(.*?)```", part, re.DOTALL):
        lines = [HEX.match(line) for line in block.splitlines()]
        frames.append(bytes.fromhex("".join(line.group() for line in lines if line)))
    return frames


@pytest.mark.parametrize("frame", golden(), ids=lambda frame: frame[3:5].hex())
def test_each_frame_of_the_page_is_read_and_written_the_same(frame: bytes) -> None:
    (read,) = FrameDecoder().receive(frame)
    assert isinstance(read, Frame)
    message = parse(read)
    assert not isinstance(message, Garbled)
    assert encode(message) == frame


def test_the_page_has_a_frame_of_every_kind() -> None:
    read = [found for frame in golden() for found in FrameDecoder().receive(frame)]
    kinds = [found.kind for found in read if isinstance(found, Frame)]
    every = [1, 1, 2, 3, 0x10, 0x11, 0x20, 0x20, 0x21, 0x21, 0x22, 0x30, 0x31, 0x31]
    reader, station, generator = [0x10, 0x20, 0x31], [0x10, 0x20, 0x20], [0x20, 0x10]
    panel = [0x10, 0x20, 0x20, 0x21, 0x22]
    cards = [0x10, 0x10]
    assert kinds == every + reader + station + generator + panel + cards


@pytest.mark.parametrize(
    ("heading", "message"),
    [
        ("HELLO of a device", Hello),
        ("HELLO of a host", HostHello),
        ("WELCOME", Welcome),
        ("REFUSED", Refused),
        ("EVENT", Event),
        ("ACK", Ack),
        ("ORDER", Order),
        ("DONE", Done),
        ("FAILED", Failed),
        ("PING", Ping),
        ("PONG", Pong),
    ],
)
def test_every_key_of_a_message_is_in_its_table(heading: str, message: type[Message]) -> None:
    table = PAGE.split(f"### {heading}\n")[1].split("\n###")[0].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)`(\??) \| (.*?) \|", table, re.MULTILINE)
    shape = message.SHAPE
    assert sorted(rows) == sorted(
        [(key, "", field.says) for key, field in shape.required.items()]
        + [(key, "?", field.says) for key, field in shape.optional.items()]
    )


def rows_of(shapes: Mapping[str, Shape]) -> list[str]:
    """Give the rows that a family's table has to have."""
    rows = []
    for name, shape in shapes.items():
        fields = [f"`{key}` {field.says}" for key, field in shape.required.items()]
        fields += [f"`{key}`? {field.says}" for key, field in shape.optional.items()]
        rows.append(f"| `{name}` | {'; '.join(fields) or '-'} |")
    return rows


@pytest.mark.parametrize("family", FAMILIES)
def test_a_familys_tables_are_those_of_the_code(family: str) -> None:
    part = PAGE.split(f"### `{family}`\n")[1].split("\n##")[0]
    rows = [row for row in part.splitlines() if row.startswith("| `")]
    table = FAMILIES[family]
    assert rows == [*rows_of(table.events), *rows_of(table.orders)]
