"""From messages to events: beginnings, gaps, new journals, faults, and what a person is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from felt_floor import Position, Trouble
from felt_floor.reception import Begin, Reception
from felt_protocols.topics import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.floor.conftest import Hall, Journal

EPOCH = "271807caf0e4ea9b"
OTHER = "9e3b51902c86b7a4"
EVENT = Place("asia-1", "event", "card")
REPLAY = Place("asia-1", "replay", "pit")
STATUS = Place("asia-1", "status")
STATE = Place("asia-1", "state")


class Consumer:
    """A reception and all that it says."""

    def __init__(
        self, positions: Mapping[str, Position] | None = None, begin: Begin = "earliest", most: int = 100
    ) -> None:
        self.troubles: list[Trouble] = []
        self.woken = 0
        self.reception = Reception(
            "pit",
            positions=positions or {},
            begin=begin,
            most=most,
            on_trouble=self.troubles.append,
            on_ack=self._woken,
        )

    def _woken(self) -> None:
        self.woken += 1

    def gets(self, place: Place, *messages: bytes | dict[str, Any], now: float = 0.0) -> list[int]:
        """Hand messages over; the sequences of the events that came out."""
        for one in messages:
            payload = one if isinstance(one, bytes) else json.dumps(one).encode()
            self.reception.receive(place, payload, now)
        return [self.reception.next().sequence for _ in range(len(self.reception.ready))]

    def told(self) -> list[tuple[str, str, int]]:
        """Take the acknowledgements that are told now, those told twice once: table, epoch, sequence."""
        told = self.reception.acks.take(1e9, 1000)
        return [(table, position.epoch, position.sequence) for table, position in dict.fromkeys(told)]

    @property
    def kinds(self) -> list[str]:
        """The kinds of all troubles, in order."""
        return [one.kind for one in self.troubles]


def status(epoch: str = EPOCH, *, online: bool = True) -> dict[str, Any]:
    return {"online": online, "epoch": epoch, "start": "0f3a9c52"}


def test_events_are_given_in_order_and_proved(journal: Journal) -> None:
    journal.add_cards(3)
    consumer = Consumer()
    assert consumer.gets(EVENT, *journal.payloads) == [1, 2, 3]
    assert consumer.troubles == []
    health = consumer.reception.tables()["asia-1"]
    assert (health.epoch, health.taken, health.given, health.missing) == (EPOCH, 3, 3, 0)
    assert health.online is None


def test_a_table_that_is_new_is_told_so_at_its_first_word(journal: Journal) -> None:
    journal.add_cards(3)
    consumer = Consumer()
    assert consumer.gets(EVENT, journal.payloads[2]) == []
    assert consumer.told() == [("asia-1", EPOCH, 0)]
    assert consumer.gets(REPLAY, *journal.payloads[:2]) == [1, 2, 3]


def test_a_status_is_enough_to_begin_with(journal: Journal) -> None:
    journal.add_cards(1)
    consumer = Consumer()
    consumer.gets(STATUS, status(online=False))
    assert consumer.told() == [("asia-1", EPOCH, 0)]
    assert consumer.reception.start_of("asia-1") is None
    consumer.gets(STATUS, status())
    assert consumer.reception.start_of("asia-1") == "0f3a9c52"
    assert consumer.told() == []
    assert consumer.gets(EVENT, *journal.payloads) == [1]


def test_from_now_on_begins_behind_what_the_state_shows(journal: Journal) -> None:
    journal.add_cards(5)
    shown = {"epoch": EPOCH, "sequence": 3, "hash": journal.envelope(3)["hash"]}
    consumer = Consumer(begin="now")
    consumer.gets(STATUS, status())
    assert consumer.told() == []
    consumer.gets(STATE, shown)
    assert consumer.told() == [("asia-1", EPOCH, 3)]
    consumer.gets(STATE, {**shown, "sequence": 5})
    assert consumer.gets(EVENT, *journal.payloads) == [4, 5]
    assert consumer.troubles == []


def test_from_now_on_begins_with_an_event_where_that_comes_first(journal: Journal) -> None:
    journal.add_cards(5)
    consumer = Consumer(begin="now")
    assert consumer.gets(EVENT, *journal.payloads[3:]) == [4, 5]
    assert consumer.troubles == []


def test_what_was_stored_is_where_it_goes_on(journal: Journal) -> None:
    journal.add_cards(4)
    stored = Position(EPOCH, 2, journal.envelope(2)["hash"])
    consumer = Consumer({"asia-1": stored})
    consumer.reception.connected(0.0)
    assert consumer.told() == [("asia-1", EPOCH, 2)]
    assert consumer.gets(EVENT, *journal.payloads) == [3, 4]
    assert consumer.troubles == []


def test_what_was_stored_of_another_history_is_noticed(journal: Journal) -> None:
    journal.add_cards(3)
    consumer = Consumer({"asia-1": Position(EPOCH, 2, "a" * 64)})
    assert consumer.gets(EVENT, journal.payloads[1]) == []
    assert consumer.gets(EVENT, journal.payloads[2]) == [3]
    assert consumer.kinds == ["conflict", "unproved"]
    assert [(one.table, one.sequence) for one in consumer.troubles] == [("asia-1", 2), ("asia-1", 3)]
    health = consumer.reception.tables()["asia-1"]
    assert (health.conflicts, health.unproved, health.doubled) == (1, 1, 1)


def test_the_broker_is_the_memory_where_nobody_else_is(journal: Journal) -> None:
    journal.add_cards(4)
    consumer = Consumer()
    consumer.reception.remember("asia-1", b'{"epoch":"271807caf0e4ea9b","sequence":"00000000000000000003"}')
    consumer.reception.remember("asia-1", b'{"epoch":"271807caf0e4ea9b","sequence":"00000000000000000001"}')
    consumer.reception.remember("asia-2", b"nonsense")
    consumer.reception.connected(0.0)
    assert consumer.told() == [("asia-1", EPOCH, 3)]
    assert consumer.gets(EVENT, *journal.payloads) == [4]


def test_a_gap_is_asked_for_with_the_position_that_is_stored(journal: Journal) -> None:
    journal.add_cards(5)
    consumer = Consumer()
    consumer.reception.receive(EVENT, journal.payloads[0], 100.0)
    first = consumer.reception.next()
    consumer.gets(EVENT, journal.payloads[1], journal.payloads[3], now=100.0)
    consumer.reception.acknowledge(first)
    consumer.told()
    assert consumer.reception.due() == 102.0
    consumer.reception.elapsed(101.9)
    assert consumer.told() == []
    consumer.reception.elapsed(102.0)
    assert consumer.told() == [("asia-1", EPOCH, 1)]
    (trouble,) = consumer.troubles
    assert (trouble.kind, trouble.sequence) == ("missing", 3)
    assert trouble.text == "1 events after 2 have not come; they are asked for again"
    assert consumer.gets(REPLAY, *journal.payloads[1:4]) == [3, 4]
    assert consumer.reception.due() is None


def test_a_lost_connection_is_followed_by_what_is_stored(journal: Journal) -> None:
    journal.add_cards(2)
    consumer = Consumer()
    consumer.reception.receive(EVENT, journal.payloads[0], 0.0)
    event = consumer.reception.next()
    consumer.reception.acknowledge(event)
    consumer.reception.acknowledge(event)
    assert consumer.woken == 1
    consumer.reception.disconnected()
    assert consumer.told() == []
    consumer.reception.connected(0.0)
    assert consumer.told() == [("asia-1", EPOCH, 1)]


@pytest.mark.parametrize("by", [EVENT, STATUS])
def test_a_new_journal_is_told_and_begins_at_its_first_event(journal: Journal, hall: Hall, by: Place) -> None:
    journal.add_cards(2)
    new = hall.Journal(epoch=OTHER)
    new.add_cards(2)
    consumer = Consumer()
    consumer.gets(EVENT, *journal.payloads)
    consumer.told()
    consumer.gets(by, new.payloads[1] if by == EVENT else json.dumps(status(OTHER)).encode())
    (trouble,) = consumer.troubles
    assert (trouble.kind, trouble.table) == ("new-epoch", "asia-1")
    assert trouble.text == f"the table has a new journal: epoch {OTHER}, before it was {EPOCH}"
    assert consumer.told() == [("asia-1", OTHER, 0)]
    assert consumer.gets(EVENT, *new.payloads) == [1, 2]


def test_a_status_of_a_table_that_is_away_turns_nothing(journal: Journal) -> None:
    journal.add_cards(1)
    consumer = Consumer()
    consumer.gets(EVENT, *journal.payloads)
    consumer.gets(STATUS, status(OTHER, online=False))
    assert consumer.troubles == []
    assert consumer.reception.tables()["asia-1"].online is False


def test_a_journal_that_comes_back_goes_on_where_it_was(journal: Journal, hall: Hall) -> None:
    journal.add_cards(3)
    new = hall.Journal(epoch=OTHER)
    new.add_cards(1)
    consumer = Consumer()
    consumer.gets(EVENT, *journal.payloads[:2], *new.payloads)
    assert consumer.gets(EVENT, *journal.payloads) == [3]
    assert [one.text for one in consumer.troubles] == [
        f"the table has a new journal: epoch {OTHER}, before it was {EPOCH}",
        f"the table has an earlier journal again: epoch {EPOCH}, before it was {OTHER}",
    ]


def test_an_event_that_the_table_cannot_send_is_given_without_its_data(journal: Journal) -> None:
    journal.add_cards(3)
    letter = {**journal.envelope(2), "deadletter": True, "data": {}}
    consumer = Consumer()
    for payload in (journal.payloads[0], json.dumps(letter).encode(), journal.payloads[2]):
        consumer.reception.receive(EVENT, payload, 0.0)
    given = [consumer.reception.next() for _ in range(3)]
    assert [(one.sequence, one.deadletter, one.faults) for one in given] == [
        (1, False, ()),
        (2, True, ()),
        (3, False, ()),
    ]
    (trouble,) = consumer.troubles
    assert (trouble.kind, trouble.sequence) == ("dead-letter", 2)
    assert consumer.reception.tables()["asia-1"].left_out == 1


def private(sequence: int, **said: object) -> dict[str, object]:
    """What the table of these tests tells in private of each event: nothing, after a salt."""
    return {
        "epoch": EPOCH,
        "sequence": f"{sequence:020d}",
        "salt": b"sixteen bytes...".hex(),
        "private": said,
    }


def test_what_is_told_in_private_comes_with_its_event_and_is_proved(journal: Journal) -> None:
    journal.add_cards(3)
    consumer = Consumer()
    place = Place("asia-1", "private", "pit")
    consumer.gets(place, private(1), private(2, cards=52), b"rubbish", {**private(3), "private": []})
    for payload in journal.payloads:
        consumer.reception.receive(EVENT, payload, 0.0)
    given = [consumer.reception.next() for _ in range(3)]
    assert [one.private for one in given] == [{}, {"cards": 52}, None]
    assert [one.faults for one in given] == [
        (),
        ("what was told in private is not what its hash binds",),
        (),
    ]
    assert consumer.kinds == ["unreadable", "unreadable", "unproved"]


def test_what_is_told_in_private_of_events_that_never_come_does_not_fill_the_memory(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("felt_floor.private.KEPT", 2)
    journal.add_cards(3)
    consumer = Consumer()
    place = Place("asia-1", "private", "pit")
    consumer.gets(place, private(1), private(2), private(1), private(3))
    for payload in journal.payloads:
        consumer.reception.receive(EVENT, payload, 0.0)
    assert [consumer.reception.next().private for _ in range(3)] == [{}, None, {}]


def test_a_consumer_says_every_hour_that_it_is_there() -> None:
    consumer = Consumer({"asia-1": Position(EPOCH, 2)})
    consumer.reception.connected(100.0)
    consumer.told()
    assert consumer.reception.due() == 3700.0
    consumer.reception.elapsed(3699.0)
    assert consumer.told() == []
    consumer.reception.elapsed(3700.0)
    assert consumer.told() == [("asia-1", EPOCH, 2)]
    assert consumer.reception.due() == 7300.0
    consumer.reception.disconnected()
    assert consumer.reception.due() is None


def test_an_event_with_faults_is_given_with_them(journal: Journal) -> None:
    journal.add(device=7, face_up=False)
    changed = journal.add()
    changed["data"]["face_up"] = True
    consumer = Consumer()
    consumer.reception.receive(EVENT, journal.payloads[0], 0.0)
    consumer.reception.receive(EVENT, json.dumps(changed).encode(), 0.0)
    breach, forged = consumer.reception.next(), consumer.reception.next()
    assert breach.faults[0].startswith("device: 7 is not of type")
    assert forged.faults == ("its hash does not follow from its content",)
    assert consumer.kinds == ["schema", "unproved"]
    health = consumer.reception.tables()["asia-1"]
    assert (health.breaches, health.unproved) == (1, 1)


def test_an_event_of_an_unknown_type_is_given_without_faults(journal: Journal) -> None:
    envelope = journal.add()
    consumer = Consumer()
    envelope["type"] = "felt.card.card-swallowed.v1"
    consumer.reception.receive(EVENT, json.dumps(envelope).encode(), 0.0)
    event = consumer.reception.next()
    assert not event.known
    assert consumer.reception.tables()["asia-1"].unknown == 1


def test_what_is_no_event_is_told_and_counted(journal: Journal) -> None:
    journal.add_cards(1)
    consumer = Consumer()
    assert consumer.gets(EVENT, b"rubbish", journal.payloads[0], b"\xff") == [1]
    assert consumer.kinds == ["unreadable", "unreadable"]
    assert consumer.troubles[0].text.endswith(": 'rubbish'")
    assert consumer.reception.tables()["asia-1"].unreadable == 1


def test_a_picture_that_is_none_says_nothing() -> None:
    consumer = Consumer(begin="now")
    consumer.gets(STATUS, b"[]", b"{", {"online": True}, {"epoch": EPOCH})
    consumer.gets(STATE, {"epoch": EPOCH, "sequence": "many", "hash": ""})
    assert (consumer.reception.tables(), consumer.troubles) == ({}, [])


def test_topics_of_others_are_none_of_its_business(journal: Journal) -> None:
    journal.add_cards(1)
    consumer = Consumer()
    for place in (Place("asia-1", "replay", "warehouse"), Place("asia-1", "hold", "7")):
        assert consumer.gets(place, *journal.payloads) == []


def test_an_acknowledgement_that_the_table_refuses_is_told(journal: Journal) -> None:
    refusal = {"why": "unknown-consumer", "said": "{}"}
    journal.add("ack-refused", consumer="warehouse", **refusal)
    journal.add("ack-refused", consumer="pit", **refusal)
    consumer = Consumer()
    assert consumer.gets(EVENT, *journal.payloads) == [1, 2]
    (trouble,) = consumer.troubles
    assert (trouble.kind, trouble.sequence) == ("ack-refused", 2)
    assert trouble.text == "the table refuses this consumer's acknowledgement: unknown-consumer"


def test_a_slow_application_bounds_what_waits_and_misses_nothing(journal: Journal) -> None:
    journal.add_cards(12)
    consumer = Consumer(most=6)
    reception = consumer.reception
    for payload in journal.payloads[:4]:
        reception.receive(EVENT, payload, 100.0)
    assert not reception.room
    for payload in journal.payloads[4:10]:
        reception.receive(EVENT, payload, 100.0)
    assert [one.sequence for one in reception.ready] == [1, 2, 3, 4, 5, 6]
    assert consumer.kinds == ["too-many"]
    consumer.told()
    reception.elapsed(102.0)
    assert (consumer.kinds, consumer.told(), reception.due()) == (["too-many"], [], 104.0)
    for _ in range(4):
        reception.next()
    assert reception.room
    reception.elapsed(104.0)
    assert consumer.told() == [("asia-1", EPOCH, 0)]
    assert consumer.kinds == ["too-many", "missing"]
    assert consumer.gets(REPLAY, *journal.payloads[6:8], now=104.0) == [5, 6, 7, 8]
    assert consumer.gets(REPLAY, *journal.payloads[6:10], *journal.payloads[10:], now=104.0) == [
        9,
        10,
        11,
        12,
    ]
    assert consumer.reception.tables()["asia-1"].missing == 0


def test_a_table_is_sent_back_and_gives_everything_again(journal: Journal) -> None:
    journal.add_cards(6)
    consumer = Consumer()
    for payload in journal.payloads[:4]:
        consumer.reception.receive(EVENT, payload, 100.0)
    fetched = [consumer.reception.next() for _ in range(3)]
    consumer.reception.acknowledge(fetched[2])
    consumer.gets(EVENT, journal.payloads[5])
    consumer.told()
    consumer.reception.rewind("asia-1", 1, 100.0)
    assert consumer.told() == [("asia-1", EPOCH, 1)]
    consumer.reception.acknowledge(fetched[2])
    assert consumer.told() == [], "what was given before is no longer stored"
    assert consumer.reception.due() == 102.0
    assert consumer.gets(REPLAY, *journal.payloads[1:]) == [2, 3, 4, 5, 6]
    assert consumer.troubles == []
    consumer.reception.rewind("asia-1", 6, 100.0)
    assert consumer.told() == [("asia-1", EPOCH, 1)]


def test_sending_back_a_table_never_heard_of_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        Consumer().reception.rewind("asia-1", 1, 100.0)
