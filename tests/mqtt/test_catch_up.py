"""What is sent to one consumer beside the common stream. No clock, no broker."""

from __future__ import annotations

import pytest

from felt_daemon.publisher.catch_up import CatchUp, Ordered

SUCCESS = 0x00
NOBODY = 0x10
DENIED = 0x87


def begun(position: int, ahead: int = 5) -> CatchUp:
    catch_up = CatchUp(ahead)
    catch_up.begin(position)
    return catch_up


def send(catch_up: CatchUp, position: int, until: int = 100, room: int = 10) -> list[int]:
    seqs = list(catch_up.ready(room, position, until))
    for seq in seqs:
        catch_up.sent(seq)
    return seqs


def test_nothing_is_sent_before_it_begins() -> None:
    catch_up = CatchUp(5)
    assert not catch_up.on
    assert send(catch_up, 0) == []


def test_it_goes_so_far_beyond_the_position_and_waits_for_the_consumer() -> None:
    catch_up = begun(10)
    assert send(catch_up, 10) == [11, 12, 13, 14, 15]
    assert send(catch_up, 10) == []
    catch_up.moved(12)
    assert send(catch_up, 12) == [16, 17]


def test_it_sends_no_more_than_there_is_room_for_and_nothing_that_the_common_stream_has_not_sent() -> None:
    catch_up = begun(10)
    assert send(catch_up, 10, room=2) == [11, 12]
    assert catch_up.on_their_way == 2
    assert send(catch_up, 10, room=0) == []
    assert send(catch_up, 10, until=13) == [13]
    assert send(catch_up, 10, until=13) == []


def test_what_the_consumer_has_by_now_is_left_out() -> None:
    catch_up = begun(10)
    send(catch_up, 10, room=1)
    catch_up.moved(14)
    assert send(catch_up, 14, room=2) == [15, 16]


def test_it_knows_what_the_broker_took_since_it_began() -> None:
    catch_up = begun(10)
    send(catch_up, 10)
    catch_up.answered(12, SUCCESS)
    catch_up.answered(11, SUCCESS)
    assert (catch_up.out, catch_up.on_their_way) == (12, 3)
    catch_up.begin(10)
    assert catch_up.out == 0
    assert send(catch_up, 10, room=1) == [11]


@pytest.mark.parametrize(("code", "word"), [(NOBODY, "unheard"), (DENIED, "refused")])
def test_it_stops_when_nobody_listens_and_when_it_is_refused_until_it_begins_again(
    code: int, word: str
) -> None:
    catch_up = begun(10)
    send(catch_up, 10, room=1)
    catch_up.answered(11, code)
    assert catch_up.stopped == word
    assert send(catch_up, 10) == []
    catch_up.begin(10)
    assert send(catch_up, 10, room=1) == [11]


def test_a_refusal_that_comes_after_its_end_is_not_forgotten() -> None:
    catch_up = begun(10)
    send(catch_up, 10, room=1)
    catch_up.end()
    assert send(catch_up, 10) == []
    catch_up.answered(11, NOBODY)
    assert (catch_up.on, catch_up.stopped) == (True, "unheard")
    catch_up.end()
    assert (catch_up.on, catch_up.stopped) == (False, "")


def test_a_broken_connection_takes_along_what_was_on_its_way() -> None:
    catch_up = begun(10)
    send(catch_up, 10)
    catch_up.answered(11, SUCCESS)
    catch_up.lost()
    assert (catch_up.on_their_way, catch_up.out) == (0, 0)


# What a command asked for.


def take(ordered: Ordered, now: float, room: int = 1000) -> list[int]:
    seqs = list(ordered.ready(room, now))
    for seq in seqs:
        ordered.sent(seq, now)
    return seqs


def test_of_what_was_ordered_fifty_go_at_once_and_five_hundred_a_second_after_that() -> None:
    ordered = Ordered(1, 10_000, 100.0)
    assert take(ordered, 100.0) == list(range(1, 51))
    assert take(ordered, 100.0) == []
    assert ordered.due() == pytest.approx(100.02)
    assert take(ordered, 100.02) == list(range(51, 61))
    assert len(take(ordered, 100.2)) == 90


def test_time_in_which_nothing_could_be_sent_gives_no_right_to_a_flood() -> None:
    ordered = Ordered(1, 10_000, 100.0)
    assert take(ordered, 200.0, room=1) == [1]
    assert len(take(ordered, 200.0)) <= 50


def test_an_order_is_over_when_all_of_it_was_taken() -> None:
    ordered = Ordered(7, 8, 100.0)
    assert take(ordered, 100.0, room=1) == [7]
    assert ordered.due() is not None
    assert take(ordered, 100.0) == [8]
    assert ordered.due() is None
    ordered.answered(7, SUCCESS)
    assert (ordered.over, ordered.on_their_way) == (False, 1)
    ordered.answered(8, SUCCESS)
    assert ordered.over


def test_an_order_that_nobody_takes_is_over_too() -> None:
    ordered = Ordered(7, 80, 100.0)
    assert take(ordered, 100.0, room=2) == [7, 8]
    ordered.answered(7, NOBODY)
    assert take(ordered, 101.0) == []
    assert not ordered.over
    ordered.answered(8, NOBODY)
    assert ordered.over


def test_what_was_on_its_way_when_the_connection_broke_goes_again() -> None:
    ordered = Ordered(7, 80, 100.0)
    take(ordered, 100.0, room=4)  # 7 to 10
    ordered.answered(7, SUCCESS)
    ordered.lost()
    assert ordered.on_their_way == 0
    assert take(ordered, 101.0, room=2) == [8, 9]


def test_a_break_with_nothing_on_its_way_changes_nothing() -> None:
    ordered = Ordered(7, 80, 100.0)
    take(ordered, 100.0, room=1)
    ordered.answered(7, SUCCESS)
    ordered.lost()
    assert take(ordered, 101.0, room=1) == [8]


def test_what_is_on_its_way_twice_takes_two_places_until_both_are_answered() -> None:
    catch_up = begun(10)
    assert send(catch_up, 10, room=2) == [11, 12]
    catch_up.begin(10)
    assert send(catch_up, 10, room=1) == [11]
    assert catch_up.on_their_way == 3
    catch_up.answered(11, SUCCESS)
    catch_up.answered(12, SUCCESS)
    assert catch_up.on_their_way == 1
    catch_up.answered(11, SUCCESS)
    catch_up.answered(11, SUCCESS)
    assert catch_up.on_their_way == 0
