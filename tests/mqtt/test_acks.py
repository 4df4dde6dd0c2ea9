"""What a consumer may say that it has, and what is said of it when it may not."""

from __future__ import annotations

import pytest

from felt_daemon.publisher.acks import Ack, Refused, Told, Why, read

EPOCH = "271807caf0e4ea9b"


def said(sequence: object, epoch: object = EPOCH) -> bytes:
    text = f'"{sequence}"' if isinstance(sequence, str) else str(sequence)
    return f'{{"epoch": "{epoch}", "sequence": {text}}}'.encode()


def understood(payload: bytes, consumer: str = "pit", head: int = 123) -> Ack | Refused:
    return read(consumer, payload, consumers={"pit"}, epoch=EPOCH, head=head)


@pytest.mark.parametrize(
    ("sequence", "seq"), [("00000000000000000000", 0), ("00000000000000000007", 7), (f"{123:020d}", 123)]
)
def test_a_sequence_up_to_the_last_row_is_taken(sequence: str, seq: int) -> None:
    assert understood(said(sequence)) == Ack("pit", seq)


def test_fields_that_this_release_does_not_know_are_passed_over() -> None:
    payload = b'{"epoch":"%s","sequence":"00000000000000000007","since":"noon"}' % EPOCH.encode()
    assert understood(payload) == Ack("pit", 7)


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (said(f"{124:020d}"), "above-head"),
        (said(f"{7:020d}", "0000000000000000"), "other-epoch"),
        (said("7"), "malformed"),
        (said(f"{7:021d}"), "malformed"),
        (said("-0000000000000000007"), "malformed"),
        (said("0000000000000000000\u0667"), "malformed"),
        (said(7), "malformed"),
        (b"{}", "malformed"),
        (b'{"epoch": 7, "sequence": "00000000000000000007"}', "malformed"),
        (b"[]", "malformed"),
        (b"no JSON", "malformed"),
        (b"\xff\xfe", "malformed"),
        (b"[" * 1000, "malformed"),
        (said(f"{7:020d}") + b" " * 1024, "malformed"),
    ],
)
def test_what_cannot_be_is_refused_with_a_word_for_it(payload: bytes, why: Why) -> None:
    refused = understood(payload)
    assert isinstance(refused, Refused)
    assert (refused.consumer, refused.why) == ("pit", why)


def test_whom_the_configuration_does_not_name_is_refused_whatever_it_says() -> None:
    assert understood(b"x", consumer="bar") == Refused("bar", "unknown-consumer", "x")


def test_what_is_kept_of_a_refused_one_is_short_and_can_be_shown() -> None:
    refused = understood(b"\x1b[2J" + b"y" * 100, consumer="\n" * 70)
    assert refused == Refused("?" * 64, "unknown-consumer", "?[2J" + "y" * 60)


# Told once, and never in a flood: each is a row of the journal for ever.


def one(number: int) -> Refused:
    return Refused("pit", "malformed", str(number))


def test_the_same_refusal_is_told_once() -> None:
    told = Told(0.0)
    assert told.fresh(one(1), 0.0)
    assert not told.fresh(one(1), 1e6)
    assert told.fresh(Refused("pit", "other-epoch", "1"), 1e6)


def test_of_a_flood_of_different_ones_twenty_are_told_and_then_one_a_minute() -> None:
    told = Told(0.0)
    assert sum(told.fresh(one(number), 0.0) for number in range(1000)) == 20
    assert not told.fresh(one(2000), 59.0)
    assert told.fresh(one(2000), 60.0)
    assert not told.fresh(one(2001), 61.0)


def test_what_is_remembered_of_them_has_a_bound() -> None:
    told = Told(0.0)
    for number in range(513):
        assert told.fresh(one(number), 60.0 * number)
    assert not told.fresh(one(1), 1e6)  # it moves to the end
    assert told.fresh(one(0), 1e6)  # forgotten
    assert not told.fresh(one(1), 1e6)
