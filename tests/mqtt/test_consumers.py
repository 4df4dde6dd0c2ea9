"""Where consumers stand, whom the common stream waits for, who is sent what it lacks. No clock, no broker."""

from __future__ import annotations

import pytest

from felt_daemon.publisher.consumers import Consumer, Consumers, Item, Returned, Suspended

SUCCESS = 0x00
NOBODY = 0x10
DENIED = 0x87
DAY_S = 86_400.0


def floor(reached: int = 0, suspended: tuple[str, ...] = (), **at: int) -> Consumers:
    """Consumers at these positions, on a connection on which all up to `reached` was sent."""
    consumers = Consumers(at, suspended, reached, 0.0)
    consumers.resumed(consumers.resume_after(), 0.0)
    consumers.went(reached, reached, 0.0)
    return consumers


def standings(consumers: Consumers) -> dict[str, str]:
    return {one.id: one.standing for one in consumers}


def acked(consumers: Consumers, name: str, seq: int, now: float) -> list[Item]:
    return consumers.acked(name, seq, now, retained=False)


def catch(consumers: Consumers, name: str, until: int, now: float, code: int = SUCCESS) -> list[int]:
    """Send a consumer all that may go to it beside, or one event that is refused, and have it answered."""
    one = consumers.of(name)
    seqs = list(one.catch_up.ready(10_000 if code == SUCCESS else 1, one.position, until))
    for seq in seqs:
        one.catch_up.sent(seq)
        consumers.went(until, until, now)
    for seq in seqs:
        consumers.caught(one, seq, code, now)
    return seqs


def sends(one: Consumer, until: int) -> list[int]:
    return list(one.catch_up.ready(10_000, one.position, until))


# Nobody.


def test_without_consumers_nothing_is_waited_for_and_what_the_broker_took_is_delivered() -> None:
    consumers = floor(reached=7)
    assert consumers.limit() is None
    assert (consumers.resume_after(), consumers.delivered()) == (7, 7)
    consumers.went(9, 8, 1.0)
    assert (consumers.resume_after(), consumers.delivered()) == (8, 8)
    assert consumers.due() is None


# Current.


def test_the_lowest_of_the_current_ones_says_how_far_it_goes_and_what_is_delivered() -> None:
    consumers = floor(reached=1000, pit=900, rating=950)
    assert consumers.limit() == 1400
    assert consumers.delivered() == 900
    assert consumers.resume_after() == 900
    acked(consumers, "pit", 980, 1.0)
    assert consumers.limit() == 1450
    assert consumers.delivered() == 950


def test_who_is_within_two_thousand_of_what_the_broker_took_begins_as_current() -> None:
    consumers = Consumers({"near": 1000, "far": 999}, (), 3000, 0.0)
    assert standings(consumers) == {"near": "current", "far": "behind"}
    assert consumers.resume_after() == 1000
    assert consumers.delivered() == 999


def test_a_current_one_that_moves_holds_for_ever() -> None:
    consumers = floor(pit=0)
    consumers.went(500, 500, 0.0)
    for second in range(0, 300, 29):
        acked(consumers, "pit", second + 1, float(second))
        consumers.elapsed(float(second))
    assert standings(consumers) == {"pit": "current"}


def test_a_current_one_that_stands_still_with_events_out_is_behind_after_thirty_seconds() -> None:
    consumers = floor(pit=0, rating=0)
    consumers.went(500, 0, 1.0)
    assert consumers.due() == DAY_S  # nothing is out yet
    consumers.went(500, 500, 2.0)
    acked(consumers, "rating", 500, 3.0)
    assert consumers.due() == pytest.approx(32.0)
    consumers.elapsed(31.9)
    assert consumers.limit() == 500
    consumers.elapsed(32.0)
    assert standings(consumers) == {"pit": "behind", "rating": "current"}
    assert consumers.limit() == 1000
    assert sends(consumers.of("pit"), 500) == list(range(1, 501))


def test_who_has_everything_that_is_out_may_be_silent() -> None:
    consumers = floor(reached=500, pit=500)
    consumers.elapsed(3600.0)
    assert standings(consumers) == {"pit": "current"}
    consumers.went(501, 501, 4000.0)
    assert consumers.due() == pytest.approx(4030.0)


def test_an_acknowledgement_that_goes_to_and_fro_does_not_count_as_moving() -> None:
    consumers = floor(pit=0)
    consumers.went(500, 500, 0.0)
    acked(consumers, "pit", 2, 1.0)
    for second in range(2, 31, 2):
        acked(consumers, "pit", 1, float(second))
        acked(consumers, "pit", 2, float(second) + 1)
    consumers.elapsed(31.0)
    assert standings(consumers) == {"pit": "behind"}


# Asking again.


def test_who_says_the_same_again_is_sent_what_follows_and_stays_current() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    acked(consumers, "pit", 10, 1.0)
    acked(consumers, "pit", 10, 2.0)
    assert sends(consumers.of("pit"), 40) == list(range(11, 41))
    assert standings(consumers) == {"pit": "current"}
    assert consumers.limit() == 510


def test_who_says_less_than_before_is_sent_what_follows_that() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    acked(consumers, "pit", 40, 1.0)
    acked(consumers, "pit", 20, 2.0)
    assert consumers.of("pit").position == 20
    assert consumers.delivered() == 20
    assert sends(consumers.of("pit"), 40) == list(range(21, 41))


def test_who_lacks_nothing_that_was_sent_is_sent_nothing() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    acked(consumers, "pit", 40, 1.0)
    acked(consumers, "pit", 40, 2.0)
    assert sends(consumers.of("pit"), 40) == []
    consumers.went(41, 40, 3.0)
    assert sends(consumers.of("pit"), 41) == []


def test_who_is_set_back_farther_than_two_thousand_holds_nobody() -> None:
    consumers = floor(reached=5000, pit=5000)
    acked(consumers, "pit", 2999, 1.0)
    assert standings(consumers) == {"pit": "behind"}
    assert consumers.limit() is None
    assert sends(consumers.of("pit"), 5000) == list(range(3000, 3500))


def test_asking_again_within_two_seconds_is_put_off_and_not_forgotten() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    acked(consumers, "pit", 0, 1.0)
    assert catch(consumers, "pit", 40, 1.0) == list(range(1, 41))
    acked(consumers, "pit", 0, 2.0)
    assert sends(consumers.of("pit"), 40) == []
    assert consumers.due() == pytest.approx(3.0)
    consumers.elapsed(2.9)
    assert sends(consumers.of("pit"), 40) == []
    consumers.elapsed(3.0)
    assert len(sends(consumers.of("pit"), 40)) == 40


def test_who_moves_on_meanwhile_no_longer_asks() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    acked(consumers, "pit", 0, 1.0)
    catch(consumers, "pit", 40, 1.0)
    acked(consumers, "pit", 0, 2.0)
    acked(consumers, "pit", 5, 2.5)
    consumers.elapsed(3.0)
    assert sends(consumers.of("pit"), 40) == []


# Behind.


def behind(now: float = 30.0) -> Consumers:
    """Pit stands still at 0, and 500 are out."""
    consumers = floor(pit=0)
    consumers.went(500, 500, 0.0)
    consumers.elapsed(now)
    assert standings(consumers) == {"pit": "behind"}
    return consumers


def test_who_is_behind_is_current_once_it_has_what_was_sent_when_both_streams_met() -> None:
    consumers = behind()
    consumers.went(700, 700, 31.0)
    assert catch(consumers, "pit", 700, 31.0) == list(range(1, 501))
    acked(consumers, "pit", 300, 32.0)
    assert catch(consumers, "pit", 700, 32.0) == list(range(501, 701))
    assert standings(consumers) == {"pit": "behind"}
    consumers.went(710, 710, 33.0)  # this comes by the common stream
    assert sends(consumers.of("pit"), 710) == []
    acked(consumers, "pit", 699, 34.0)
    assert standings(consumers) == {"pit": "behind"}
    acked(consumers, "pit", 700, 35.0)
    assert standings(consumers) == {"pit": "current"}
    assert consumers.limit() == 1200


def test_who_is_current_again_and_stands_still_from_then_on_holds_others_for_thirty_seconds() -> None:
    consumers = behind()
    catch(consumers, "pit", 500, 30.0)
    consumers.went(510, 510, 33.0)
    # The common stream goes no farther than pit allows, so that nothing goes out meanwhile.
    acked(consumers, "pit", 500, 35.0)
    assert (standings(consumers), consumers.limit(), consumers.due()) == ({"pit": "current"}, 1000, 65.0)
    consumers.elapsed(65.0)
    assert (standings(consumers), consumers.limit()) == ({"pit": "behind"}, None)


def test_what_is_sent_in_vain_is_sent_again_with_pauses_that_double_up_to_ten_minutes() -> None:
    consumers = behind()
    now = 30.0
    pauses = []
    for _ in range(7):
        assert catch(consumers, "pit", 500, now) == list(range(1, 501))
        due = consumers.due()
        assert due is not None
        pauses.append(due - now)
        now = due
        consumers.elapsed(now)
    assert pauses == [30.0, 60.0, 120.0, 240.0, 480.0, 600.0, 600.0]
    assert standings(consumers) == {"pit": "behind"}


def test_who_moves_while_behind_is_given_thirty_seconds_again() -> None:
    consumers = behind()
    catch(consumers, "pit", 500, 30.0)
    consumers.elapsed(60.0)
    catch(consumers, "pit", 500, 60.0)
    acked(consumers, "pit", 1, 70.0)
    assert consumers.due() == pytest.approx(100.0)


def test_where_nobody_listens_it_is_waited_until_the_consumer_is_heard() -> None:
    consumers = behind()
    catch(consumers, "pit", 500, 31.0, NOBODY)
    assert sends(consumers.of("pit"), 500) == []
    assert consumers.due() == DAY_S
    acked(consumers, "pit", 3, 1000.0)
    assert sends(consumers.of("pit"), 500)[0] == 4


def test_a_refusal_is_tried_again_after_the_pause() -> None:
    consumers = behind()
    catch(consumers, "pit", 500, 31.0, DENIED)
    assert sends(consumers.of("pit"), 500) == []
    assert consumers.due() == pytest.approx(61.0)
    consumers.elapsed(61.0)
    assert sends(consumers.of("pit"), 500)[0] == 1


def test_a_current_one_that_cannot_be_reached_beside_holds_nobody() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    acked(consumers, "pit", 0, 1.0)
    catch(consumers, "pit", 40, 1.0, NOBODY)
    assert standings(consumers) == {"pit": "behind"}
    assert consumers.limit() is None


def test_a_refusal_of_what_the_consumer_has_by_now_means_nothing() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    acked(consumers, "pit", 0, 1.0)
    pit = consumers.of("pit")
    for seq in sends(pit, 40):
        pit.catch_up.sent(seq)
    acked(consumers, "pit", 40, 2.0)
    consumers.caught(pit, 1, NOBODY, 3.0)
    assert standings(consumers) == {"pit": "current"}
    assert not pit.catch_up.on


def test_who_has_all_although_nothing_reached_it_beside_is_current_again() -> None:
    consumers = behind()
    catch(consumers, "pit", 500, 31.0, NOBODY)
    acked(consumers, "pit", 500, 40.0)
    assert standings(consumers) == {"pit": "current"}


# Suspended.


def test_who_is_not_heard_for_a_day_is_suspended_and_waited_for_by_nobody() -> None:
    consumers = floor(reached=500, pit=400, rating=500)
    acked(consumers, "rating", 500, 80_000.0)
    assert consumers.elapsed(DAY_S - 0.1) == []
    assert consumers.elapsed(DAY_S) == [Suspended("pit", 400)]
    assert consumers.elapsed(DAY_S) == []
    assert standings(consumers) == {"pit": "suspended", "rating": "current"}
    assert (consumers.delivered(), consumers.limit()) == (500, 1000)
    assert sends(consumers.of("pit"), 500) == []


def test_when_all_are_suspended_what_the_broker_took_is_delivered() -> None:
    consumers = floor(reached=500, suspended=("pit",), pit=400)
    assert (consumers.delivered(), consumers.resume_after(), consumers.limit()) == (500, 500, None)
    assert consumers.due() is None


@pytest.mark.parametrize(("position", "standing"), [(4500, "current"), (1000, "behind")])
def test_who_was_suspended_and_is_heard_is_sent_what_it_lacks(position: int, standing: str) -> None:
    consumers = floor(reached=5000, suspended=("pit",), pit=900)
    assert acked(consumers, "pit", position, 7.0) == [Returned("pit", position)]
    assert standings(consumers) == {"pit": standing}
    assert sends(consumers.of("pit"), 5000)[0] == position + 1


def test_a_suspended_one_that_lacks_nothing_is_current_at_once() -> None:
    consumers = floor(reached=5000, suspended=("pit",), pit=900)
    assert acked(consumers, "pit", 5000, 7.0) == [Returned("pit", 5000)]
    assert standings(consumers) == {"pit": "current"}
    assert sends(consumers.of("pit"), 5000) == []


def test_an_answer_that_comes_after_the_suspension_starts_nothing() -> None:
    consumers = behind()
    pit = consumers.of("pit")
    for seq in sends(pit, 1):
        pit.catch_up.sent(seq)
    consumers.elapsed(DAY_S)
    consumers.caught(pit, 1, NOBODY, DAY_S + 1)
    assert not pit.catch_up.on


# Connections.


def test_time_without_a_connection_does_not_count_against_anybody() -> None:
    consumers = floor(reached=500, pit=400)
    consumers.lost(1000.0)
    assert consumers.due() is None
    assert consumers.elapsed(10 * DAY_S) == []
    consumers.resumed(400, 10 * DAY_S)
    assert consumers.elapsed(11 * DAY_S - 1000.1) == []
    assert consumers.elapsed(11 * DAY_S - 1000.0) == [Suspended("pit", 400)]


def test_a_connection_that_was_lost_before_events_went_out_counts_as_none() -> None:
    consumers = floor(reached=500, pit=400)
    consumers.lost(1000.0)
    consumers.lost(2000.0)
    consumers.resumed(400, 3000.0)
    assert consumers.due() == pytest.approx(DAY_S + 2000.0)


def test_on_a_new_connection_the_common_stream_brings_current_ones_what_they_asked_for() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    acked(consumers, "pit", 0, 1.0)
    consumers.lost(2.0)
    consumers.resumed(consumers.resume_after(), 3.0)
    assert sends(consumers.of("pit"), 40) == []


def test_on_a_new_connection_who_is_behind_is_sent_from_its_position_on() -> None:
    consumers = behind()
    catch(consumers, "pit", 500, 31.0)
    acked(consumers, "pit", 100, 32.0)
    consumers.lost(33.0)
    assert consumers.resume_after() == 500
    consumers.resumed(500, 34.0)
    assert sends(consumers.of("pit"), 500)[0] == 101


def test_a_position_that_the_broker_kept_counts_when_it_is_higher_and_asks_for_nothing() -> None:
    consumers = floor(pit=0)
    consumers.went(40, 40, 0.0)
    assert consumers.acked("pit", 30, 1.0, retained=True) == []
    assert consumers.of("pit").position == 30
    consumers.acked("pit", 30, 2.0, retained=True)
    assert sends(consumers.of("pit"), 40) == []


def test_a_position_that_was_set_back_while_nobody_listened_is_where_the_consumer_is() -> None:
    consumers = floor(reached=5000, pit=5000, rating=5000, old=5000)
    consumers.lost(1.0)
    assert consumers.acked("pit", 4000, 2.0, retained=True) == []
    assert consumers.acked("old", 1000, 2.0, retained=True) == []
    assert standings(consumers) == {"pit": "current", "rating": "current", "old": "behind"}
    assert consumers.resume_after() == 4000
    consumers.resumed(4000, 3.0)
    assert sends(consumers.of("old"), 5000)[0] == 1001
    assert consumers.acked("rating", 4990, 4.0, retained=True) == []
    consumers.went(5000, 5000, 5.0)
    assert consumers.of("rating").position == 4990


def test_a_suspended_one_that_was_set_back_stays_suspended() -> None:
    consumers = floor(reached=500, suspended=("pit",), pit=100)
    assert consumers.acked("pit", 50, 1.0, retained=True) == []
    assert standings(consumers) == {"pit": "suspended"}
    assert consumers.of("pit").position == 50
    assert sends(consumers.of("pit"), 500) == []


def test_a_position_that_the_broker_kept_is_no_sign_of_life() -> None:
    consumers = floor(reached=500, suspended=("pit",), pit=100, rating=500)
    assert consumers.acked("pit", 200, 1.0, retained=True) == []
    assert standings(consumers)["pit"] == "suspended"
    assert consumers.acked("rating", 500, DAY_S - 1, retained=True) == []
    assert consumers.elapsed(DAY_S) == [Suspended("rating", 500)]


def test_who_is_heard_between_two_connections_is_where_the_next_one_begins() -> None:
    consumers = behind()
    consumers.lost(40.0)
    acked(consumers, "pit", 0, 41.0)
    assert standings(consumers) == {"pit": "current"}
    assert consumers.resume_after() == 0


def test_there_are_no_others() -> None:
    consumers = floor(pit=0)
    assert "pit" in consumers
    assert "bar" not in consumers
