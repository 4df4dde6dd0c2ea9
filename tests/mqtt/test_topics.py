"""The topics of a table, and the names that may stand in them."""

from __future__ import annotations

import pytest

from felt_protocols import topics
from felt_protocols.topics import Place

BAD_IDS = ("", "floor", "Table-1", "-a", "a b", "a/b", "+", "#", "a" * 33, "ä", "table_1", "a\n", "٣")


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        (topics.FLOOR_STATUS, "felt/1/floor/status"),
        (topics.status("table-1"), "felt/1/table-1/status"),
        (topics.state("table-1"), "felt/1/table-1/state"),
        (topics.hold("table-1", 7), "felt/1/table-1/hold/7"),
        (topics.device("table-1", "shoe-1"), "felt/1/table-1/device/shoe-1"),
        (topics.meter("table-1", "royal"), "felt/1/table-1/meter/royal"),
        (topics.event("table-1", "deck"), "felt/1/table-1/event/deck"),
        (topics.command("table-1", "close-table"), "felt/1/table-1/command/close-table"),
        (topics.reply("table-1", "pit-3"), "felt/1/table-1/reply/pit-3"),
        (topics.private("table-1", "audit"), "felt/1/table-1/private/audit"),
        (topics.replay("table-1", "audit"), "felt/1/table-1/replay/audit"),
        (topics.ack("table-1", "audit"), "felt/1/table-1/ack/audit"),
        (topics.pictured("table-1", "status"), "felt/1/table-1/status"),
        (topics.pictured("table-1", "state"), "felt/1/table-1/state"),
        (topics.pictured("table-1", "hold/7"), "felt/1/table-1/hold/7"),
        (topics.pictured("table-1", "device/shoe-1"), "felt/1/table-1/device/shoe-1"),
        (topics.events_filter(), "felt/1/+/event/+"),
        (topics.events_filter("table-1"), "felt/1/table-1/event/+"),
        (topics.holds_filter("table-1"), "felt/1/table-1/hold/+"),
        (topics.devices_filter("table-1"), "felt/1/table-1/device/+"),
        (topics.commands_filter("table-1"), "felt/1/table-1/command/+"),
        (topics.acks_filter("table-1"), "felt/1/table-1/ack/+"),
        (topics.everything_filter(), "felt/1/+/#"),
        (topics.everything_filter("table-1"), "felt/1/table-1/#"),
    ],
)
def test_a_topic_is_spelled_as_the_contract_says(topic: str, expected: str) -> None:
    assert topic == expected


@pytest.mark.parametrize("name", BAD_IDS)
def test_a_name_that_is_no_id_never_reaches_a_topic(name: str) -> None:
    for make in (
        topics.status,
        topics.state,
        lambda bad: topics.device(bad, "shoe-1"),
        lambda bad: topics.device("table-1", bad),
        lambda bad: topics.meter("table-1", bad),
        lambda bad: topics.command("table-1", bad),
        lambda bad: topics.reply("table-1", bad),
        lambda bad: topics.ack("table-1", bad),
        topics.events_filter,
        topics.commands_filter,
    ):
        with pytest.raises(ValueError, match="cannot stand in a topic"):
            make(name)


def test_an_event_has_one_of_the_kinds() -> None:
    with pytest.raises(ValueError, match="'surprise' is no kind of event"):
        topics.event("table-1", "surprise")


@pytest.mark.parametrize(
    "key", ["", "hold", "state/x", "event/deck", "command/x", "status/", "hold/", "hold/+"]
)
def test_only_retained_topics_are_pictured(key: str) -> None:
    with pytest.raises(ValueError, match="topic"):
        topics.pictured("table-1", key)


@pytest.mark.parametrize(
    ("topic", "place"),
    [
        ("felt/1/table-1/status", Place("table-1", "status")),
        ("felt/1/table-1/hold/7", Place("table-1", "hold", "7")),
        ("felt/1/table-1/event/deck", Place("table-1", "event", "deck")),
        ("felt/1/floor/status", None),
        ("felt/2/table-1/status", None),
        ("felt/1/table-1", None),
        ("felt/1/table-1/status/x", None),
        ("felt/1/table-1/hold", None),
        ("felt/1/table-1/hold/7/8", None),
        ("felt/1/Table/status", None),
        ("$SYS/broker/uptime", None),
    ],
)
def test_a_topic_is_taken_apart_or_is_none_of_a_tables(topic: str, place: Place | None) -> None:
    assert topics.parse(topic) == place
