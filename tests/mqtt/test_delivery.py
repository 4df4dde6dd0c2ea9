"""Live events and what goes out beside them: who has which part of the window. No clock, no broker."""

from __future__ import annotations

import pytest

from felt_daemon.publisher.consumers import Consumers, Returned, Suspended, Terms
from felt_daemon.publisher.delivery import MOST_ORDERED, Beside, Delivery
from felt_daemon.publisher.lane import DeadLetter, Freed, Held, Lane, Taken

SUCCESS = 0x00
NOBODY = 0x10
DENIED = 0x87
TOO_LARGE = 0x95


def at_work(head: int, reached: int, receive_maximum: int = 65_535, **at: int) -> Delivery:
    """A delivery on a connection whose window is open, with everything up to `reached` sent before."""
    delivery = Delivery(Lane(reached), Consumers(at, (), reached, 0.0, Terms(ahead=500, reach=2000)))
    delivery.lane.committed(head)
    delivery.connected(receive_maximum)
    assert delivery.resumed(0.0) == []
    return delivery


def go(delivery: Delivery, now: float = 0.0, others: int = 0) -> list[int]:
    """Send what may go out of the common stream."""
    seqs = list(delivery.common(others, now))
    for seq in seqs:
        delivery.sent(seq, now)
    return seqs


def go_beside(delivery: Delivery, now: float = 0.0, others: int = 0) -> list[Beside]:
    """Send what may go out to single consumers."""
    gone = []
    for beside in delivery.beside(others, now):
        delivery.beside_sent(beside, now)
        gone.append(beside)
    return gone


def open_window(delivery: Delivery) -> None:
    """Send the first event alone and have it taken."""
    [seq] = go(delivery)
    delivery.answered(seq, SUCCESS, 0.0)


def asks(delivery: Delivery, name: str, seq: int, now: float = 0.0) -> None:
    assert delivery.acked(name, seq, now, retained=False) == []


def lacking(head: int, window: int = 65_535, **at: int) -> Delivery:
    """All is sent and taken; each of these consumers says that it has no more than that."""
    delivery = at_work(head, 0, window, **dict.fromkeys(at, 0))
    while seqs := go(delivery):
        for seq in seqs:
            delivery.answered(seq, SUCCESS, 0.0)
    for name, seq in at.items():
        delivery.acked(name, head, 0.0, retained=False)
        asks(delivery, name, seq)
    return delivery


def test_events_wait_until_consumers_have_had_the_time_to_say_where_they_are() -> None:
    delivery = Delivery(Lane(0), Consumers({"pit": 0}, (), 0, 0.0))
    delivery.lane.committed(10)
    delivery.connected(65_535)
    assert delivery.room(3) == 17  # for pictures
    assert go(delivery) == []
    assert go_beside(delivery) == []
    delivery.acked("pit", 4, 0.1, retained=True)
    delivery.resumed(0.2)
    assert go(delivery) == [5]


def test_a_connection_begins_behind_the_lowest_consumer_that_is_current() -> None:
    delivery = at_work(3100, 3000, pit=2900, rating=2950, far=10)
    assert go(delivery) == [2901]
    assert delivery.standings() == {"pit": "current", "rating": "current", "far": "behind"}


def test_the_common_stream_stops_five_hundred_beyond_the_lowest_consumer() -> None:
    delivery = at_work(1000, 0, pit=0)
    sent = 0
    while seqs := go(delivery):
        sent = seqs[-1]
        for seq in seqs:
            delivery.answered(seq, SUCCESS, 0.0)
    assert sent == 500
    delivery.acked("pit", 100, 1.0, retained=False)
    assert go(delivery)[0] == 501


def test_without_consumers_it_goes_on_to_the_head() -> None:
    delivery = at_work(1000, 0)
    count = 0
    while seqs := go(delivery):
        count += len(seqs)
        for seq in seqs:
            delivery.answered(seq, SUCCESS, 0.0)
    assert count == 1000
    assert delivery.cursors() == {"floor": 1000, "broker": 1000}


def test_the_cursors_say_how_far_everybody_is() -> None:
    delivery = at_work(10, 0, pit=0)
    open_window(delivery)
    for seq in go(delivery):
        delivery.answered(seq, SUCCESS, 0.0)
    delivery.acked("pit", 4, 1.0, retained=False)
    assert delivery.cursors() == {"floor": 4, "broker": 10, "consumer:pit": 4}


# Beside.


def test_what_one_consumer_lacks_has_half_of_the_window() -> None:
    delivery = lacking(100, pit=40)
    assert [(one.consumer, one.seq) for one in go_beside(delivery)] == [("pit", n) for n in range(41, 51)]
    assert go_beside(delivery) == []
    assert delivery.on_their_way == 10


def test_live_events_go_first_and_have_the_other_half_for_themselves() -> None:
    delivery = lacking(100, pit=40)
    go_beside(delivery)
    delivery.lane.committed(200)
    assert len(go(delivery)) == 10
    assert go_beside(delivery) == []


def test_a_full_window_leaves_no_room_beside() -> None:
    delivery = lacking(100, pit=40)
    delivery.lane.committed(200)
    assert len(go(delivery)) == 20
    assert go_beside(delivery) == []


def test_other_messages_take_their_room_from_both() -> None:
    delivery = lacking(100, pit=40)
    assert len(go_beside(delivery, others=17)) == 3


def test_where_the_broker_takes_one_at_a_time_what_is_beside_has_its_turn_between_two_events() -> None:
    delivery = lacking(100, 1, pit=40)
    [beside] = go_beside(delivery)
    delivery.lane.committed(101)
    assert go(delivery) == []
    delivery.beside_answered(beside, SUCCESS, 0.0)
    assert go(delivery) == [101]


def test_consumers_share_the_half_and_take_turns() -> None:
    delivery = lacking(100, pit=40, rating=60)
    first = [one.consumer for one in go_beside(delivery)]
    assert first == ["pit"] * 5 + ["rating"] * 5
    three = lacking(100, 2, a=40, b=40, c=40)
    turns = []
    for _ in range(3):
        [beside] = go_beside(three)
        turns.append(beside.consumer)
        three.beside_answered(beside, SUCCESS, 0.0)
    assert turns == ["a", "b", "c"]


def test_an_event_that_is_to_go_alone_waits_for_what_is_beside_and_that_for_the_event() -> None:
    delivery = lacking(100, pit=40)
    [*on_their_way] = go_beside(delivery)
    delivery.lane.committed(101)
    [seq] = go(delivery)
    delivery.answered(seq, NOBODY, 0.0)
    assert go(delivery, 1.0) == []  # held, and others are on their way
    assert delivery.due(1.0, 0) == pytest.approx(30.0)
    for one in on_their_way:
        delivery.beside_answered(one, SUCCESS, 1.0)
    assert go_beside(delivery, 1.0) == []  # the held event is due
    assert delivery.due(1.0, 0) == pytest.approx(1.0)
    assert go(delivery, 1.0) == [101]
    delivery.answered(101, NOBODY, 1.0)
    assert len(go_beside(delivery, 1.5)) == 10  # until it is due again


def test_a_broken_connection_is_no_event_s_fault_while_something_was_beside() -> None:
    for _ in range(4):
        delivery = lacking(100, pit=40)
        go_beside(delivery)
        delivery.lane.committed(101)
        go(delivery)
        assert delivery.lost(0.1, None, others=False) == []
        assert delivery.room(0) == 0
        assert go_beside(delivery) == []


def test_an_event_for_one_consumer_that_is_too_large_is_a_dead_letter_and_a_notice_goes() -> None:
    delivery = lacking(100, pit=40)
    beside = next(delivery.beside(0, 0.0))
    assert delivery.beside_unsendable(beside) == [DeadLetter(41)]
    assert 41 in delivery.lane.dead
    assert go_beside(delivery)[0] == beside


def test_what_the_broker_does_not_take_of_a_catch_up_stops_it() -> None:
    delivery = lacking(100, pit=40)
    for beside in go_beside(delivery):
        delivery.beside_answered(beside, NOBODY, 0.0)
    assert go_beside(delivery) == []
    assert delivery.standings() == {"pit": "behind"}


# Orders.


def test_what_is_ordered_goes_to_its_consumer_although_that_has_it() -> None:
    delivery = lacking(100, pit=100, rating=100)
    assert delivery.order("pit", 95, 0.0)
    gone = go_beside(delivery)
    assert [(one.consumer, one.seq) for one in gone] == [("pit", n) for n in range(96, 101)]
    assert all(one.ordered for one in gone)
    for one in gone:
        delivery.beside_answered(one, SUCCESS, 0.0)
    assert go_beside(delivery) == []
    assert delivery.due(1.0, 0) == 86_400.0


def test_orders_go_out_one_after_the_other_up_to_what_was_the_head_when_they_were_given() -> None:
    delivery = lacking(100, pit=100)
    delivery.order("pit", 98, 0.0)
    delivery.order("pit", 99, 0.0)
    delivery.lane.committed(110)
    first = go_beside(delivery)
    assert [one.seq for one in first] == [99, 100]
    for one in first:
        delivery.beside_answered(one, SUCCESS, 0.0)
    assert [one.seq for one in go_beside(delivery)] == [100]


def test_an_order_waits_for_its_pace_and_wakes_somebody() -> None:
    delivery = lacking(1000, pit=1000)
    delivery.order("pit", 0, 0.0)
    sent = 0
    while gone := go_beside(delivery):
        sent += len(gone)
        for one in gone:
            delivery.beside_answered(one, SUCCESS, 0.0)
    assert sent == 50
    assert delivery.due(0.0, 0) == pytest.approx(0.02)
    assert delivery.due(0.0, 20) == 86_400.0  # no room


def test_an_order_that_waits_for_a_connection_to_go_on_wakes_nobody() -> None:
    delivery = at_work(10, 10, pit=10)
    assert delivery.order("pit", 2, 1.0)
    delivery.lost(2.0, None, others=False)
    delivery.connected(65_535)
    assert go_beside(delivery, 2.0) == []
    # Only what the consumer itself is waited for.
    due = delivery.due(2.0, 0)
    assert due is None or due > 2.0
    delivery.resumed(2.2)
    assert delivery.due(2.2, 0) == pytest.approx(1.0, abs=0.2)


def test_no_order_is_taken_that_cannot_be_carried_out() -> None:
    delivery = lacking(100, pit=100)
    assert not delivery.order("bar", 0, 0.0)
    assert not delivery.order("pit", 100, 0.0)
    assert [delivery.order("pit", 0, 0.0) for _ in range(MOST_ORDERED + 1)].count(True) == MOST_ORDERED


def test_what_was_ordered_goes_on_after_a_new_connection() -> None:
    delivery = lacking(100, pit=100)
    delivery.order("pit", 90, 0.0)
    for one in go_beside(delivery)[:3]:
        delivery.beside_answered(one, SUCCESS, 0.0)
    delivery.lost(1.0, None, others=False)
    delivery.connected(65_535)
    delivery.resumed(2.0)
    assert go_beside(delivery, 3.0)[0].seq == 94


# What is told.


def test_what_lane_and_consumers_have_to_say_comes_through() -> None:
    delivery = at_work(10, 0, pit=0)
    [seq] = go(delivery)
    assert delivery.answered(seq, DENIED, 0.0) == [Held(1, "refused", DENIED)]
    go(delivery, 1.0)
    assert delivery.answered(seq, SUCCESS, 1.0) == [Taken(1), Freed(1)]
    assert delivery.unsendable(2, 2.0) == [Held(2, "poison", TOO_LARGE), DeadLetter(2)]
    assert delivery.skip(2, 2.0) == [Freed(2)]
    assert delivery.elapsed(86_400.0) == [Suspended("pit", 0)]
    assert delivery.acked("pit", 1, 86_401.0, retained=False) == [Returned("pit", 1)]


def test_an_event_that_nobody_hears_is_told_after_thirty_seconds() -> None:
    delivery = at_work(10, 0)
    [seq] = go(delivery)
    delivery.answered(seq, NOBODY, 0.0)
    assert delivery.elapsed(30.0) == [Held(1, "no-subscriber", NOBODY)]
