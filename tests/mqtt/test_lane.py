"""The order of events: what goes out when, what holds, what is sent again. No clock, no broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt_daemon.publisher.lane import DeadLetter, Freed, Held, Lane, Taken

if TYPE_CHECKING:
    from collections.abc import Callable

SUCCESS = 0x00
NOBODY = 0x10
DENIED = 0x87
TOO_LARGE = 0x95
TAKEN_OVER = 0x8E
ROOM = 20


def connected(taken: int, head: int, receive_maximum: int = 65_535) -> Lane:
    lane = Lane(taken)
    lane.committed(head)
    lane.connected(receive_maximum, 0.0)
    return lane


def open_window(lane: Lane) -> None:
    """Send the first event alone and have it taken."""
    [seq] = lane.ready(ROOM, 0.0)
    lane.sent(seq, 0.0)
    lane.answered(seq, SUCCESS, 0.0)


def send(lane: Lane, now: float = 0.0, room: int = ROOM) -> list[int]:
    sent = list(lane.ready(room, now))
    for seq in sent:
        lane.sent(seq, now)
    return sent


def test_nothing_goes_out_before_there_is_a_connection() -> None:
    lane = Lane(0)
    lane.committed(100)
    assert send(lane) == []
    assert lane.due() is None


def test_the_first_event_of_a_connection_goes_alone_and_opens_the_window() -> None:
    lane = connected(taken=4, head=100)
    assert send(lane) == [5]
    assert send(lane) == []
    assert lane.answered(5, SUCCESS, 0.0) == [Taken(5)]
    assert send(lane) == list(range(6, 26))


def test_a_first_event_that_comes_later_goes_alone_as_well() -> None:
    lane = connected(taken=4, head=4)
    assert send(lane) == []
    lane.committed(30)
    assert send(lane) == [5]
    assert send(lane) == []


def test_never_more_than_twenty_are_on_their_way() -> None:
    lane = connected(taken=0, head=100)
    open_window(lane)
    assert len(send(lane)) == 20
    assert lane.on_their_way == 20
    lane.answered(2, SUCCESS, 0.0)
    assert send(lane) == [22]


def test_the_broker_s_receive_maximum_narrows_the_window() -> None:
    lane = connected(taken=0, head=100, receive_maximum=5)
    open_window(lane)
    assert send(lane) == [2, 3, 4, 5, 6]


def test_other_messages_take_their_room_from_the_window() -> None:
    lane = connected(taken=0, head=100)
    open_window(lane)
    assert send(lane, room=3) == [2, 3, 4]
    assert send(lane, room=0) == []
    assert send(lane, room=1) == [5]


def test_only_committed_events_go_out() -> None:
    lane = connected(taken=0, head=3)
    open_window(lane)
    assert send(lane) == [2, 3]
    lane.committed(2)
    assert lane.head == 3


def test_delivered_counts_only_what_has_no_gap_before_it() -> None:
    lane = connected(taken=0, head=5)
    open_window(lane)
    send(lane)
    assert lane.answered(3, SUCCESS, 0.0) == []
    assert lane.answered(2, SUCCESS, 0.0) == [Taken(3)]
    assert lane.answered(5, SUCCESS, 0.0) == []
    assert not lane.idle
    assert lane.answered(4, SUCCESS, 0.0) == [Taken(5)]
    assert lane.idle


def test_an_answer_to_nothing_is_passed_over() -> None:
    lane = connected(taken=0, head=5)
    assert lane.answered(1, SUCCESS, 0.0) == []
    assert lane.taken == 0


def test_what_had_no_answer_goes_again_after_a_new_connection() -> None:
    lane = connected(taken=0, head=10)
    open_window(lane)
    assert send(lane) == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    lane.answered(2, SUCCESS, 0.0)
    assert lane.lost(5.0, None, others=False) == []
    assert send(lane) == []
    lane.connected(65_535, 6.0)
    assert send(lane, 6.0) == [3]


def test_an_answer_without_the_one_before_it_is_worth_nothing_after_a_break() -> None:
    lane = connected(taken=0, head=4)
    open_window(lane)
    send(lane)  # 2 to 4
    lane.answered(3, SUCCESS, 0.0)
    lane.lost(5.0, None, others=False)
    lane.connected(65_535, 6.0)
    assert send(lane, 6.0) == [2]
    assert lane.answered(2, SUCCESS, 6.0) == [Taken(2)]
    assert send(lane, 6.0) == [3]


def test_after_a_break_the_suspects_go_one_by_one() -> None:
    lane = connected(taken=0, head=10)
    open_window(lane)
    send(lane)  # 2 to 10
    lane.lost(5.0, None, others=False)
    lane.connected(65_535, 6.0)
    for seq in range(2, 11):
        assert send(lane, 6.0) == [seq]
        lane.answered(seq, SUCCESS, 6.0)
    lane.committed(40)
    assert send(lane, 7.0) == list(range(11, 31))


def test_nobody_subscribed_holds_the_lane_and_tries_again_every_second() -> None:
    lane = connected(taken=0, head=10)
    assert send(lane) == [1]
    assert lane.answered(1, NOBODY, 0.0) == []
    assert lane.held
    assert send(lane, 0.9) == []
    assert lane.due() == pytest.approx(1.0)
    assert send(lane, 1.0) == [1]
    assert send(lane, 1.0) == []


def test_people_are_told_after_thirty_seconds_without_a_subscriber_and_only_once() -> None:
    lane = connected(taken=0, head=10)
    for second in range(30):
        send(lane, float(second))
        assert lane.answered(1, NOBODY, float(second)) == []
        assert lane.elapsed(float(second)) == []
    assert lane.elapsed(29.9) == []
    assert lane.elapsed(30.0) == [Held(1, "no-subscriber", NOBODY)]
    assert lane.elapsed(31.0) == []


def test_a_subscriber_frees_the_lane_and_everything_follows_in_order() -> None:
    lane = connected(taken=0, head=10)
    send(lane)
    lane.answered(1, NOBODY, 0.0)
    assert send(lane, 1.0) == [1]
    assert lane.answered(1, SUCCESS, 1.1) == [Taken(1)]
    assert not lane.held
    assert send(lane, 1.1) == [2, 3, 4, 5, 6, 7, 8, 9, 10]


def test_what_was_on_its_way_behind_a_held_event_goes_again_after_it() -> None:
    lane = connected(taken=0, head=5)
    open_window(lane)
    assert send(lane) == [2, 3, 4, 5]
    lane.answered(2, NOBODY, 1.0)
    for seq in (3, 4, 5):
        assert lane.answered(seq, SUCCESS, 1.0) == []
    assert lane.taken == 1
    assert send(lane, 2.0) == [2]
    lane.answered(2, SUCCESS, 2.1)
    assert send(lane, 2.1) == [3, 4, 5]


def test_the_earliest_refusal_counts_whatever_the_order_of_the_answers() -> None:
    lane = connected(taken=0, head=5)
    open_window(lane)
    send(lane)
    lane.answered(4, NOBODY, 1.0)
    lane.answered(2, NOBODY, 1.0)
    lane.answered(3, SUCCESS, 1.0)
    lane.answered(5, NOBODY, 1.0)
    assert send(lane, 2.0) == [2]


def test_a_denied_event_holds_at_once_and_tells_at_once() -> None:
    lane = connected(taken=6, head=10)
    send(lane)
    assert lane.answered(7, DENIED, 3.0) == [Held(7, "refused", DENIED)]


def test_a_denied_event_is_tried_again_with_growing_pauses() -> None:
    lane = connected(taken=0, head=10)
    now = 0.0
    pauses = []
    send(lane, now)
    for _ in range(8):
        lane.answered(1, DENIED, now)
        due = lane.due()
        assert due is not None
        pauses.append(due - now)
        now = due
        assert send(lane, now) == [1]
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


def test_people_hear_that_a_refused_event_is_taken_at_last() -> None:
    lane = connected(taken=0, head=1)
    send(lane)
    lane.answered(1, DENIED, 0.0)
    send(lane, 1.0)
    assert lane.answered(1, SUCCESS, 1.0) == [Taken(1), Freed(1)]


def test_a_refusal_that_changes_its_reason_is_told_again_and_freed_once() -> None:
    lane = connected(taken=0, head=1)
    send(lane)
    assert lane.answered(1, DENIED, 0.0) == [Held(1, "refused", DENIED)]
    send(lane, 1.0)
    assert lane.answered(1, NOBODY, 1.0) == [Held(1, "no-subscriber", NOBODY)]
    send(lane, 2.0)
    assert lane.answered(1, SUCCESS, 2.0) == [Taken(1), Freed(1)]


def test_a_new_connection_tries_a_held_event_at_once() -> None:
    lane = connected(taken=0, head=3)
    send(lane)
    lane.answered(1, DENIED, 0.0)
    lane.lost(0.1, None, others=False)
    assert send(lane, 0.2) == []
    lane.connected(65_535, 0.3)
    assert send(lane, 0.3) == [1]


def test_what_stands_unanswered_before_a_held_event_goes_first_after_a_break_and_the_hold_stays() -> None:
    lane = connected(taken=0, head=5)
    open_window(lane)
    send(lane)  # 2 to 5
    assert lane.answered(4, DENIED, 1.0) == [Held(4, "refused", DENIED)]
    assert lane.lost(2.0, None, others=False) == []
    lane.connected(65_535, 3.0)
    for seq in (2, 3):
        assert send(lane, 3.0) == [seq]
        assert lane.answered(seq, SUCCESS, 3.0) == [Taken(seq)]
    assert send(lane, 3.0) == [4]
    assert lane.answered(4, SUCCESS, 3.0) == [Taken(4), Freed(4)]
    assert send(lane, 3.0) == [5]


def break_alone(lane: Lane, now: float, code: int | None = None) -> list[object]:
    lane.connected(65_535, now)
    send(lane, now)
    return list(lane.lost(now + 0.1, code, others=False))


def test_an_event_that_breaks_the_connection_three_times_is_a_dead_letter() -> None:
    lane = Lane(4)
    lane.committed(9)
    assert break_alone(lane, 0.0) == []
    assert break_alone(lane, 10.0) == []
    assert break_alone(lane, 20.0, TOO_LARGE) == [Held(5, "poison", TOO_LARGE), DeadLetter(5)]


def test_the_rest_flows_once_the_dead_letter_is_recorded() -> None:
    lane = Lane(4)
    lane.committed(9)
    for now in (0.0, 10.0, 20.0):
        break_alone(lane, now)
    lane.connected(65_535, 30.0)
    assert send(lane, 30.0) == []
    assert lane.skip(5) == [Freed(5)]
    assert lane.dead == {5}
    assert send(lane, 30.0) == [5]  # the notice, alone
    assert lane.answered(5, SUCCESS, 30.0) == [Taken(5)]
    assert send(lane, 30.0) == [6, 7, 8, 9]


def test_only_the_dead_letter_itself_can_be_skipped() -> None:
    lane = Lane(4)
    lane.committed(9)
    assert lane.skip(5) == []
    for now in (0.0, 10.0, 20.0):
        break_alone(lane, now)
    assert lane.skip(6) == []
    assert lane.taken == 4


def test_a_dead_letter_that_nobody_records_is_tried_again_every_thirty_seconds() -> None:
    lane = Lane(0)
    lane.committed(1)
    for now in (0.0, 10.0, 20.0):
        break_alone(lane, now)
    lane.connected(65_535, 21.0)
    assert lane.due() == pytest.approx(50.1)
    assert send(lane, 50.1) == [1]
    assert lane.lost(50.2, None, others=False) == []  # it is known already
    lane.connected(65_535, 51.0)
    assert send(lane, 80.2) == [1]
    assert lane.answered(1, SUCCESS, 80.3) == [Taken(1), Freed(1)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lane, now: lane.lost(now + 0.1, TAKEN_OVER, others=False),
        lambda lane, now: lane.lost(now + 0.1, None, others=True),
        lambda lane, now: lane.lost(now + 2.1, None, others=False),
    ],
    ids=["another client took over", "other messages were on their way", "long after it was sent"],
)
def test_a_break_that_the_event_cannot_have_caused_is_not_counted(
    spoil: Callable[[Lane, float], list[object]],
) -> None:
    lane = Lane(0)
    lane.committed(1)
    for attempt in range(5):
        lane.connected(65_535, 10.0 * attempt)
        send(lane, 10.0 * attempt)
        assert spoil(lane, 10.0 * attempt) == []


def test_breaks_of_different_events_do_not_add_up() -> None:
    lane = Lane(0)
    lane.committed(9)
    break_alone(lane, 0.0)
    break_alone(lane, 10.0)
    lane.connected(65_535, 20.0)
    assert send(lane, 20.0) == [1]
    lane.answered(1, SUCCESS, 20.0)
    assert send(lane, 20.0)[0] == 2
    lane.lost(20.1, None, others=False)
    assert break_alone(lane, 30.0) == []
    assert break_alone(lane, 40.0) == []


def test_an_event_too_large_for_the_broker_is_a_dead_letter_without_being_sent() -> None:
    lane = connected(taken=0, head=3)
    [seq] = lane.ready(ROOM, 0.0)
    assert lane.unsendable(seq, 0.0) == [Held(1, "poison", TOO_LARGE), DeadLetter(1)]
    assert send(lane, 0.0) == []
    lane.skip(1)
    assert send(lane, 0.0) == [1]
    lane.answered(1, SUCCESS, 0.0)
    assert send(lane, 0.0) == [2, 3]


def test_a_notice_that_is_not_taken_either_is_no_second_dead_letter() -> None:
    lane = connected(taken=0, head=3)
    lane.unsendable(1, 0.0)
    lane.skip(1)
    assert lane.unsendable(1, 1.0) == [Held(1, "poison", TOO_LARGE)]
    assert lane.due() == pytest.approx(31.0)
    assert send(lane, 31.0) == [1]
    assert lane.answered(1, SUCCESS, 31.0) == [Taken(1), Freed(1)]


# Consumers: how far it may go, and where a connection begins.


def test_nothing_goes_out_above_the_limit() -> None:
    lane = connected(taken=0, head=100)
    open_window(lane)
    assert list(lane.ready(ROOM, 0.0, limit=4)) == [2, 3, 4]
    assert list(lane.ready(ROOM, 0.0, limit=1)) == []
    assert list(lane.ready(ROOM, 0.0, limit=0)) == []


def test_a_held_event_above_the_limit_is_not_tried_and_wakes_nobody() -> None:
    lane = connected(taken=0, head=10)
    send(lane)
    lane.answered(1, DENIED, 0.0)
    assert list(lane.ready(ROOM, 5.0, limit=0)) == []
    assert lane.due(limit=0) is None
    assert lane.due(limit=1) == pytest.approx(1.0)


def test_a_connection_may_begin_farther_back_than_the_last_one_ended() -> None:
    lane = connected(taken=50, head=60)
    assert lane.connected(65_535, 0.0, after=40) == []
    assert lane.taken == 40
    assert lane.up_to == 40
    assert send(lane) == [41]


def test_a_connection_that_begins_before_a_held_event_sends_what_is_between_and_then_tries_it() -> None:
    lane = connected(taken=4, head=9)
    send(lane)
    lane.answered(5, DENIED, 0.0)
    lane.lost(1.0, None, others=False)
    assert lane.connected(65_535, 2.0, after=3) == []
    assert lane.due() is None  # 4 comes first
    assert send(lane, 2.0) == [4]
    lane.answered(4, SUCCESS, 2.0)
    assert send(lane, 2.0) == [5]


def test_a_connection_that_begins_behind_a_held_event_lets_go_of_it() -> None:
    lane = connected(taken=4, head=9)
    send(lane)
    lane.answered(5, DENIED, 0.0)
    lane.lost(1.0, None, others=False)
    assert lane.connected(65_535, 2.0, after=5) == [Freed(5)]
    assert send(lane, 2.0) == [6]


def test_a_hold_that_nobody_was_told_of_is_let_go_of_without_a_word() -> None:
    lane = connected(taken=4, head=9)
    send(lane)
    lane.answered(5, NOBODY, 0.0)
    lane.lost(1.0, None, others=False)
    assert lane.connected(65_535, 2.0, after=6) == []
    assert send(lane, 2.0) == [7]


def test_a_dead_letter_that_is_recorded_while_the_lane_is_farther_back_frees_it() -> None:
    lane = connected(taken=4, head=9)
    lane.unsendable(5, 0.0)
    lane.lost(1.0, None, others=False)
    lane.connected(65_535, 2.0, after=3)
    assert lane.skip(5) == [Freed(5)]
    for seq in (4, 5):
        assert send(lane, 2.0) == [seq]
        lane.answered(seq, SUCCESS, 2.0)
    assert send(lane, 2.0) == [6, 7, 8, 9]


ANSWERS = st.sampled_from(["taken", "taken", "taken", "nobody", "denied", "break", "lost answer"])


@pytest.mark.fault("thingsboard/thingsboard-gateway#2098")
@given(script=st.lists(ANSWERS, max_size=120), receive_maximum=st.integers(1, 30), head=st.integers(0, 40))
def test_whatever_the_broker_does_a_consumer_of_the_next_sequence_gets_all_of_them_once_in_order(
    script: list[str], receive_maximum: int, head: int
) -> None:
    lane = Lane(0)
    lane.committed(head)
    taken: list[int] = []
    answers = iter(script)
    now = 0.0
    for _ in range(1000):
        if lane.idle:
            break
        now += 3.0  # long after anything was sent: no break is the event's fault
        lane.connected(receive_maximum, now)
        on_their_way: list[int] = []
        while not lane.idle:
            on_their_way += send(lane, now)
            assert len(on_their_way) <= min(20, receive_maximum)
            if not on_their_way:
                now += 31.0
                continue
            answer = next(answers, "taken")
            if answer == "break":
                break
            seq = on_their_way.pop(0)
            heard = answer in ("taken", "lost answer")
            if heard and seq == len(taken) + 1:
                taken.append(seq)
            if answer == "lost answer":
                break
            now += 3.0
            lane.answered(seq, {"taken": SUCCESS, "nobody": NOBODY, "denied": DENIED}[answer], now)
            assert lane.taken <= len(taken)
        if not lane.idle:
            lane.lost(now + 3.0, None, others=False)
    assert taken == list(range(1, head + 1))
