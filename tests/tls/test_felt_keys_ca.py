"""`felt keys ca`: what it makes is what OpenSSL says it is, and nothing is written over."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import pty
import resource
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

from felt_daemon.certificates.authority import Authority
from felt_daemon.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Felt = Callable[..., tuple[int, str, str]]

PASSPHRASE = "a horse and a stable"  # noqa: S105 - of a throw-away authority


@pytest.fixture
def felt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Felt:
    """Give a command in an empty folder: its code, and what it said on both ways."""
    monkeypatch.chdir(tmp_path)

    def given(*words: str) -> tuple[int, str, str]:
        try:
            code = main(["keys", "ca", *words])
        except SystemExit as error:
            code = int(str(error.code))
        said = capsys.readouterr()
        return code, said.out, said.err

    return given


@pytest.fixture
def authority(felt: Felt, tmp_path: Path) -> Path:
    """The folder of an authority."""
    assert felt("init", "ca", "--name", "Rivers authority")[0] == 0
    return tmp_path / "ca"


def read(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def openssl(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["openssl", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607 - files of the test's own


def test_an_authority_vouches_for_others_and_they_for_nobody(felt: Felt, authority: Path) -> None:
    own = read(authority / "authority.pem")
    assert own.subject.rfc4514_string() == own.issuer.rfc4514_string() == "CN=Rivers authority"
    basic = own.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    usage = own.extensions.get_extension_for_class(x509.KeyUsage)
    assert (usage.critical, usage.value.key_cert_sign, usage.value.digital_signature) == (True, True, False)
    assert felt("issue-table", "asia-1")[0] == 0
    issued = read(authority / "tables" / "asia-1.pem")
    assert issued.issuer.rfc4514_string() == "CN=Rivers authority"
    assert issued.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    assert issued.extensions.get_extension_for_class(x509.KeyUsage).value.digital_signature is True
    key = issued.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert key.curve.name == "secp256r1"


@pytest.mark.parametrize(
    ("words", "file", "purpose"),
    [
        (("issue-table", "asia-1"), "tables/asia-1.pem", "sslclient"),
        (("issue-consumer", "pit"), "consumers/pit.pem", "sslclient"),
        (("issue-broker", "broker.example"), "brokers/broker.example.pem", "sslserver"),
    ],
)
def test_openssl_takes_each_for_what_it_is_for_and_for_nothing_else(
    felt: Felt, authority: Path, words: tuple[str, ...], file: str, purpose: str
) -> None:
    assert felt(*words)[0] == 0
    other = {"sslclient": "sslserver", "sslserver": "sslclient"}[purpose]
    verify = ("verify", "-x509_strict", "-CAfile", authority / "authority.pem", "-purpose")
    assert openssl(*verify, purpose, authority / file).stdout == f"{authority / file}: OK\n"
    assert "certificate purpose" in openssl(*verify, other, authority / file).stderr


def test_a_broker_has_every_name_and_address_it_was_given(felt: Felt, authority: Path) -> None:
    code, out, _ = felt("issue-broker", "Broker.Floor.example", "10.3.0.1", "::1", "--json")
    assert code == 0
    assert json.loads(out)["hosts"] == ["broker.floor.example", "10.3.0.1", "::1"]
    issued = read(authority / "brokers" / "broker.floor.example.pem")
    names = issued.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["broker.floor.example"]
    assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == ["10.3.0.1", "::1"]
    usage = issued.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert "names       broker.floor.example 10.3.0.1 ::1\n" in felt("show", "broker.floor.example")[1]
    assert felt("issue-broker", "fe80::1")[0] == 0
    assert (authority / "brokers" / "fe80__1.pem").exists()


def test_keys_can_be_read_by_their_owner_alone(felt: Felt, authority: Path) -> None:
    before = os.umask(0)
    try:
        felt("issue-table", "asia-1")
        felt("issue-table", "asia-1", "--renew")
    finally:
        os.umask(before)
    assert [mode(one) for one in (authority, authority / "tables")] == [0o700, 0o700]
    assert [mode(one) for one in authority.rglob("*.key")] == [0o600, 0o600]
    assert mode(authority / "tables" / "asia-1.pem") == 0o644


def test_nothing_is_written_over_unless_it_is_to_be_renewed(felt: Felt, authority: Path) -> None:
    felt("issue-table", "asia-1")
    before = {file: file.read_bytes() for file in authority.rglob("*.*")}
    assert felt("init", "ca") == (
        1,
        "",
        "ca has an authority; --renew gives it more time and keeps its key\n",
    )
    assert felt("issue-table", "asia-1") == (
        1,
        "",
        "ca/tables/asia-1.pem is there; --renew puts a new certificate and a new key in its place\n",
    )
    assert {file: file.read_bytes() for file in authority.rglob("*.*")} == before
    assert felt("issue-table", "asia-1", "--renew")[0] == 0
    changed = {file.name for file, data in before.items() if file.read_bytes() != data}
    assert changed == {"asia-1.pem", "asia-1.key"}
    assert {file.name for file in authority.rglob("*.*")} == {file.name for file in before}


def test_a_key_that_is_left_without_its_certificate_is_not_written_over(felt: Felt, authority: Path) -> None:
    felt("issue-table", "asia-1")
    (authority / "tables" / "asia-1.pem").unlink()
    code, _, err = felt("issue-table", "asia-1")
    assert (code, err) == (1, "ca/tables/asia-1.key is there, and is not written over without --renew\n")


def test_a_renewed_authority_stands_for_all_that_it_has_issued(felt: Felt, authority: Path) -> None:
    felt("issue-table", "asia-1")
    before = read(authority / "authority.pem")
    assert felt("init", "ca", "--renew", "--days", "5000")[0] == 0
    after = read(authority / "authority.pem")
    assert (after.subject, after.public_key()) == (before.subject, before.public_key())
    assert (after.not_valid_after_utc - before.not_valid_after_utc).days in {1349, 1350}
    file = authority / "tables" / "asia-1.pem"
    assert openssl("verify", "-CAfile", authority / "authority.pem", file).stdout == f"{file}: OK\n"


def test_a_certificate_never_lasts_longer_than_its_authority(felt: Felt, tmp_path: Path) -> None:
    felt("init", "short", "--days", "20")
    code, out, _ = felt("issue-table", "asia-1", "--ca", "short")
    assert code == 0
    assert out.endswith("It ends with the authority: felt keys ca init --renew\n")
    own, issued = read(tmp_path / "short/authority.pem"), read(tmp_path / "short/tables/asia-1.pem")
    assert issued.not_valid_after_utc == own.not_valid_after_utc


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("issue-table", "pit"), ("issue-consumer", "pit")),
        (("issue-consumer", "pit"), ("issue-table", "pit")),
        (("issue-broker", "pit"), ("issue-table", "pit", "--renew")),
    ],
)
@pytest.mark.usefixtures("authority")
def test_two_of_different_kinds_never_share_a_name(
    felt: Felt, first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    assert felt(*first)[0] == 0
    code, _, err = felt(*second)
    assert code == 1
    assert err.endswith("has the name pit, and a broker would take one for the other; give another name\n")


@pytest.mark.parametrize(
    "words",
    [
        ("issue-table", "Asia 1"),
        ("issue-table", "floor"),
        ("issue-broker", "*.example"),
        ("issue-broker", "-a"),
        ("issue-broker", "a..b"),
        ("issue-table", "a", "--days", "0"),
        ("issue-table", "a", "--days", "x"),
        ("init", "--name", ""),
        ("init", "--name", "x" * 65),
        (),
    ],
)
def test_what_no_name_or_number_can_be_is_refused_at_once(
    felt: Felt, words: tuple[str, ...], tmp_path: Path
) -> None:
    assert felt(*words)[0] == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("authority")
def test_a_first_name_that_is_too_long_for_a_common_name_is_refused(felt: Felt) -> None:
    code, _, err = felt("issue-broker", "a" * 60 + ".example")
    assert (code, err) == (1, "the first name has more than 64 characters; give a shorter one first\n")


def test_the_list_shows_how_long_everything_lasts(felt: Felt, authority: Path) -> None:
    felt("issue-table", "asia-1", "--days", "1")
    felt("issue-consumer", "pit")
    code, out, _ = felt("list")
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert [line[:2] for line in lines] == [["authority", "Rivers"], ["table", "asia-1"], ["consumer", "pit"]]
    assert [line[-3:] for line in lines] == [
        ["3650", "days", "left"],
        ["1", "day", "left"],
        ["397", "days", "left"],
    ]
    found: dict[str, Any] = json.loads(felt("list", "--json")[1])
    assert found["ca"] == "ca"
    assert [(one["kind"], one["days"], one["expired"]) for one in found["certificates"]] == [
        ("authority", 3650, False),
        ("table", 1, False),
        ("consumer", 397, False),
    ]
    one = read(authority / "tables" / "asia-1.pem")
    assert found["certificates"][1]["until"] == f"{one.not_valid_after_utc:%Y-%m-%dT%H:%M:%SZ}"


@pytest.mark.usefixtures("authority")
def test_one_is_shown_by_its_name_and_a_name_that_is_not_there_is_refused(felt: Felt) -> None:
    assert felt("show", "authority")[1].startswith("authority Rivers authority\n  valid from  ")
    assert felt("show", "asia-1") == (
        1,
        "",
        "ca has nothing of the name asia-1; felt keys ca list shows what it has\n",
    )


def test_without_an_authority_every_command_says_how_to_make_one(felt: Felt) -> None:
    for words in (("list",), ("show", "a"), ("issue-table", "a"), ("init", "--renew")):
        assert felt(*words) == (1, "", "ca has no authority; make one with: felt keys ca init ca\n")


def test_an_expired_authority_issues_nothing(felt: Felt, authority: Path) -> None:
    past = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    old = Authority.new("old", past, past + dt.timedelta(days=1)).issued(None)
    (authority / "authority.pem").write_bytes(old.certificate)
    (authority / "authority.key").write_bytes(old.key)
    assert felt("issue-table", "a") == (
        1,
        "",
        "the authority in ca has expired; felt keys ca init ca --renew\n",
    )
    assert felt("list")[1].endswith("EXPIRED\n")


def test_a_damaged_folder_is_told_with_its_file(felt: Felt, authority: Path) -> None:
    whole = (authority / "authority.key").read_bytes()
    (authority / "authority.key").write_bytes(whole[:100])
    code, _, err = felt("issue-table", "a")
    assert code == 78
    assert err.startswith("ca/authority.key: ")
    assert err.endswith("\nNothing was made.\n")
    (authority / "authority.pem").write_text("nothing")
    assert felt("list")[:2] == (78, "")


def test_a_key_of_another_authority_is_no_key_of_this_one(
    felt: Felt, authority: Path, tmp_path: Path
) -> None:
    felt("init", "other")
    (authority / "authority.key").write_bytes((tmp_path / "other" / "authority.key").read_bytes())
    code, _, err = felt("issue-table", "a")
    assert (code, err) == (
        78,
        "ca/authority.key: the key does not belong to the certificate\nNothing was made.\n",
    )
    (authority / "authority.key").unlink()
    code, _, err = felt("issue-table", "a")
    assert (code, err) == (66, "ca/authority.key: No such file or directory\n")


def test_a_folder_that_cannot_be_written_is_told(felt: Felt, tmp_path: Path) -> None:
    (tmp_path / "ca").write_text("")
    code, _, err = felt("init")
    assert (code, err) == (66, "ca: File exists\n")


def test_a_passphrase_keeps_the_authority_s_key(
    felt: Felt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "word").write_text(PASSPHRASE + "\n")
    (tmp_path / "other").write_text("another one\n")
    (tmp_path / "short").write_text("short\n")
    assert felt("init", "--passphrase-file", "short")[0] == 1
    assert felt("init", "--passphrase-file", "word")[0] == 0
    assert b"ENCRYPTED" in (tmp_path / "ca/authority.key").read_bytes()
    assert felt("issue-table", "a", "--passphrase-file", "word")[0] == 0
    assert felt("init", "--renew", "--passphrase-file", "word")[0] == 0
    assert b"ENCRYPTED" in (tmp_path / "ca/authority.key").read_bytes()
    assert felt("issue-table", "b", "--passphrase-file", "other") == (
        1,
        "",
        "ca/authority.key has another passphrase\n",
    )
    # as a script runs it: nobody is there to ask
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert felt("issue-table", "b") == (
        1,
        "",
        "authority.key has a passphrase and there is no terminal to ask at: --passphrase-file FILE\n",
    )
    assert felt("init", "more", "--passphrase")[0] == 1
    assert felt("list")[0] == 0


@pytest.fixture
def full_disk(authority: Path) -> Iterator[None]:
    """From here on no file takes more than 64 bytes, as on a disk that is full."""
    assert authority.exists()
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, most))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_nothing_half_written(felt: Felt, authority: Path) -> None:
    before = {file: file.read_bytes() for file in authority.rglob("*.*")}
    code, _, err = felt("issue-table", "asia-1")
    assert (code, err) == (66, "ca/tables/asia-1.key: File too large\n")
    code, _, err = felt("init", "ca", "--renew")
    assert (code, err) == (66, "ca/authority.pem: File too large\n")
    assert {file: file.read_bytes() for file in authority.rglob("*.*")} == before


def test_a_certificate_that_cannot_be_written_takes_its_key_with_it(felt: Felt, authority: Path) -> None:
    # A key has 241 bytes and a certificate more than twice as many.
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, most))
    try:
        code, _, err = felt("issue-table", "asia-1")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))
    assert (code, err) == (66, "ca/tables/asia-1.pem: File too large\n")
    assert list((authority / "tables").iterdir()) == []
    assert felt("issue-table", "asia-1")[0] == 0


@pytest.mark.usefixtures("authority")
def test_a_passphrase_for_a_key_without_one_is_told(felt: Felt, tmp_path: Path) -> None:
    (tmp_path / "word").write_text(PASSPHRASE + "\n")
    assert felt("issue-table", "b", "--passphrase-file", "word") == (
        1,
        "",
        "ca/authority.key has no passphrase\n",
    )
    assert felt("issue-table", "b", "--passphrase-file", "nowhere") == (
        66,
        "",
        "nowhere: No such file or directory\n",
    )


@pytest.mark.long
def test_a_passphrase_is_asked_for_at_a_terminal(tmp_path: Path) -> None:
    typed = f"{PASSPHRASE}\n"
    assert at_a_terminal(tmp_path, typed * 2, "init", "--passphrase") == 0
    assert at_a_terminal(tmp_path, typed, "issue-table", "asia-1") == 0
    assert (tmp_path / "ca/tables/asia-1.pem").exists()
    assert at_a_terminal(tmp_path, f"{typed}something else\n", "init", "two", "--passphrase") == 1
    assert not (tmp_path / "two").exists()


def at_a_terminal(folder: Path, typed: str, *words: str) -> int:
    """Give a command at a terminal and type a line at each question; its exit code."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "felt_daemon", "keys", "ca", *words],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    lines = typed.splitlines(keepends=True)
    seen, answered = b"", 0
    while True:
        try:
            seen += os.read(ours, 1024)
        except OSError:  # Linux says so when the last one has left
            break
        if seen.count(b": ") > answered < len(lines):
            os.write(ours, lines[answered].encode())
            answered += 1
    os.close(ours)
    return child.wait()
