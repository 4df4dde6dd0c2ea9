"""What is read out of certificates, and what is wrong with files that should hold them."""

from __future__ import annotations

import base64
import datetime as dt
import ssl
import subprocess
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.name import _ASN1Type
from cryptography.x509.oid import NameOID

from felt_daemon.certificates.pair import examined, untimely
from felt_daemon.certificates.reading import certificate, certificates

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes
    from tests.tls.conftest import Site

    from felt_daemon.config.model import Tls

    Faults = Callable[[Tls], list[tuple[str, str]]]

BEGINS = dt.datetime(2026, 1, 1, 12, 30, tzinfo=dt.UTC)
FILES = ("authority", "certificate", "key")
UNTIL = dt.datetime(2027, 1, 1, 12, 30, 5, tzinfo=dt.UTC)


def made(
    *names: x509.NameAttribute,
    begins: dt.datetime = BEGINS,
    until: dt.datetime = UNTIL,
    key: CertificateIssuerPrivateKeyTypes | None = None,
) -> x509.Certificate:
    """A certificate that signs itself, with this subject."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name(names)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begins)
        .not_valid_after(until)
        .sign(key, SHA256())
    )


def common(name: str, kind: _ASN1Type | None = None) -> x509.NameAttribute:
    return x509.NameAttribute(NameOID.COMMON_NAME, name, kind)


def pem(*found: x509.Certificate) -> str:
    return "".join(one.public_bytes(Encoding.PEM).decode() for one in found)


def test_name_and_times_are_read() -> None:
    (one,) = certificates("A note, Müller.\n" + pem(made(common("asia-1"))) + "after it\n")
    assert (one.name, one.begins, one.until) == ("asia-1", BEGINS, UNTIL)


def test_the_fingerprint_is_the_one_that_openssl_shows(table: Tls) -> None:
    (one,) = certificates(table.certificate.read_text())
    shown = subprocess.run(  # noqa: S603 - a file of the test's own
        ["openssl", "x509", "-in", table.certificate, "-noout", "-fingerprint", "-sha256"],  # noqa: S607 - the one on the path
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert shown.strip().rpartition("=")[2].replace(":", "").lower() == one.fingerprint


@pytest.mark.parametrize("year", [1999, 2049, 2050, 9999])
def test_a_year_of_either_kind_of_time_is_that_year(year: int) -> None:
    until = dt.datetime(year, 12, 31, 23, 59, 59, tzinfo=dt.UTC)
    one = certificate(
        made(common("a"), begins=until - dt.timedelta(days=1), until=until).public_bytes(Encoding.DER)
    )
    assert one.until == until


@pytest.mark.parametrize("kind", [_ASN1Type.UTF8String, _ASN1Type.PrintableString, _ASN1Type.BMPString])
def test_a_name_is_read_in_every_kind_of_text(kind: _ASN1Type) -> None:
    assert certificates(pem(made(common("asia-1", kind))))[0].name == "asia-1"


def test_of_several_common_names_the_last_counts_and_others_do_not() -> None:
    country, unit = (
        x509.NameAttribute(NameOID.COUNTRY_NAME, "US"),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "x"),
    )
    assert (
        certificates(pem(made(country, common("people"), unit, common("asia-1"), unit)))[0].name == "asia-1"
    )
    assert certificates(pem(made(country, unit)))[0].name == ""


def test_every_certificate_of_a_file_is_read_in_its_order() -> None:
    text = pem(made(common("a")), made(common("b")))
    assert [one.name for one in certificates(text)] == ["a", "b"]


@pytest.mark.parametrize("length", range(0, 400, 7))
def test_a_file_that_is_half_written_is_no_certificate(length: int) -> None:
    with pytest.raises(ValueError, match=r"cut off|no certificate"):
        certificates(pem(made(common("asia-1")))[:length])


def test_a_chain_that_is_half_written_is_not_taken_for_its_first_half() -> None:
    whole = pem(made(common("a")))
    with pytest.raises(ValueError, match="cut off"):
        certificates(whole + whole[:200])


def test_other_things_in_pem_are_no_certificate() -> None:
    with pytest.raises(ValueError, match="no certificate"):
        certificates("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")


def test_bytes_that_are_damaged_are_a_value_error_wherever_they_are_cut() -> None:
    der = made(common("asia-1")).public_bytes(Encoding.DER)
    for length in range(len(der) - 100):
        with pytest.raises(ValueError, match="damaged"):
            certificate(der[:length])
    for at in range(120):
        damaged = der[:at] + bytes((der[at] ^ 0x55,)) + der[at + 1 :]
        try:
            certificate(damaged)
        except ValueError as error:
            assert str(error) == "a certificate in it is damaged"  # noqa: PT017 - some damage is in what is not read
    with pytest.raises(ValueError, match="damaged"):
        certificates("-----BEGIN CERTIFICATE-----\n=A=A\n-----END CERTIFICATE-----\n")


@pytest.fixture
def faults() -> Faults:
    """Which file is wrong, and how, for table asia-1."""

    def found(files: Tls) -> list[tuple[str, str]]:
        pair, wrong = examined(files, "asia-1")
        assert (pair is None) == bool(wrong)
        return [(fault.file, fault.text) for fault in wrong]

    return found


def test_files_that_fit_are_a_pair_that_trusts_the_named_authority_and_nobody_else(
    table: Tls,
) -> None:
    pair, wrong = examined(table, "asia-1")
    assert wrong == []
    assert pair is not None
    context = pair.context
    assert [dict(part[0] for part in one["subject"])["commonName"] for one in context.get_ca_certs()] == [  # type: ignore[index,misc] # as the library has it
        "Rivers authority"
    ]
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert pair.authority.name == "Rivers authority"
    assert examined(table, None)[0] == pair


def test_a_key_of_another_pair_does_not_fit(table: Tls, site: Site, faults: Faults) -> None:
    table.key.write_bytes(site.issue("table", "asia-1").key.read_bytes())
    assert faults(table) == [
        ("key", f"it does not belong to {table.certificate}: one of the two is of another pair")
    ]


def test_a_certificate_of_another_table_is_told_by_its_name(site: Site, faults: Faults) -> None:
    assert faults(site.issue("table", "asia-2")) == [
        (
            "certificate",
            'it has the common name "asia-2"; a table\'s certificate has the table\'s id there, "asia-1"',
        )
    ]


def test_a_certificate_without_a_name_says_so(table: Tls, faults: Faults) -> None:
    table.certificate.write_text(pem(made()))
    assert faults(table)[0][1].startswith("it has no common name; ")


def test_each_file_that_is_missing_or_no_pem_is_told_at_once(
    table: Tls, faults: Faults, tmp_path: Path
) -> None:
    gone = table.model_copy(update=dict.fromkeys(FILES, tmp_path / "gone"))
    assert faults(gone) == [
        (which, "it cannot be read: No such file or directory")
        for which in ("authority", "certificate", "key")
    ]
    nothing = tmp_path / "nothing.pem"
    nothing.write_bytes(b"\xff\xfe")
    empty = table.model_copy(update=dict.fromkeys(FILES, nothing))
    none = "there is no certificate in it (-----BEGIN CERTIFICATE-----)"
    assert faults(empty) == [
        ("authority", none),
        ("certificate", none),
        ("key", "there is no private key in it (-----BEGIN PRIVATE KEY-----)"),
    ]


def test_a_file_of_a_megabyte_is_something_else(table: Tls, faults: Faults, tmp_path: Path) -> None:
    large = tmp_path / "large.pem"
    large.write_bytes(b" " * (1024 * 1024 + 1))
    assert faults(table.model_copy(update={"authority": large})) == [
        ("authority", "it is larger than 1048576 bytes: no PEM file of certificates")
    ]


def test_a_key_with_a_password_is_told_and_nobody_is_asked_for_it(table: Tls, faults: Faults) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    text = "the key has a password, and nobody is there to give it; store it without one, mode 0600"
    for form in (PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL):
        table.key.write_bytes(key.private_bytes(Encoding.PEM, form, BestAvailableEncryption(b"12345678")))
        assert faults(table) == [("key", text)]


def test_a_key_that_is_half_written_or_damaged_is_told(table: Tls, faults: Faults) -> None:
    whole = table.key.read_text()
    table.key.write_text(whole[:120])
    assert faults(table) == [("key", "it is cut off: the key begins in it and does not end")]
    begin, body, *rest = whole.splitlines()
    table.key.write_text("\n".join((begin, base64.b64encode(b"\x30\x03abc" + body.encode()).decode(), *rest)))
    [(file, text)] = faults(table)
    assert file == "key"
    assert text.startswith(f"it cannot be used with {table.certificate}: ")


def test_a_key_that_is_too_weak_for_tls_is_told(table: Tls, faults: Faults) -> None:
    key = rsa.generate_private_key(65537, 1024)  # noqa: S505 - that is the point
    table.certificate.write_text(pem(made(common("asia-1"), key=key)))
    table.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    assert faults(table) == [
        (
            "certificate",
            "it is too weak for TLS (EE_KEY_TOO_SMALL); take ECDSA P-256, or RSA of 2048 bits or more",
        )
    ]


def test_a_certificate_counts_from_its_first_moment_to_its_last() -> None:
    (one,) = certificates(pem(made(common("a"))))
    second = dt.timedelta(seconds=1)
    assert untimely(one, BEGINS - second) == "it is not valid before 2026-01-01 12:30 UTC"
    assert untimely(one, BEGINS) == ""
    assert untimely(one, UNTIL) == ""
    assert untimely(one, UNTIL + second) == "it has expired: it was valid until 2027-01-01 12:30 UTC"


def test_of_several_authorities_the_one_that_lasts_longest_is_told(table: Tls, tmp_path: Path) -> None:
    both = tmp_path / "both.pem"
    later = UNTIL + dt.timedelta(days=9000)
    both.write_text(pem(made(common("old")), made(common("new"), until=later), made(common("older"))))
    pair, _ = examined(table.model_copy(update={"authority": both}), "asia-1")
    assert pair is not None
    assert pair.authority.name == "new"
