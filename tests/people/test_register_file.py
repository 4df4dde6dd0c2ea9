"""The register's file while people write it and feltd reads it."""

from __future__ import annotations

import fcntl
import os
import resource
import stat
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from felt_daemon.people import Book, BrokenRegister, Entry, NoRegister, Register, changes
from felt_daemon.people.store import NotWritten, change, text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


SINCE = datetime(2026, 1, 1, tzinfo=UTC)


def with_entry(name: str) -> Callable[[Register], Register]:
    entry = Entry(id=name, name=name.title(), kind="person", roles=("floor",))
    return lambda register: changes.added(register, entry)


def ids(register: Register) -> list[str]:
    return [entry.id for entry in register.entries]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A register with Ann in it."""
    path = tmp_path / "people.json"
    change(path, with_entry("ann"), create=True)
    return path


# Writing.


def test_what_is_written_is_read_again(file: Path, register: Register) -> None:
    file.write_text(text_of(register), encoding="utf-8")
    assert Register.load(file) == register


def test_a_new_register_is_for_its_owner_and_group_alone(file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def lock_of(file: Path) -> Path:
    return file.with_name("people.json.lock")


def test_a_change_leaves_one_file_with_its_lock_and_keeps_its_mode(file: Path) -> None:
    file.chmod(0o644)
    change(file, with_entry("ben"))
    assert ids(Register.load(file)) == ["ann", "ben"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(file.parent.iterdir()) == [file, lock_of(file)]


def test_whoever_may_look_into_the_folder_holds_up_no_change(file: Path) -> None:
    assert stat.S_IMODE(lock_of(file).stat().st_mode) == 0o600
    folder = os.open(file.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        assert adding(file, "ben").wait(timeout=10.0) == 0
    finally:
        os.close(folder)
    assert ids(Register.load(file)) == ["ann", "ben"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays_who_it_was(file: Path) -> None:
    os.chown(file, 65534, 65533)
    change(file, with_entry("ben"))
    found = file.stat()
    assert (found.st_uid, found.st_gid) == (65534, 65533)


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(file)
    change(link, with_entry("ben"))
    assert link.is_symlink()
    assert ids(Register.load(file)) == ["ann", "ben"]


def test_a_change_that_is_not_possible_changes_nothing(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(changes.NotPossible, match="ann is in the register"):
        change(file, with_entry("ann"))
    assert file.read_bytes() == before


def test_a_register_that_could_not_be_read_again_is_not_written(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(BrokenRegister, match=r"entries\[0\] \(ann\).roles"):
        change(file, lambda register: changes.described(register, "ann", roles=()))
    assert file.read_bytes() == before


def test_a_broken_register_is_not_written_over(file: Path) -> None:
    file.write_text("{", encoding="utf-8")
    with pytest.raises(BrokenRegister):
        change(file, with_entry("ben"), create=True)
    assert file.read_text(encoding="utf-8") == "{"


def test_a_register_is_made_only_where_that_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(NoRegister):
        change(tmp_path / "new.json", with_entry("ann"))
    with pytest.raises(NoRegister, match=r"new.json.lock: cannot be opened"):
        change(tmp_path / "nowhere" / "new.json", with_entry("ann"), create=True)


ADDING = """
import sys
from felt_daemon.people import Entry, changes
from felt_daemon.people.store import change

file, *names = sys.argv[1:]
for name in names:
    entry = Entry(id=name, name=name, kind="person", roles=("floor",))
    change(file, lambda register: changes.added(register, entry))
"""


def adding(file: Path, *names: str) -> subprocess.Popen[bytes]:
    """Start a program that adds these people one by one."""
    words = [sys.executable, "-c", ADDING, str(file), *names]
    return subprocess.Popen(words)  # noqa: S603 - our own program


@pytest.mark.usefixtures("file", "full_disk")
def test_a_full_disk_leaves_the_old_register(file: Path) -> None:
    with pytest.raises(NotWritten, match=r"people.json: cannot be written: File too large"):
        change(file, with_entry("ben"))
    assert ids(Register.load(file)) == ["ann"]
    assert sorted(file.parent.iterdir()) == [file, lock_of(file)]


@pytest.mark.long
def test_no_writer_undoes_what_another_wrote(file: Path) -> None:
    one, other = [f"a{number}" for number in range(20)], [f"b{number}" for number in range(20)]
    writers = [adding(file, *one), adding(file, *other)]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert set(ids(Register.load(file))) == {"ann", *one, *other}


# Reading.


def test_without_a_register_nothing_begins(tmp_path: Path, file: Path) -> None:
    with pytest.raises(NoRegister, match="cannot be read"):
        Book(tmp_path / "nobody.json")
    file.write_text("{", encoding="utf-8")
    with pytest.raises(BrokenRegister):
        Book(file)


def test_a_change_counts_from_the_next_look(file: Path) -> None:
    book = Book(file)
    assert ids(book.look()) == ["ann"]
    assert book.complaint is None
    change(file, with_entry("ben"))
    assert ids(book.look()) == ["ann", "ben"]


def test_an_unchanged_file_is_not_read_again(file: Path) -> None:
    book = Book(file)
    assert book.look() is book.look()


def test_a_broken_register_gives_nothing_and_takes_nothing(file: Path) -> None:
    book = Book(file)
    good = file.read_text(encoding="utf-8")
    change(file, with_entry("mallory"))
    half = file.read_text(encoding="utf-8")[:-10]
    file.write_text(half, encoding="utf-8")
    for _ in range(2):
        assert ids(book.look()) == ["ann"]
        assert book.complaint is not None
        assert book.complaint.startswith(f"{file}: no valid JSON")
        assert book.complaint.endswith("the register read last goes on to count.")
    file.write_text(good, encoding="utf-8")
    assert ids(book.look()) == ["ann"]
    assert book.complaint is None


def test_a_register_that_is_gone_goes_on_to_count(file: Path) -> None:
    book = Book(file)
    file.rename(file.with_name("away"))
    assert ids(book.look()) == ["ann"]
    assert book.complaint is not None
    assert "No such file" in book.complaint
    file.with_name("away").rename(file)
    assert ids(book.look()) == ["ann"]
    assert book.complaint is None


def test_a_change_that_could_not_be_read_at_first_counts_as_soon_as_it_can(file: Path) -> None:
    book = Book(file)
    change(file, lambda register: changes.switched_off(register, "ann", SINCE))
    most, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, highest))
    try:
        assert book.look().entry("ann") is not None
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, highest))
    assert book.complaint is not None
    assert "Too many open files" in book.complaint
    assert book.look().entry("ann") is None
    assert book.complaint is None
