"""The retained topics: what they show, in which order they go out, and what is cleared."""

from __future__ import annotations

import json
from typing import Any

from felt_daemon.publisher.picture import Picture

DIGEST = bytes.fromhex("ab" * 32)
STATUS = b'{"online":true}'
STATE = "felt/1/table-1/state"
HOLD = "felt/1/table-1/hold/7"
SHOE = "felt/1/table-1/device/shoe-1"
STATUS_TOPIC = "felt/1/table-1/status"


def picture(*noted: str) -> Picture:
    return Picture("table-1", "epoch-1", noted)


def sent(one: Picture) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    while (message := one.take()) is not None:
        assert message.retain
        found.append((message.topic, json.loads(message.payload) if message.payload else None))
    return found


def test_everything_goes_out_with_ghosts_first_and_the_status_last() -> None:
    one = picture(HOLD, SHOE, "felt/1/table-1/hold/3", "felt/1/table-1/device/gone")
    one.show({"state": {"rounds": 1}, "hold/7": {"hold": 7}, "device/shoe-1": {"link": "ready"}}, 12, DIGEST)
    one.everything(STATUS)
    assert sent(one) == [
        ("felt/1/table-1/device/gone", None),
        ("felt/1/table-1/hold/3", None),
        (HOLD, {"hold": 7, "sequence": "00000000000000000012", "epoch": "epoch-1"}),
        (SHOE, {"link": "ready", "sequence": "00000000000000000012", "epoch": "epoch-1"}),
        (STATE, {"rounds": 1, "sequence": "00000000000000000012", "epoch": "epoch-1", "hash": "ab" * 32}),
        (STATUS_TOPIC, {"online": True}),
    ]
    assert not one.waiting


def test_only_what_changed_goes_out_and_the_state_with_every_row() -> None:
    one = picture(HOLD, SHOE)
    one.show({"state": {"a": 1}, "hold/7": {"rounds": 0}, "device/shoe-1": {"link": "ready"}}, 1, DIGEST)
    sent(one)
    one.show({"state": {"a": 1}, "hold/7": {"rounds": 1}, "device/shoe-1": {"link": "ready"}}, 2, DIGEST)
    assert [topic for topic, _ in sent(one)] == [STATE, HOLD]


def test_health_that_changes_without_a_row_shows_the_device_alone() -> None:
    one = picture(SHOE)
    one.show({"state": {"a": 1}, "device/shoe-1": {"health": {"frames": 1}}}, 1, DIGEST)
    sent(one)
    one.show({"state": {"a": 1}, "device/shoe-1": {"health": {"frames": 2}}}, 1, DIGEST)
    assert [topic for topic, _ in sent(one)] == [SHOE]


def test_a_sequence_that_only_moved_on_is_no_change_of_a_hold() -> None:
    one = picture(HOLD)
    one.show({"state": {}, "hold/7": {"hold": 7, "sequence": 1}}, 1, DIGEST)
    sent(one)
    one.show({"state": {}, "hold/7": {"hold": 7, "sequence": 2}}, 2, DIGEST)
    assert [topic for topic, _ in sent(one)] == [STATE]


def test_a_hold_that_ended_is_cleared_at_once_and_again_with_everything() -> None:
    one = picture(HOLD)
    one.show({"state": {}, "hold/7": {"hold": 7}}, 1, DIGEST)
    sent(one)
    one.show({"state": {}}, 2, DIGEST)
    assert (HOLD, None) in sent(one)
    one.everything(STATUS)
    assert sent(one)[0] == (HOLD, None)


def test_the_newest_payload_takes_the_place_of_one_that_still_waits() -> None:
    one = picture(HOLD)
    one.show({"state": {}, "hold/7": {"rounds": 1}}, 1, DIGEST)
    one.show({"state": {}, "hold/7": {"rounds": 2}}, 2, DIGEST)
    holds = [payload for topic, payload in sent(one) if topic == HOLD]
    assert holds == [{"rounds": 2, "sequence": "00000000000000000002", "epoch": "epoch-1"}]


def test_a_topic_that_the_journal_does_not_know_waits_until_it_is_noted() -> None:
    one = picture()
    one.show({"state": {}, "hold/7": {"hold": 7}}, 1, DIGEST)
    one.everything(STATUS)
    assert [topic for topic, _ in sent(one)] == [STATE, STATUS_TOPIC]
    assert one.unknown() == [HOLD]
    assert one.unknown() == []
    one.note([HOLD])
    assert [topic for topic, _ in sent(one)] == [HOLD]


def test_a_hold_that_ended_before_it_was_noted_is_never_shown() -> None:
    one = picture()
    one.show({"state": {}, "hold/7": {"hold": 7}}, 1, DIGEST)
    one.show({"state": {}}, 2, DIGEST)
    sent(one)
    one.note([HOLD])
    assert sent(one) == []


def test_topics_of_other_tables_and_no_topics_at_all_are_left_alone() -> None:
    one = picture("felt/1/table-2/hold/1", "somebody/else", STATUS_TOPIC, STATE)
    one.note(["felt/1/table-2/hold/2"])
    one.show({"state": {}}, 1, DIGEST)
    one.everything(STATUS)
    assert [topic for topic, _ in sent(one)] == [STATE, STATUS_TOPIC]


def test_a_status_repeated_goes_out_after_all_that_waits() -> None:
    one = picture(HOLD)
    one.status(STATUS)
    one.show({"state": {}, "hold/7": {}}, 1, DIGEST)
    one.status(STATUS)
    assert sent(one)[-1] == (STATUS_TOPIC, {"online": True})


def test_nothing_of_a_lost_connection_waits_for_the_next() -> None:
    one = picture()
    one.show({"state": {}}, 1, DIGEST)
    one.forget()
    assert not one.waiting
    assert one.take() is None
