"""docs/floor.md: the first program does as printed, and no trouble goes unexplained."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from felt_floor.trouble import Kind

if TYPE_CHECKING:
    from tests.floor.conftest import Hall, Journal

    from felt_daemon.publisher.broker import EmbeddedBroker

PAGE = Path(__file__).parents[2] / "docs" / "floor.md"


def programs() -> list[str]:
    """Every block of Python on the page."""
    return re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def test_the_first_program_is_the_example(hall: Hall) -> None:
    assert programs()[0] == (hall.examples / "print_events.py").read_text(encoding="utf-8")


def test_the_heart_of_storing_is_the_example_s(hall: Hall) -> None:
    example = (hall.examples / "store_postgres.py").read_text(encoding="utf-8")
    heart = [line for line in programs()[1].splitlines() if "store(" not in line]
    assert heart
    assert [line for line in heart if line.strip() not in example] == []


@pytest.mark.asyncio
async def test_the_first_program_prints_what_happens_exactly_as_it_is_printed(
    hall: Hall, broker: EmbeddedBroker, journal: Journal, tmp_path: Path
) -> None:
    journal.add_cards(2)
    (tmp_path / "print_events.py").write_text(programs()[0], encoding="utf-8")
    async with (
        hall.table(broker.port, journal) as table,
        hall.program(tmp_path / "print_events.py", "127.0.0.1", str(broker.port)) as program,
    ):
        told = "card-drawn {'context': {'round': 18}, 'device': 'shoe-1', 'face_up': False}"
        assert [await program.line(), await program.line()] == [f"asia-1 1 {told}", f"asia-1 2 {told}"]
        await table.until(lambda: table.acked == 2)


def test_every_kind_of_trouble_is_explained() -> None:
    chapter = (
        PAGE.read_text(encoding="utf-8").partition("## What each trouble means")[2].partition("\n## ")[0]
    )
    rows = re.findall(r"^\| `([a-z-]+)` \|", chapter, flags=re.MULTILINE)
    assert [kind for kind in get_args(Kind) if kind not in rows] == []
    assert [row for row in rows if row not in ("kind", *get_args(Kind))] == []
