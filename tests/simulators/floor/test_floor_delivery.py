"""Which row a simulated table sends next: the machine alone, by a clock that the test moves."""

from __future__ import annotations

from felt_simulators.floor.delivery import AHEAD, REACH, STALL_S, WINDOW, WINDOW_AGAIN, Delivery

NOBODY, REFUSED = 0x10, 0x87


def connected(head: int, acked: int = 0, receive_maximum: int = 100) -> Delivery:
    one = Delivery(head=head, acked=acked)
    one.connected(receive_maximum, 0.0)
    return one


def sent(one: Delivery, now: float = 0.0) -> list[int]:
    """What goes out on the common stream."""
    return [seq for way, seq in one.ready(now) if way == "event"]


def told_again(one: Delivery, now: float = 0.0) -> list[int]:
    """What goes out on the consumer's own topic."""
    return [seq for way, seq in one.ready(now) if way == "replay"]


def answer(one: Delivery, seqs: list[int], code: int = 0, now: float = 0.0) -> None:
    for seq in seqs:
        one.answered("event", seq, code, now)


def all_sent(one: Delivery) -> list[int]:
    """Let everything out that goes out without an acknowledgement, and the broker say yes to all of it.

    Gives what went out on the common stream.
    """
    out: list[int] = []
    while more := list(one.ready(0.0)):
        for way, seq in more:
            one.answered(way, seq, 0, 0.0)
        out += [seq for way, seq in more if way == "event"]
    return out


def test_rows_go_out_in_order_and_no_more_than_fit_the_window() -> None:
    one = connected(head=50)
    assert sent(one) == list(range(1, WINDOW + 1))
    assert sent(one) == []
    answer(one, [1, 2, 3])
    assert sent(one) == [21, 22, 23]


def test_a_broker_that_takes_fewer_gets_fewer() -> None:
    assert sent(connected(head=50, receive_maximum=5)) == [1, 2, 3, 4, 5]


def test_nothing_goes_out_far_beyond_what_the_consumer_has() -> None:
    one = connected(head=3 * AHEAD)
    assert all_sent(one) == list(range(1, AHEAD + 1))
    assert one.heard(100, 1.0, retained=False)
    assert all_sent(one) == list(range(AHEAD + 1, AHEAD + 101))


def test_after_a_connection_it_goes_on_behind_what_the_consumer_has() -> None:
    one = connected(head=30)
    assert all_sent(one) == list(range(1, 31))
    one.heard(10, 1.0, retained=False)
    one.lost()
    assert sent(one) == []
    one.connected(100, 2.0)
    assert sent(one) == list(range(11, 31))


def test_a_row_that_nobody_hears_is_tried_again_alone_and_the_others_after_it() -> None:
    one = connected(head=5)
    assert sent(one) == [1, 2, 3, 4, 5]
    answer(one, [1])
    one.answered("event", 2, NOBODY, 1.0)
    answer(one, [3, 4])
    assert sent(one, 5.0) == []  # the fifth is still on its way
    answer(one, [5])
    assert sent(one, 1.9) == []
    assert sent(one, 2.1) == [2]
    answer(one, [2])
    assert sent(one, 2.1) == [3, 4, 5]


def test_a_refused_row_waits_longer() -> None:
    one = connected(head=1)
    assert sent(one) == [1]
    one.answered("event", 1, REFUSED, 1.0)
    assert sent(one, 2.9) == []
    assert sent(one, 3.1) == [1]


def test_a_consumer_that_comes_frees_a_row_that_nobody_heard() -> None:
    one = connected(head=2)
    assert sent(one) == [1, 2]
    one.answered("event", 1, NOBODY, 1.0)
    one.answered("event", 2, NOBODY, 1.0)
    assert one.heard(0, 1.2, retained=False)
    assert sent(one, 1.2) == [1]
    assert one.heard(1, 1.3, retained=False)
    assert sent(one, 1.3) == [2]


def test_who_repeats_its_acknowledgement_is_told_the_rest_again() -> None:
    one = connected(head=30)
    all_sent(one)
    one.heard(10, 1.0, retained=False)
    assert told_again(one, 1.0) == []
    one.heard(10, 2.0, retained=False)
    assert told_again(one, 2.0) == list(range(11, 11 + WINDOW_AGAIN))
    for seq in range(11, 21):
        one.answered("replay", seq, 0, 2.1)
    assert told_again(one, 2.1) == list(range(21, 31))
    for seq in range(21, 31):
        one.answered("replay", seq, 0, 2.2)
    assert told_again(one, 2.2) == []
    assert one.again == 20


def test_what_happens_after_it_was_asked_is_not_told_twice() -> None:
    one = connected(head=10)
    all_sent(one)
    one.heard(5, 1.0, retained=False)
    one.heard(5, 1.1, retained=False)
    one.head = 12
    assert list(one.ready(1.1)) == [
        ("event", 11),
        ("event", 12),
        *(("replay", seq) for seq in (6, 7, 8, 9, 10)),
    ]


def test_it_is_told_again_no_more_than_once_in_two_seconds() -> None:
    one = connected(head=3)
    all_sent(one)
    one.heard(0, 1.0, retained=False)
    assert told_again(one, 1.0) == [1, 2, 3]
    for seq in (1, 2, 3):
        one.answered("replay", seq, 0, 1.0)
    one.heard(0, 1.5, retained=False)
    assert told_again(one, 1.5) == []
    one.elapsed(2.9)
    assert told_again(one, 2.9) == []
    one.elapsed(3.1)
    assert told_again(one, 3.1) == [1, 2, 3]


def test_nobody_at_the_own_topic_ends_it_until_the_consumer_says_something() -> None:
    one = connected(head=30)
    all_sent(one)
    one.heard(0, 1.0, retained=False)
    first = told_again(one, 1.0)
    one.answered("replay", first[0], NOBODY, 1.1)
    for seq in first[1:]:
        one.answered("replay", seq, 0, 1.1)
    assert told_again(one, 1.2) == []
    one.heard(2, 9.0, retained=False)
    assert told_again(one, 9.0) == list(range(11, 21))


def test_an_acknowledgement_that_was_kept_is_no_question() -> None:
    one = connected(head=5)
    all_sent(one)
    assert one.heard(0, 1.0, retained=True)
    assert told_again(one, 9.0) == []


def test_nobody_has_what_there_is_not() -> None:
    one = connected(head=5)
    assert not one.heard(6, 1.0, retained=False)
    assert (one.acked, one.refused_acks) == (0, 1)


def test_a_silent_consumer_keeps_nothing_back_and_is_told_all_once_it_speaks() -> None:
    one = connected(head=2 * AHEAD)
    all_sent(one)
    one.elapsed(STALL_S - 1)
    assert not one.behind
    one.elapsed(STALL_S + 1)
    assert one.behind
    assert not one.delivered
    assert all_sent(one) == list(range(AHEAD + 1, 2 * AHEAD + 1))


def test_who_lacks_more_than_its_reach_catches_up_beside_what_happens() -> None:
    one = connected(head=REACH + 10)
    for acked in range(0, REACH + 10, AHEAD):
        one.heard(acked, 1.0, retained=True)
        all_sent(one)
    one.lost()
    one.heard(3, 2.0, retained=True)
    one.head += 2
    one.connected(100, 2.0)
    assert one.behind
    assert list(one.ready(2.0)) == [
        ("event", REACH + 11),
        ("event", REACH + 12),
        *(("replay", seq) for seq in range(4, 4 + WINDOW_AGAIN)),
    ]


def test_who_has_caught_up_is_as_good_as_the_others() -> None:
    one = connected(head=3)
    all_sent(one)
    one.elapsed(STALL_S + 1)
    assert one.behind
    assert told_again(one, 40.0) == [1, 2, 3]
    for seq in (1, 2, 3):
        one.answered("replay", seq, 0, 40.0)
    assert told_again(one, 40.0) == []
    one.heard(3, 41.0, retained=False)
    assert not one.behind
    assert one.delivered
