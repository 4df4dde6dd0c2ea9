"""Whatever is changed in a bundle is found, also where its digests were made anew to fit."""

from __future__ import annotations

import hashlib
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from felt_daemon.journal import Reader
from felt_daemon.journal.verify import Anchor
from felt_daemon.story import find
from felt_daemon.story.bundle import (
    JSON_NAME,
    NOTE_NAME,
    PAGE_NAME,
    SUMS_NAME,
    Bundle,
    files_of,
    sums,
    zipped,
)
from felt_daemon.story.checking import Unreadable, check, is_bundle
from felt_daemon.story.finding import rows_of
from felt_protocols.events import system

from .house import House, overridden_evening, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .conftest import Felt

Files = dict[str, bytes]
ENVELOPE = (
    "boot",
    "cause",
    "clock",
    "epoch",
    "late",
    "mono_ns",
    "recorded_utc",
    "seq",
    "simulated",
    "start",
    "stream",
    "type",
    "utc",
    "v",
)
Document = dict[str, Any]


def bundle_of(journal: Path) -> Files:
    """The files of the bundle of incident 1."""
    with Reader(journal) as reader:
        found = find(reader, "t-1", 1)
        assert found is not None
        rows = list(rows_of(reader, "t-1", found.chapter.first.seq, found.chapter.last.seq))
    return files_of(Bundle(found.chapter, rows))


@pytest.fixture(scope="module")
def files(evening: Path) -> Files:
    return bundle_of(evening)


def _faults(path: Path, files: Files) -> list[str]:
    """What a check of these files finds, by names."""
    path.write_bytes(zipped(files))
    return [problem.what.value for problem in check(path).problems]


def _forged(files: Files, change: Callable[[Document], object]) -> Files:
    """The bundle with its document changed, written as before, and its digests made anew."""
    document = json.loads(files[JSON_NAME])
    change(document)
    return _summed(files | {JSON_NAME: _written(document)})


def _written(document: Document) -> bytes:
    """A document as a bundle has it: sorted, and its rows behind it, one a line."""
    rows = ",\n".join(
        json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for row in document["rows"]
    )
    head = {name: value for name, value in document.items() if name != "rows"}
    text = json.dumps(head, ensure_ascii=False, indent=1, sort_keys=True).removesuffix("\n}")
    return f'{text},\n "rows": [\n{rows}\n ]\n}}\n'.encode()


def _summed(files: Files) -> Files:
    return files | {SUMS_NAME: sums({name: data for name, data in files.items() if name != SUMS_NAME})}


def test_a_bundle_as_it_was_made_is_sound(files: Files, tmp_path: Path) -> None:
    assert _faults(tmp_path / "b.zip", files) == []
    # What the tests below forge differs from it in what they change, and in nothing else.
    assert _forged(files, lambda document: document) == files


def test_the_same_journal_makes_the_same_bytes(evening: Path, files: Files) -> None:
    assert zipped(bundle_of(evening)) == zipped(files)


def test_the_chain_can_be_gone_through_by_hand(files: Files) -> None:
    """As README.txt says it, with nothing of ours."""
    document = json.loads(files[JSON_NAME])
    before = None
    for row in document["rows"]:
        public = hashlib.sha256(row["public"].encode()).hexdigest()
        envelope = json.dumps(
            {name: document["epoch"] if name == "epoch" else row[name] for name in ENVELOPE},
            separators=(",", ":"),
        )
        joined = (
            bytes.fromhex(row["previous"])
            + envelope.encode()
            + bytes.fromhex(row["publichash"])
            + bytes.fromhex(row["privatehash"])
        )
        assert public == row["publichash"]
        assert hashlib.sha256(joined).hexdigest() == row["hash"]
        assert before in (None, row["previous"])
        before = row["hash"]
    assert "private" not in document["rows"][0]
    assert "salt" not in document["rows"][0]


_OTHER: dict[str, Any] = {
    "stream": "t-9",
    "seq": 9,
    "type": "shoe-stopped",
    "v": 2,
    "boot": "other",
    "start": "other",
    "mono_ns": 1,
    "utc": "2026-11-30T19:00:00.000001Z",
    "clock": "untrusted",
    "recorded_utc": "2026-11-30T18:00:00.000000Z",
    "late": 1,
    "simulated": 0,
    "cause": 2,
    "public": '{"by":{"name":"Eve"}}',
    "publichash": "00" * 32,
    "privatehash": "00" * 32,
    "previous": "01" * 32,
    "hash": "00" * 32,
}


@pytest.mark.parametrize("name", sorted(_OTHER))
@pytest.mark.parametrize("where", ["first", "middle", "last", "start"])
def test_a_changed_field_of_a_row_is_found(files: Files, tmp_path: Path, name: str, where: str) -> None:
    def change(document: Document) -> None:
        rows = document["rows"]
        picked = {"first": rows[0], "middle": rows[20], "last": rows[-1], "start": document["start"]}[where]
        assert picked[name] != _OTHER[name]
        picked[name] = _OTHER[name]

    assert set(_faults(tmp_path / "b.zip", _forged(files, change))) & {"row-changed", "row-missing"}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        pytest.param(lambda rows: rows.pop(), "story-changed", id="the last row is left out"),
        pytest.param(lambda rows: rows.pop(0), "story-changed", id="the first row is left out"),
        pytest.param(lambda rows: rows.pop(7), "row-missing", id="a row is left out"),
        pytest.param(lambda rows: rows.insert(7, rows[7]), "row-missing", id="a row stands twice"),
        pytest.param(
            lambda rows: rows.insert(9, rows.pop(8)), "row-missing", id="two rows are changed about"
        ),
        pytest.param(lambda rows: rows.reverse(), "row-missing", id="the order is turned round"),
        pytest.param(lambda rows: rows.clear(), "format", id="no row is left"),
        pytest.param(lambda rows: rows[3].pop("cause"), "format", id="a row lacks a field"),
        pytest.param(lambda rows: rows[3].update(private="{}"), "format", id="a row has one more field"),
        pytest.param(lambda rows: rows[3].update(seq="78"), "format", id="a number is a text"),
        pytest.param(lambda rows: rows[3].update(late=False), "format", id="a number is a truth"),
        pytest.param(lambda rows: rows[3].update(hash="zz" * 32), "format", id="a digest is no digest"),
        pytest.param(lambda rows: rows[3].update(hash="00"), "format", id="a digest is too short"),
        pytest.param(
            lambda rows: rows[3].update(hash=rows[3]["hash"].upper()),
            "format",
            id="a digest in other letters",
        ),
        pytest.param(lambda rows: rows.append(7), "format", id="a row is a number"),
    ],
)
def test_rows_left_out_put_in_moved_or_misshapen_are_found(
    files: Files, tmp_path: Path, change: Callable[[list[Document]], object], fault: str
) -> None:
    forged = _forged(files, lambda document: change(document["rows"]))
    assert fault in _faults(tmp_path / "b.zip", forged)


def test_half_a_character_is_no_text_of_a_row(files: Files, tmp_path: Path) -> None:
    data = files[JSON_NAME].replace(b'"public":"{', b'"public":"\\ud800{', 1)
    assert _faults(tmp_path / "b.zip", _summed(files | {JSON_NAME: data})) == ["format"]


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("table", "t-9", "row-changed"),
        ("table", 7, "format"),
        ("number", 2, "story-changed"),
        ("epoch", "0123456789abcdef", "row-changed"),
        ("rows", {}, "format"),
        ("start", None, "pack-changed"),
        ("start", 7, "format"),
        ("pack", None, "story-changed"),
        ("pack", {"digest": "", "text": "another"}, "pack-changed"),
        ("pack", 7, "pack-changed"),
        ("story", {}, "story-changed"),
        ("more", "what does not belong", "story-changed"),
    ],
)
def test_a_changed_field_of_the_document_is_found(
    files: Files, tmp_path: Path, name: str, value: object, fault: str
) -> None:
    forged = _forged(files, lambda document: document.update({name: value}))
    assert fault in _faults(tmp_path / "b.zip", forged)


@pytest.mark.long
def test_every_word_of_the_story_is_held_to_the_rows(files: Files, tmp_path: Path) -> None:
    names = sorted(json.loads(files[JSON_NAME])["story"])
    assert {"overridden", "holds", "timeline", "says", "owners", "first", "last"} <= {*names}
    for name in names:
        forged = _forged(files, lambda document, name=name: document["story"].update({name: "other"}))  # type: ignore[misc] # the loop's own name
        assert _faults(tmp_path / "b.zip", forged) == ["story-changed"], name


def test_an_override_cannot_be_hidden_in_the_story_alone(files: Files, tmp_path: Path) -> None:
    def hide(document: Document) -> None:
        document["story"]["overridden"] = False
        document["story"]["holds"][1]["how"] = "observed"

    assert _faults(tmp_path / "b.zip", _forged(files, hide)) == ["story-changed"]


def test_the_row_that_began_the_gaming_day_comes_along_and_is_checked(tmp_path: Path) -> None:
    house = House()
    house.take(system.GamingDayBegan(day="2026-12-01"))
    house.jam()
    path = tmp_path / "journal.db"
    write(house, path)
    files = bundle_of(path)
    assert _faults(tmp_path / "b.zip", files) == []
    assert b"    began      " in files[NOTE_NAME]
    forged = _forged(files, lambda document: document["began"].update(public='{"day":"2026-12-24"}'))
    assert _faults(tmp_path / "b.zip", forged) == ["row-changed"]


def test_a_run_that_began_within_the_incident_cannot_stand_for_the_one_before(tmp_path: Path) -> None:
    house = House()
    house.jam()
    house.connect()
    path = tmp_path / "journal.db"
    write(house, path)
    files = bundle_of(path)
    assert _faults(tmp_path / "b.zip", files) == []
    [again] = [row for row in json.loads(files[JSON_NAME])["rows"] if row["type"] == "started"]
    forged = _forged(files, lambda document: document.update(start=again))
    assert _faults(tmp_path / "b.zip", forged) == ["story-changed"]


def test_a_start_of_another_run_or_a_row_of_another_kind_apart_is_found(files: Files, tmp_path: Path) -> None:
    rows = json.loads(files[JSON_NAME])["rows"]
    forged = _forged(files, lambda document: document.update(start=rows[1]))
    assert "row-changed" in _faults(tmp_path / "b.zip", forged)
    forged = _forged(files, lambda document: document.update(began=rows[1]))
    assert "row-changed" in _faults(tmp_path / "b.zip", forged)


@pytest.mark.parametrize("name", [PAGE_NAME, NOTE_NAME, JSON_NAME, SUMS_NAME])
def test_a_changed_file_is_found_by_its_digest_or_as_none_of_the_rows(
    files: Files, tmp_path: Path, name: str
) -> None:
    changed = files | {name: files[name] + b"\n"}
    assert "sum-differs" in _faults(tmp_path / "b.zip", changed)
    if name != SUMS_NAME:
        assert _faults(tmp_path / "b.zip", _summed(changed)) == ["story-changed"]


def test_a_name_on_the_page_cannot_be_changed(files: Files, tmp_path: Path) -> None:
    page = files[PAGE_NAME].replace(b"Ann", b"Eve")
    assert page != files[PAGE_NAME]
    assert _faults(tmp_path / "b.zip", _summed(files | {PAGE_NAME: page})) == ["story-changed"]


def test_a_file_that_is_missing_too_many_or_doubled_is_found(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    for name in (PAGE_NAME, NOTE_NAME, SUMS_NAME):
        left = {one: data for one, data in files.items() if one != name}
        assert "file" in _faults(path, left)
    assert _faults(path, files | {"more.txt": b""}) == ["file"]
    path.write_bytes(zipped(files))
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(PAGE_NAME, b"another")
    assert "file" in [problem.what.value for problem in check(path).problems]


def test_a_byte_changed_in_the_zip_is_found(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    whole = zipped(files)
    body = whole.index(b'"rows": [')
    path.write_bytes(whole[:body] + b"\x00" + whole[body + 1 :])
    assert [problem.what.value for problem in check(path).problems] == ["file", "sum-differs"]
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Unreadable, match="cannot be read"):
        check(path)


def test_a_bundle_forged_whole_is_found_by_what_others_kept(files: Files, tmp_path: Path) -> None:
    """The same evening, written down anew: every hash fits, and none is the one that the floor has."""
    path = tmp_path / "journal.db"
    write(overridden_evening(), path)
    forged = bundle_of(path)
    assert _faults(tmp_path / "b.zip", forged) == []
    kept = json.loads(files[JSON_NAME])["rows"][-1]
    anchor = Anchor("t-1", kept["seq"], bytes.fromhex(kept["hash"]))
    assert [problem.what.value for problem in check(tmp_path / "b.zip", [anchor]).problems] == [
        "anchor-differs"
    ]
    (tmp_path / "true.zip").write_bytes(zipped(files))
    assert check(tmp_path / "true.zip", [anchor]).sound
    elsewhere = Anchor("t-1", 1_000_000, anchor.hash)
    assert not check(tmp_path / "true.zip", [elsewhere]).sound


def test_verify_tells_what_it_proves_and_what_to_compare(felt: Felt, files: Files, tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(zipped(files))
    last = json.loads(files[JSON_NAME])["rows"][-1]
    code, out, _ = felt("journal", "verify", path, "--anchor", f"t-1:{last['seq']}:{last['hash']}")
    assert code == 0
    assert "faults: none" in out
    assert f"t-1:{last['seq']}:{last['hash']}" in out
    assert "It does not prove by itself" in out
    code, out, _ = felt("journal", "verify", path, "--json")
    document = json.loads(out)
    assert (code, document["sound"], document["incident"], document["table"]) == (0, True, 1, "t-1")


def test_verify_takes_the_folder_and_the_document_alone(felt: Felt, files: Files, tmp_path: Path) -> None:
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    assert felt("journal", "verify", tmp_path)[0] == 0
    code, out, _ = felt("journal", "verify", tmp_path / JSON_NAME)
    assert (code, "Only incident.json was checked" in out) == (0, True)
    (tmp_path / PAGE_NAME).write_bytes(b"")
    code, out, _ = felt("journal", "verify", tmp_path)
    assert code == 1
    assert "FAULT (sum-differs): incident.html is not the file whose digest is in SHA256SUMS" in out


def test_what_is_no_bundle_or_of_another_release_is_said_to_be_so(
    felt: Felt, files: Files, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    assert felt("journal", "verify", tmp_path / "empty")[0] == 3
    (tmp_path / "x.json").write_text("{}")
    code, _, err = felt("journal", "verify", tmp_path / "x.json")
    assert (code, "neither a journal nor a bundle" in err) == (3, True)
    (tmp_path / "bad.json").write_text('{"rows": [')
    assert felt("journal", "verify", tmp_path / "bad.json")[0] == 1
    later = _forged(files, lambda document: document.update(telling=99))
    (tmp_path / "later.zip").write_bytes(zipped(later))
    code, _, err = felt("journal", "verify", tmp_path / "later.zip")
    assert (code, "made by another release" in err) == (3, True)
    assert not is_bundle(tmp_path / "none")


def test_a_journal_is_still_verified_as_one(felt: Felt, evening: Path) -> None:
    code, out, _ = felt("journal", "verify", evening)
    assert (code, "t-1: rows 1 to" in out) == (0, True)
