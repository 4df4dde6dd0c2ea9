"""The chain can be checked by anybody, with the public bodies alone, by means of their own."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_daemon.journal import Journal, canonical
from felt_daemon.journal.chain import envelope, link, private_digest, public_digest, row_of
from felt_daemon.journal.instant import utc_text

if TYPE_CHECKING:
    from tests.journal.conftest import Desk, MakeEntry

PAGE = Path(__file__).parents[2] / "docs" / "journal.md"

ENVELOPE = (
    b'{"boot":"6f1c1a52-0d8e-4a39-8a51-1f0f6a3b9c11","cause":null,"clock":"trusted",'
    b'"epoch":"00112233445566ff","late":0,"mono_ns":1000000,'
    b'"recorded_utc":"2026-01-02T03:05:00.000000Z","seq":1,"simulated":1,"start":"s-1",'
    b'"stream":"table-1","type":"felt.card.card-drawn.v1","utc":"2026-01-02T03:04:05.678902Z","v":1}'
)


def test_the_envelope_is_every_other_column_and_the_epoch_in_canonical_json(
    entry: MakeEntry,
) -> None:
    made = envelope("00112233445566ff", row_of(entry(1), "2026-01-02T03:05:00.000000Z"))
    assert made == ENVELOPE


def test_the_digests_are_those_of_sha256sum() -> None:
    # printf '{"context":{"round":4},"stack":1}' | sha256sum
    public = "711aaee9f187fd6c590d28ed7093f08704b0daeac55db5507056890de7c9c514"
    # printf 'salt of 16 bytes{"card":"As"}' | sha256sum
    private = "78435e860951159a000eef761cead4c3641f3f340ea7836823be1358be1f0741"
    # the same of 32 zero bytes, the envelope above, and the two digests
    whole = "ac75ab519d43d819632ca2b73eb3c22ba7101976b061b3e2222a6844cd438f9e"
    publichash = public_digest(b'{"context":{"round":4},"stack":1}')
    privatehash = private_digest(b"salt of 16 bytes", b'{"card":"As"}')
    assert publichash.hex() == public
    assert privatehash.hex() == private
    assert link(bytes(32), ENVELOPE, publichash, privatehash).hex() == whole


def test_canonical_json_has_one_form() -> None:
    value = {"b": [1, True, None], "a": 'Müller "\\\n\x1f', "ä": {}}
    assert canonical(value) == '{"a":"Müller \\"\\\\\\n\\u001f","b":[1,true,null],"ä":{}}'.encode()
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


def test_equal_rows_have_unequal_private_digests(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1), entry(2)])
    desk.settle()
    first, second = desk.journal.read("table-1")
    assert len(first.salt) == 16
    assert first.privatehash != second.privatehash
    assert first.publichash == second.publichash


def test_the_chain_holds_for_whoever_has_only_public_bodies(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(seq, cause=seq) for seq in range(1, 6)])
    desk.settle()
    previous = bytes(32)
    for row in desk.journal.read("table-1"):
        known = envelope(desk.journal.epoch, row_of(row.entry, utc_text(row.recorded_us)))
        publichash = hashlib.sha256(row.entry.public).digest()
        previous = hashlib.sha256(previous + known + publichash + row.privatehash).digest()
        assert row.hash == previous


def test_each_stream_has_a_chain_of_its_own(desk: Desk, entry: MakeEntry) -> None:
    desk.journal.append([entry(1), entry(1, "meter-a"), entry(2), entry(2, "meter-a")])
    desk.settle()
    for stream in ("table-1", "meter-a"):
        first, second = desk.journal.read(stream)
        assert first.previous == bytes(32)
        assert second.previous == first.hash


def test_the_steps_of_the_page_find_a_sound_row_sound(desk: Desk, entry: MakeEntry) -> None:
    name = "Müller"
    desk.journal.append([entry(seq, public=canonical({"name": name, "n": seq})) for seq in range(1, 4)])
    desk.journal.append([entry(1, "meter-a", cause=None, late=True, clock="untrusted")])
    desk.close()
    steps = dict(re.findall(r"```sql title=\"(.*?)\"\n(.*?)```", PAGE.read_text(), re.DOTALL))
    with closing(sqlite3.connect(desk.path)) as connection:
        for stream, seq in (("table-1", 1), ("table-1", 3), ("meter-a", 1)):
            found = {
                step: connection.execute(sql, {"stream": stream, "seq": seq}).fetchone()[0]
                for step, sql in steps.items()
            }
            assert sha256sum(found["public"]) == found["publichash"]
            assert sha256sum(found["private"]) == found["privatehash"]
            assert sha256sum(found["whole"]) == found["hash"]


def sha256sum(hexadecimal: str) -> str:
    """Hash bytes with the program of the same name, as the auditor does."""
    done = subprocess.run(
        ["sha256sum"],  # noqa: S607 - part of every Debian
        input=bytes.fromhex(hexadecimal),
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().split()[0].upper()


def test_a_row_is_found_sound_by_a_program_that_shares_no_code(desk: Desk, entry: MakeEntry) -> None:
    """The floor has the event's attributes, its data and its privatehash, and nothing else."""
    desk.journal.append([entry(1), entry(2, cause=1)])
    desk.settle()
    epoch = desk.journal.epoch
    assert isinstance(desk.journal, Journal)
    previous = "00" * 32
    for row in desk.journal.read("table-1"):
        seen = {
            "boot": row.entry.boot,
            "cause": row.entry.cause,
            "clock": row.entry.clock,
            "epoch": epoch,
            "late": 1 if row.entry.late else 0,
            "mono_ns": row.entry.mono_ns,
            "recorded_utc": f"2026-01-02T03:05:00.{row.recorded_us % 1_000_000:06}Z",
            "seq": row.entry.seq,
            "simulated": 1 if row.entry.simulated else 0,
            "start": row.entry.start,
            "stream": row.entry.stream,
            "type": row.entry.type,
            "utc": f"2026-01-02T03:04:05.{row.entry.utc_us % 1_000_000:06}Z",
            "v": row.entry.v,
        }
        text = json.dumps(seen, separators=(",", ":"))
        data = hashlib.sha256(row.entry.public).hexdigest()
        joined = bytes.fromhex(previous) + text.encode() + bytes.fromhex(data) + row.privatehash
        previous = hashlib.sha256(joined).hexdigest()
        assert row.hash.hex() == previous
