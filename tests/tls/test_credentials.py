"""The files of a table's certificate as the publisher takes them, from one look to the next."""

from __future__ import annotations

import datetime as dt
import os
import ssl
from typing import TYPE_CHECKING

import pytest

from felt_daemon.certificates.reading import certificates
from felt_daemon.publisher.tls import Credentials, verdict

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tls.conftest import Site

    from felt_daemon.config.model import Tls

DAY = dt.timedelta(days=1)
NOW = dt.datetime.now(dt.UTC)


class Told:
    """Credentials of table asia-1, and what they told."""

    def __init__(self, files: Tls) -> None:
        self.said: list[dict[str, str]] = []
        self.credentials = Credentials(files, "asia-1", self.said.append)

    def look(self, now: dt.datetime | None = NOW) -> list[str]:
        """Look once; what was told by that, without its details."""
        before = len(self.said)
        taken = self.credentials.look(now)
        assert taken == any("seen" in said for said in self.said[before:])
        return [said.get("seen", next(iter(said))) for said in self.said[before:]]


@pytest.fixture
def told(table: Tls) -> Told:
    return Told(table)


def fingerprint(files: Tls) -> str:
    return certificates(files.certificate.read_text())[0].fingerprint


def until(files: Tls) -> str:
    return f"{certificates(files.certificate.read_text())[0].until:%Y-%m-%dT%H:%M:%SZ}"


def test_files_that_fit_are_taken_once(told: Told, table: Tls) -> None:
    assert told.credentials.context is None
    assert told.look() == ["table", "authority"]
    assert told.said[0] == {"seen": "table", "until": until(table)}
    assert told.credentials.context is not None
    assert told.look() == []
    assert told.credentials.trouble == ""


def test_a_new_pair_takes_the_place_of_the_old_one(told: Told, table: Tls, site: Site) -> None:
    told.look()
    before = told.credentials.context
    site.issue("table", "asia-1", until=100 * DAY, into=table.certificate.parent)
    assert told.look() == ["renewed", "table", "authority"]
    assert told.said[2] == {"renewed": fingerprint(table), "until": until(table)}
    assert told.credentials.context is not before
    assert told.look() == []


def test_a_renewed_authority_is_taken_and_is_no_renewal_of_the_table_s_own(
    table: Tls, elsewhere: Site, tmp_path: Path
) -> None:
    own = tmp_path / "authority.pem"
    own.write_bytes(table.authority.read_bytes())
    told = Told(table.model_copy(update={"authority": own}))
    told.look()
    before = told.credentials.context
    own.write_bytes(elsewhere.authority.read_bytes() + table.authority.read_bytes())
    assert told.look() == ["table", "authority"]
    assert told.credentials.context is not before


def test_files_that_were_touched_and_are_the_same_are_no_news(told: Told, table: Tls) -> None:
    told.look()
    before = told.credentials.context
    os.utime(table.certificate)
    table.key.write_bytes(table.key.read_bytes())
    assert told.look() == []
    assert told.credentials.context is before


def test_a_pair_that_does_not_fit_is_told_once_and_the_old_one_stays(
    told: Told, table: Tls, site: Site
) -> None:
    told.look()
    before = told.credentials.context
    whole = table.certificate.read_bytes()
    table.certificate.write_bytes(site.issue("table", "asia-1").certificate.read_bytes())
    assert told.look() == ["unusable"]
    assert told.look() == []
    assert told.credentials.context is before
    table.certificate.write_bytes(whole)
    assert told.look() == []
    assert told.credentials.context is before
    assert told.credentials.trouble == ""


def test_a_file_that_is_half_written_is_told_and_taken_when_it_is_whole(
    told: Told, table: Tls, site: Site
) -> None:
    told.look()
    fresh = site.issue("table", "asia-1")
    table.key.write_bytes(fresh.key.read_bytes())
    whole = fresh.certificate.read_bytes()
    table.certificate.write_bytes(whole[:200])
    assert told.look() == ["unusable"]
    assert told.said[-1]["unusable"] == (
        f"{table.certificate}: it is cut off: a block begins in it that does not end"
    )
    table.certificate.write_bytes(whole)
    assert told.look() == ["renewed", "table", "authority"]


def test_another_mistake_in_the_same_files_is_told_too(told: Told, table: Tls) -> None:
    told.look()
    table.key.unlink()
    assert told.look() == ["unusable"]
    table.certificate.unlink()
    assert told.look() == ["unusable"]
    assert told.said[-1]["unusable"] == (
        f"{table.certificate}: it cannot be read: No such file or directory;"
        f" {table.key}: it cannot be read: No such file or directory"
    )


def test_a_table_that_had_no_pair_is_told_of_its_first_one_as_renewed(told: Told, table: Tls) -> None:
    key = table.key.read_bytes()
    table.key.unlink()
    assert told.look() == ["unusable"]
    assert told.credentials.context is None
    table.key.write_bytes(key)
    assert told.look() == ["renewed", "table", "authority"]


def test_an_expired_pair_is_not_taken_and_one_of_tomorrow_waits(told: Told, table: Tls, site: Site) -> None:
    told.look()
    site.issue("table", "asia-1", begins=-30 * DAY, until=-DAY, into=table.certificate.parent)
    assert told.look() == ["unusable"]
    assert "it has expired: it was valid until " in told.said[-1]["unusable"]
    site.issue("table", "asia-1", begins=DAY, into=table.certificate.parent)
    assert told.look() == ["unusable"]
    assert "it is not valid before " in told.said[-1]["unusable"]
    # nothing but the time has changed
    assert told.look(NOW + 2 * DAY) == ["renewed", "table", "authority"]


def test_while_nobody_knows_the_time_no_pair_is_too_old(told: Told, table: Tls, site: Site) -> None:
    site.issue("table", "asia-1", begins=-30 * DAY, until=-DAY, into=table.certificate.parent)
    assert told.look(None) == ["table", "authority"]
    # what is in use stays so: the broker is the judge of it
    assert told.look(NOW) == []


def test_the_broker_s_end_is_told_where_there_is_one(told: Told) -> None:
    told.credentials.broker(None)
    assert told.said == []
    told.credentials.broker(dt.datetime(2027, 1, 1, 12, 30, 5, tzinfo=dt.UTC))
    assert told.said == [{"seen": "broker", "until": "2027-01-01T12:30:05Z"}]


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (
            "TLSV1_ALERT_UNKNOWN_CA",
            "the broker does not take the table's certificate: it does not know the authority that issued it",
        ),
        ("UNSUPPORTED_PROTOCOL", "the broker speaks TLS 1.1 or older; let it speak TLS 1.2 or 1.3"),
        (
            "WRONG_VERSION_NUMBER",
            "the broker gives no TLS handshake on this port; give the port of its TLS listener",
        ),
        ("NO_SHARED_CIPHER", "no TLS with the broker: NO_SHARED_CIPHER"),
    ],
)
def test_every_refusal_has_words(reason: str, text: str) -> None:
    error = ssl.SSLError(1, "x")
    error.reason = reason
    assert str(verdict(error, "localhost")) == text


def test_a_verdict_on_a_certificate_that_is_not_known_here_is_told_in_the_library_s_words() -> None:
    error = ssl.SSLCertVerificationError(1, "x")
    error.verify_code, error.verify_message = 23, "certificate revoked"
    told = verdict(error, "localhost")
    assert (str(told), told.by_clock) == (
        "the broker's certificate does not hold: certificate revoked",
        False,
    )
