"""Requests as the publisher takes them from the broker: checked, bounded, handed over."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from felt_daemon.people import Entry, Key, Register
from felt_daemon.people.store import text_of
from felt_daemon.publisher import intake as intake_module
from felt_daemon.publisher.intake import Intake
from felt_daemon.publisher.request import RemoteRequest, Signer
from felt_daemon.shell.staff import Staff
from felt_protocols.signed.claims import Wish
from felt_protocols.signed.making import countersign, new_key, public_of, sign
from felt_protocols.signed.public import kid_of, public_text

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

pytestmark = pytest.mark.asyncio

ANN, BEN = new_key(), new_key()
ANN_KID, BEN_KID = kid_of(public_of(ANN)), kid_of(public_of(BEN))
TOPIC = "felt/1/asia-1/command/new-dealer"
UNTIL = datetime(2026, 12, 1, tzinfo=UTC)
UNTIL_S = int(UNTIL.timestamp())


@pytest.fixture
def staff(tmp_path: Path) -> Staff:
    """Ann, whose key has no end, and Ben, whose key has one."""
    since = datetime(2026, 1, 1, tzinfo=UTC)
    ann = Key(kid=ANN_KID, public=public_text(public_of(ANN)), since=since)
    ben = Key(kid=BEN_KID, public=public_text(public_of(BEN)), since=since, until=UNTIL)
    entries = (
        Entry(id="ann", name="Ann", kind="person", roles=("floor",), keys=(ann,)),
        Entry(id="ben", name="ben", kind="person", roles=("floor", "tech"), keys=(ben,)),
    )
    file = tmp_path / "people.json"
    file.write_text(text_of(Register(version=1, entries=entries)), encoding="utf-8")
    return Staff(file)


class Door:
    """An intake and what it hands over."""

    def __init__(self, staff: Staff) -> None:
        self.lines: list[dict[str, Any]] = []
        self.intake = Intake("asia-1", "run-1", staff, asyncio.get_running_loop(), self.lines.append)

    def heard(self, payload: str | bytes, topic: str = TOPIC, *, retained: bool = False) -> None:
        """The broker delivers this."""
        data = payload if isinstance(payload, bytes) else payload.encode()
        self.intake.heard(topic, data, retained=retained)

    def requests(self) -> list[RemoteRequest]:
        """What was handed over."""
        return [RemoteRequest.model_validate(line["request"]) for line in self.lines if "request" in line]

    def uncounted(self) -> int:
        """How many were turned away, as far as that was told."""
        return sum(line.get("uncounted", 0) for line in self.lines)


@pytest_asyncio.fixture
async def door(staff: Staff) -> Door:
    """An intake of this register."""
    return Door(staff)


def wish(jti: str = "a", **more: Any) -> Wish:  # noqa: ANN401 - a wish's own parts
    return Wish(
        **{"jti": jti, "table": "asia-1", "start": "run-1", "command": "new-dealer", "args": {}} | more
    )


async def test_what_is_signed_is_handed_over_with_who_signed_it(door: Door) -> None:
    asked = wish(args={"dealer": "Robin"})
    token = sign(ANN, asked, role="floor", expires=UNTIL_S, second=countersign(BEN, asked, first=ANN_KID))
    door.intake.clock(1_000_000)
    door.heard(token)
    assert door.requests() == [
        RemoteRequest(
            command="new-dealer",
            by=Signer(client="ann", name="Ann (ann)", key=ANN_KID, roles=("floor",)),
            id="a",
            start="run-1",
            args={"dealer": "Robin"},
            role="floor",
            exp=UNTIL_S,
            second=Signer(client="ben", name="ben", key=BEN_KID, roles=("floor", "tech")),
        )
    ]


async def test_an_expiry_counts_while_the_time_is_known(door: Door) -> None:
    door.heard(sign(ANN, wish("a"), expires=1_000))
    door.intake.clock(999_999_999)
    door.heard(sign(ANN, wish("b"), expires=1_000))
    door.intake.clock(1_000_000_000)
    door.heard(sign(ANN, wish("c"), expires=1_000))
    assert [one.refusal and one.refusal.code for one in door.requests()] == [None, None, "late"]
    late = door.requests()[2]
    assert (late.id, late.by and late.by.client) == ("c", "ann")
    assert late.refusal is not None
    assert late.refusal.why == "expired: it was to be carried out before 1000"


async def test_a_key_with_an_end_counts_before_it_and_never_without_a_clock(door: Door) -> None:
    door.heard(sign(BEN, wish("a")))
    door.intake.clock(UNTIL_S * 1_000_000 - 1)
    door.heard(sign(BEN, wish("b")))
    door.intake.clock(UNTIL_S * 1_000_000)
    door.heard(sign(BEN, wish("c")))
    assert [one.refusal is None for one in door.requests()] == [False, True, False]


def unsigned() -> dict[tuple[str, str], bytes]:
    """Payloads that nobody has signed, by the answer's word and the reason's beginning."""
    return {
        ("malformed", "too-large: a token has 16384 bytes at most"): b"x" * 200_000,
        ("malformed", "malformed: not three"): b"not a token",
        ("malformed", "malformed: header"): b"e30.e30." + b"A" * 86,
        ("forbidden", "unknown-key: "): sign(new_key(), wish()).encode(),
        ("forbidden", "forged: "): sign(ANN, wish())[:-86].encode() + b"A" * 86,
    }


@pytest.mark.parametrize(("code", "word"), sorted(unsigned()))
async def test_what_nobody_has_signed_is_handed_over_as_that_without_a_word_of_it(
    door: Door, code: str, word: str
) -> None:
    door.heard(unsigned()[code, word])
    [request] = door.requests()
    assert (request.by, request.id, request.args, request.command) == (None, "", {}, "new-dealer")
    assert request.refusal is not None
    assert request.refusal.code == code
    assert request.refusal.why.startswith(word)


def wrong() -> dict[tuple[str, str], str]:
    """Tokens that Ann has signed and no table takes, by the answer's word and the reason's beginning."""

    def with_second(key: Ed25519PrivateKey, jti: str = "a") -> str:
        return sign(ANN, wish(), second=countersign(key, wish(jti), first=ANN_KID))

    return {
        ("malformed", "wrong-table: "): sign(ANN, wish(table="asia-2")),
        ("late", "wrong-start: "): sign(ANN, wish(start="run-0")),
        ("malformed", "wrong-command: "): sign(ANN, wish(command="open-table")),
        ("forbidden", "not-their-role: "): sign(ANN, wish(), role="finance"),
        ("forbidden", "same-key: "): with_second(ANN),
        ("forbidden", "second-differs: "): with_second(BEN, "b"),
        ("malformed", "malformed: second signature: "): sign(ANN, wish(), second="x"),
        ("forbidden", "unknown-key: second signature: "): with_second(new_key()),
    }


@pytest.mark.parametrize(("code", "word"), sorted(wrong()))
async def test_what_somebody_has_signed_wrongly_is_that_persons_to_hear(
    door: Door, code: str, word: str
) -> None:
    door.heard(wrong()[code, word])
    [request] = door.requests()
    assert (request.id, request.by and request.by.client) == ("a", "ann")
    assert request.refusal is not None
    assert request.refusal.code == code
    assert request.refusal.why.startswith(word)


async def test_a_retained_request_is_handed_over_as_that_with_whose_it_is(door: Door) -> None:
    door.heard(sign(ANN, wish()), retained=True)
    door.heard(b"garbage", retained=True)
    door.heard(b"", retained=True)
    signed, garbage = door.requests()
    assert (signed.by and signed.by.client, signed.id, garbage.by) == ("ann", "a", None)
    assert signed.retained != garbage.retained
    for request in (signed, garbage):
        assert len(request.retained) == 64
        assert request.refusal is not None
        assert request.refusal.why == "a command is never retained: publish it without that flag"


async def test_the_same_bytes_at_once_are_one_request_and_a_moment_later_are_asked_again(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "REPEATED_S", 3600.0)
    token = sign(ANN, wish())
    for _ in range(3):
        door.heard(token)
    assert len(door.requests()) == 1
    monkeypatch.setattr(intake_module, "REPEATED_S", 0.0)
    door.heard(token)
    assert len(door.requests()) == 2


async def test_only_so_many_tokens_are_remembered(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake_module, "_REMEMBERED", 2)
    tokens = [sign(ANN, wish(jti)) for jti in "abc"]
    for token in (*tokens, tokens[0], tokens[2]):
        door.heard(token)
    assert [one.id for one in door.requests()] == ["a", "b", "c", "a"]


async def test_a_client_that_asks_without_end_is_cut_short_and_takes_no_room_of_others(door: Door) -> None:
    door.intake.clock(1_000_000)
    for number in range(80):
        door.heard(sign(ANN, wish(f"a{number}")))
    for number in range(40):
        door.heard(f"garbage {number}")
    door.heard(sign(BEN, wish("b")))
    door.intake.close()
    by = [one.by and one.by.client for one in door.requests()]
    # Some find room while this goes on.
    assert 60 <= by.count("ann") < 75
    assert 30 <= by.count(None) < 35
    assert by.count("ben") == 1
    assert len(by) + door.uncounted() == 121


async def test_no_more_signatures_are_checked_than_leave_time_for_events(
    staff: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_module, "CHECKS_BURST", 5)
    monkeypatch.setattr(intake_module, "CHECKS_EVERY_S", 3600.0)
    door = Door(staff)
    for number in range(9):
        door.heard(sign(ANN, wish(f"a{number}")))
    door.intake.close()
    assert len(door.requests()) == 5
    assert door.uncounted() == 4


async def test_a_topic_that_is_no_commands_name_is_refused_like_any_other(door: Door) -> None:
    assert door.intake.takes("felt/1/asia-1/command/NO SUCH")
    assert not door.intake.takes("felt/1/asia-1/status")
    door.heard(sign(ANN, wish()), "felt/1/asia-1/command/" + "X" * 500)
    [request] = door.requests()
    assert request.command == "X" * 64
    assert request.refusal is not None
    assert request.refusal.code == "malformed"


async def test_answers_wait_in_their_order_and_the_oldest_makes_room(door: Door) -> None:
    assert door.intake.first_answer() is None
    for number in range(300):
        door.intake.answer("ann", {"id": f"{number}", "ok": True, "sequence": 1})
    first = door.intake.first_answer()
    assert first is not None
    assert first.topic == "felt/1/asia-1/reply/ann"
    assert (first.payload, first.retain) == (b'{"id":"44","ok":true,"sequence":1}', False)
    door.intake.answer_sent()
    assert door.intake.first_answer() != first


async def test_old_tokens_that_a_stranger_sends_again_take_no_room_of_their_signers_requests(
    door: Door,
) -> None:
    for number in range(80):
        door.heard(sign(ANN, wish(f"old{number}", start="run-0")))
    door.heard(sign(ANN, wish("new")))
    refused = [one for one in door.requests() if one.refusal is not None]
    assert 60 <= len(refused) < 75
    assert [one.id for one in door.requests() if one.refusal is None] == ["new"]
