"""A body of an older version is brought to the present one when it is read; what is stored stays."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import pytest

from felt_daemon.journal.verify import verify
from felt_daemon.replay.told import said_of
from felt_daemon.shell.rows import row_of
from felt_protocols.errors import UnknownEvent
from felt_protocols.events import EVENTS, Decision, Moment, Row, core, presented, restored
from felt_protocols.events.upcast import UPCASTERS, upcaster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.journal.conftest import Desk, MakeEntry

NAME = "chips-counted"


@pytest.fixture
def chips() -> Iterator[type[Any]]:
    """An event at its third version: v1 had dollars, v2 has cents, v3 names the currency and who counted."""

    class ChipsCounted(Decision):
        kind: ClassVar[Literal["round"]] = "round"
        v: ClassVar[int] = 3
        private: ClassVar[frozenset[str]] = frozenset({"counter"})

        cents: int
        currency: str
        counter: str = ""
        table_limit: int = 500

    core.published(ChipsCounted)

    @upcaster(NAME, 1)
    def _cents(body: dict[str, Any]) -> dict[str, Any]:
        dollars = body.pop("dollars")
        return {**body, "cents": 100 * dollars}

    @upcaster(NAME, 2)
    def _currency(body: dict[str, Any]) -> dict[str, Any]:
        return {**body, "currency": "USD"}

    yield ChipsCounted
    del EVENTS[NAME], UPCASTERS[NAME, 1], UPCASTERS[NAME, 2]
    del core._NAMES[ChipsCounted]


@pytest.mark.parametrize(
    ("v", "public"),
    [
        (1, b'{"context":{"round":4},"dollars":12}'),
        (2, b'{"cents":1200,"context":{"round":4}}'),
        (3, b'{"cents":1200,"context":{"round":4},"currency":"USD"}'),
    ],
)
def test_every_older_version_reads_as_the_present_one(chips: type[Any], v: int, public: bytes) -> None:
    event, context = restored(NAME, v, public, b'{"counter":"Ann"}')
    assert event == chips(cents=1200, currency="USD", counter="Ann", table_limit=500)
    assert context == {"round": 4}


def test_the_public_part_alone_is_brought_too(chips: type[Any]) -> None:
    assert chips.v == 3
    old = {"dollars": 3}
    assert presented(NAME, 1, old) == {"cents": 300, "currency": "USD"}
    assert old == {"dollars": 3}


def test_a_newer_version_is_an_error_that_says_who_wrote_it(chips: type[Any]) -> None:
    assert chips.v == 3
    said = "the journal holds chips-counted v4, and this release knows v3: a newer feltd wrote it"
    with pytest.raises(UnknownEvent, match=f"^{re.escape(said)}$"):
        restored(NAME, 4, b'{"cents":1}', b"{}")


def test_a_version_that_no_way_leads_from_is_an_error_that_names_the_step(chips: type[Any]) -> None:
    assert chips.v == 3
    said = "the journal holds chips-counted v0, and no way leads from v0 to v1"
    with pytest.raises(UnknownEvent, match=f"^{re.escape(said)}$"):
        restored(NAME, 0, b'{"dollars":1}', b"{}")


def test_one_step_has_one_function(chips: type[Any]) -> None:
    assert chips.v == 3
    with pytest.raises(ValueError, match="two functions bring chips-counted from v1 to v2"):
        upcaster(NAME, 1)(lambda body: body)


def test_the_chain_is_that_of_the_bytes_that_were_stored(
    chips: type[Any], desk: Desk, entry: MakeEntry
) -> None:
    desk.journal.append([entry(1, type=NAME, v=1, public=b'{"dollars":12}', private=b"{}")])
    desk.settle()
    [stored] = desk.journal.read("table-1")
    assert row_of(stored).event == chips(cents=1200, currency="USD")
    assert stored.entry.public == b'{"dollars":12}'
    assert verify(desk.path).sound


def test_a_story_is_told_of_the_present_version_as_far_as_it_is_known(chips: type[Any]) -> None:
    assert chips.v == 3
    row = said_of(Row("t-1", 1, chips(cents=5, currency="USD"), Moment("b", "s", 0, 0, trusted=True)))
    old = replace(row, v=1, public='{"context":{"round":4},"dollars":12}')
    assert old.whole == {"cents": 1200, "currency": "USD", "context": {"round": 4}}
    newer = replace(row, v=9, public='{"dollars":12}')
    assert newer.whole == {"dollars": 12}


def test_every_event_of_the_vocabulary_is_reached_from_its_first_version() -> None:
    due = {(name, v) for name, event in EVENTS.items() for v in range(1, event.v)}
    assert UPCASTERS.keys() == due
