"""The certificates that a configuration names are looked at with it."""

from __future__ import annotations

import datetime as dt
import grp
import json
import os
import pwd
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_daemon.certificates.authority import BACKDATED, Wish
from felt_daemon.certificates.folder import Folder
from felt_daemon.cli import main, run
from felt_daemon.config import ConfigError, load, load_all
from felt_daemon.config import certificates as looked_at

if TYPE_CHECKING:
    from collections.abc import Iterator

DAY = dt.timedelta(days=1)


class Place:
    """A table's files and the configuration that names them on the lines 41 to 43."""

    def __init__(self, folder: Path, valid: str) -> None:
        self.files = folder / "tls"
        self.files.mkdir()
        self.config = folder / "table.toml"
        self.authority = Folder(folder / "ca")
        self.authority.begin("Rivers authority", 3650, dt.datetime.now(dt.UTC), None)
        (self.files / "authority.pem").write_bytes((folder / "ca/authority.pem").read_bytes())
        self.issue("asia-1")
        paths = "".join(
            f'{key} = "{self.files / name}"\n'
            for key, name in (
                ("authority", "authority.pem"),
                ("certificate", "table.pem"),
                ("key", "table.key"),
            )
        )
        self.config.write_text(f"{valid}\n[broker.tls]\n{paths}", encoding="utf-8")

    def issue(self, name: str, begins: dt.timedelta = -BACKDATED, until: dt.timedelta = 50 * DAY) -> None:
        """Give the table another pair."""
        now = dt.datetime.now(dt.UTC).replace(microsecond=0)
        wish = Wish(kind="table", name=name, begins=now + begins, until=now + until)
        made = self.authority.issue(wish, None, renew=True)
        (self.files / "table.pem").write_bytes(made.file.read_bytes())
        (self.files / "table.key").write_bytes(made.key.read_bytes())
        (self.files / "table.key").chmod(0o600)

    def mistakes(self, *, clock_set: bool = True) -> list[tuple[int, str, str]]:
        """Line, key and text of each mistake."""
        try:
            load_all((self.config,), clock_set=clock_set)
        except ConfigError as error:
            return [(one.line, one.key, one.text) for one in error.problems]
        return []


@pytest.fixture
def place(tmp_path: Path, valid: str, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A table's files on a machine without an account of the service's."""
    monkeypatch.setattr(looked_at, "SERVICE", "nobody-has-this-name")
    return Place(tmp_path, valid)


def test_files_that_fit_are_no_mistake_and_their_days_are_told(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    config = load(place.config)
    assert config.broker.mode == "external"
    assert config.broker.tls is not None
    assert config.broker.port == 8883
    assert main(["check-config", str(place.config)]) == 0
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note: ")]
    assert [note.partition(": valid until ")[0] for note in notes] == [
        "note: broker.tls.certificate",
        "note: broker.tls.authority",
    ]
    assert [note.rpartition("; ")[2] for note in notes] == ["days left: 50", "days left: 3650"]


def test_the_port_of_brokers_that_speak_plain_is_worth_a_note(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    text = place.config.read_text(encoding="utf-8")
    place.config.write_text(text.replace("[broker.tls]", "port = 1883\n[broker.tls]"), encoding="utf-8")
    assert main(["check-config", "--json", str(place.config)]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert notes[-1] == "broker.port: 1883 is where brokers speak plain; for TLS it is mostly 8883"


def test_a_mistake_stands_on_the_line_of_its_file(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    (place.files / "table.key").unlink()
    assert main(["check-config", str(place.config)]) == 78
    told = capsys.readouterr().out
    assert told.startswith(f'{place.config}:43: broker.tls.key = "/')
    assert told.endswith(": it cannot be read: No such file or directory\n")


def test_a_certificate_of_another_table_is_a_mistake(place: Place) -> None:
    place.issue("asia-2")
    assert place.mistakes() == [
        (
            42,
            "broker.tls.certificate",
            'it has the common name "asia-2"; a table\'s certificate has the table\'s id there, "asia-1"',
        )
    ]


def test_a_key_of_another_pair_is_a_mistake(place: Place) -> None:
    key = (place.files / "table.key").read_bytes()
    place.issue("asia-1")
    (place.files / "table.key").write_bytes(key)
    text = f"it does not belong to {place.files}/table.pem: one of the two is of another pair"
    assert place.mistakes() == [(43, "broker.tls.key", text)]


@pytest.mark.parametrize(
    ("begins", "until", "words"), [(-9, -1, "it has expired"), (1, 9, "it is not valid before")]
)
def test_what_has_expired_or_is_to_come_is_a_mistake_by_a_clock_that_is_set(
    place: Place, begins: int, until: int, words: str
) -> None:
    place.issue("asia-1", begins * DAY, until * DAY)
    [(line, key, text)] = place.mistakes()
    assert (line, key) == (42, "broker.tls.certificate")
    assert text.startswith(words)
    assert text.endswith(" UTC, by the clock of this machine")
    assert place.mistakes(clock_set=False) == []


def test_an_expired_authority_is_a_mistake(place: Place, tmp_path: Path) -> None:
    old = Folder(tmp_path / "old")
    old.begin("old", 1, dt.datetime.now(dt.UTC) - 9 * DAY, None)
    (place.files / "authority.pem").write_bytes((tmp_path / "old/authority.pem").read_bytes())
    [(line, key, text)] = place.mistakes()
    assert (line, key) == (41, "broker.tls.authority")
    assert text.startswith("it has expired: it was valid until ")


@pytest.mark.parametrize(("mode", "mistake"), [(0o644, True), (0o602, True), (0o640, False), (0o400, False)])
def test_a_key_that_everybody_can_read_or_write_is_a_mistake(place: Place, mode: int, mistake: bool) -> None:  # noqa: FBT001 - a parameter
    (place.files / "table.key").chmod(mode)
    text = f"everybody on this machine can read or write it (mode {mode:04o}); its mode is to be 0600"
    assert place.mistakes() == ([(43, "broker.tls.key", text)] if mistake else [])


def test_certificates_are_told_of_together_with_every_other_mistake(place: Place) -> None:
    text = place.config.read_text(encoding="utf-8").replace("baud = 57600", "baud = 1")
    place.config.write_text(text.replace('id = "asia-1"', "id = 1"), encoding="utf-8")
    (place.files / "table.key").unlink()
    assert [key for _, key, _ in place.mistakes()] == ["table.id", "devices.shoe-1.baud", "broker.tls.key"]


def test_files_are_not_looked_for_where_their_names_are_no_paths(place: Place) -> None:
    text = place.config.read_text(encoding="utf-8").replace('certificate = "/', 'certificate = "')
    place.config.write_text(text, encoding="utf-8")
    assert [(line, key) for line, key, _ in place.mistakes()] == [(42, "broker.tls.certificate")]


def test_an_embedded_broker_has_no_certificate(place: Place) -> None:
    text = place.config.read_text(encoding="utf-8")
    text = text.replace('mode = "external"\nhost = "broker.floor.example"', 'mode = "embedded"')
    place.config.write_text(text, encoding="utf-8")
    assert {key for _, key, _ in place.mistakes()} == {"broker.tls"}


@pytest.fixture
def elsewhere(valid: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A table's files in a folder that everybody may enter; the service is nobody, of group tty, here."""
    if os.geteuid() != 0:
        pytest.skip("only root may give files to somebody else")
    monkeypatch.setattr(looked_at, "SERVICE", "nobody")
    monkeypatch.setattr(looked_at, "GROUP", "tty")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        place = Place(Path(folder), valid)
        os.chown(place.files / "table.key", pwd.getpwnam("nobody").pw_uid, 0)
        yield place


def test_a_file_that_the_service_may_not_read_is_a_mistake(elsewhere: Place) -> None:
    key = elsewhere.files / "table.key"
    assert elsewhere.mistakes() == []
    os.chown(key, 0, 0)
    text = "nobody, as whom the service runs, may not read it"
    assert elsewhere.mistakes() == [(43, "broker.tls.key", text)]
    os.chown(key, 0, grp.getgrnam("tty").gr_gid)
    key.chmod(0o640)
    assert elsewhere.mistakes() == []
    # its unit gives it another group than its account has
    os.chown(key, 0, pwd.getpwnam("nobody").pw_gid)
    assert elsewhere.mistakes() == [(43, "broker.tls.key", text)]
    os.chown(key, pwd.getpwnam("nobody").pw_uid, 0)
    # an owner's rights are the owner's own, whatever others may
    os.chown(elsewhere.files / "table.pem", pwd.getpwnam("nobody").pw_uid, 0)
    (elsewhere.files / "table.pem").chmod(0o244)
    assert [name for _, name, _ in elsewhere.mistakes()] == ["broker.tls.certificate"]


def test_a_folder_that_the_service_may_not_enter_is_named(elsewhere: Place) -> None:
    elsewhere.files.chmod(0o700)
    text = f"nobody, as whom the service runs, may not enter the folder {elsewhere.files}"
    assert [told for _, _, told in elsewhere.mistakes()] == [text] * 3


def test_a_table_runs_although_its_certificates_are_wrong_and_says_so(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    (place.files / "table.key").unlink()
    [config] = run._loaded([place.config])
    assert config.table.id == "asia-1"
    told = capsys.readouterr().err
    assert "broker.tls.key" in told
    assert told.endswith(
        "felt: the table runs all the same; the floor may get nothing from it until this is right\n"
    )


def test_a_table_does_not_run_where_the_name_of_a_file_is_wrong(place: Place) -> None:
    text = place.config.read_text(encoding="utf-8").replace('key = "/', 'key = "')
    place.config.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"broker\.tls\.key"):
        run._loaded([place.config])
