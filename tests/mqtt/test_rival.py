"""What a table's own status at the broker tells of somebody else who speaks for it."""

from __future__ import annotations

import json

import pytest

from felt_daemon.publisher.rival import Rival

EPOCH = "271807caf0e4ea9b"
NOON = "2026-12-01T12:00:00.000000Z"
EVENING = "2026-12-01T18:00:00.000000Z"
MORNING = "2026-12-01T06:00:00.000000Z"


def status(start: str, since: str = EVENING, epoch: str = EPOCH) -> bytes:
    return json.dumps({"online": True, "start": start, "epoch": epoch, "since": since}).encode()


def born() -> Rival:
    """What is known once the broker has given back what this run says."""
    rival = Rival("run-2", EPOCH)
    rival.heard(status("run-2", NOON), 10.0)
    return rival


@pytest.mark.parametrize(
    "other",
    [status("run-9"), status("run-2", epoch="9e3b51902c86b7a4"), status("run-9").replace(b"true", b"false")],
    ids=["another run", "a copy of this run's box with another journal", "another run that was thrown out"],
)
def test_another_run_in_the_place_of_ours_is_another_client_for_three_minutes(other: bytes) -> None:
    rival = born()
    assert not rival.lately(10.0)
    rival.heard(other, 20.0)
    assert rival.lately(20.0)
    assert rival.lately(199.9)
    assert not rival.lately(200.0)


def test_the_run_before_this_one_is_nobody_else() -> None:
    rival = Rival("run-2", EPOCH)
    rival.heard(status("run-1"), 10.0)
    assert not rival.lately(10.0)


@pytest.mark.parametrize("since", [NOON, MORNING], ids=["what was kept", "what was kept before that"])
def test_a_broker_that_falls_back_on_what_it_kept_long_ago_shows_nobody_else(since: str) -> None:
    rival = Rival("run-2", EPOCH)
    rival.heard(status("run-1", NOON), 10.0)
    rival.heard(status("run-2", EVENING), 11.0)
    rival.heard(status("run-0", since), 20.0)
    assert not rival.lately(20.0)
    rival.heard(status("run-9", EVENING), 21.0)
    assert rival.lately(21.0)


def test_the_will_of_the_connection_that_is_there_shows_that_another_one_was_thrown_out_for_it() -> None:
    rival = Rival("run-2", EPOCH)
    rival.connecting(NOON)
    will = {"online": False, "start": "run-2", "epoch": EPOCH, "since": NOON, "reason": "lost"}
    for harmless in ({**will, "reason": "renewing"}, {**will, "since": MORNING}):
        rival.heard(json.dumps(harmless).encode(), 20.0)
        assert not rival.lately(20.0)
    rival.heard(json.dumps(will).encode(), 20.0)
    assert rival.lately(20.0)


@pytest.mark.parametrize("payload", [b"", b"no JSON", b"[1]", b"[" * 20_000, b'{"online": false}', b"\xff"])
def test_what_is_no_status_shows_nobody(payload: bytes) -> None:
    rival = born()
    rival.heard(payload, 20.0)
    assert not rival.lately(20.0)
