"""Making keys and certificates: a small site's authority, and what it issues to tables, brokers, consumers.

ECDSA on P-256 throughout: every TLS library has it, and a handshake costs a small box milliseconds.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["table", "broker", "consumer"]

# A box whose clock is a little behind takes a new certificate all the same.
BACKDATED: Final = dt.timedelta(hours=1)
# "ub-common-name INTEGER ::= 64". Source: RFC 5280, appendix A.1.
LONGEST_NAME: Final = 64

_PURPOSE: Final = {
    "table": ExtendedKeyUsageOID.CLIENT_AUTH,
    "consumer": ExtendedKeyUsageOID.CLIENT_AUTH,
    "broker": ExtendedKeyUsageOID.SERVER_AUTH,
}


class WrongPassphrase(ValueError):  # noqa: N818 - the name says what it is
    """The authority's key has a passphrase, and not this one; or it has none and one was given."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A certificate and its key, both in PEM; the key is a secret."""

    certificate: bytes
    key: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Whom a certificate is for, and from when until when it is to count.

    `name` is the common name. `hosts` are the names and addresses of a broker.
    """

    kind: Kind
    name: str
    begins: dt.datetime
    until: dt.datetime
    hosts: Sequence[str] = ()


class Authority:
    """An authority's key and certificate, ready to issue."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        self._key = key
        self._certificate = certificate

    @classmethod
    def new(cls, name: str, begins: dt.datetime, until: dt.datetime) -> Authority:
        """An authority with a new key."""
        key = ec.generate_private_key(ec.SECP256R1())
        return cls(key, _self_signed(key, _named(name), begins, until))

    @classmethod
    def read(cls, certificate: bytes, key: bytes, passphrase: bytes | None) -> Authority:
        """The authority in these PEM texts; raises `WrongPassphrase`, or `ValueError` for damaged ones."""
        try:
            secret = load_pem_private_key(key, passphrase)
        except TypeError as error:
            raise WrongPassphrase(str(error)) from None
        except ValueError as error:
            if passphrase is None:
                raise
            raise WrongPassphrase(str(error)) from None
        if not isinstance(secret, ec.EllipticCurvePrivateKey):
            raise ValueError("the key is not an ECDSA key")  # noqa: TRY004 - the file's value, not a type
        own = x509.load_pem_x509_certificate(certificate)
        if own.public_key() != secret.public_key():
            raise ValueError("the key does not belong to the certificate")
        return cls(secret, own)

    def renewed(self, begins: dt.datetime, until: dt.datetime) -> Authority:
        """The same key and name for another time: what it has issued stays good."""
        return Authority(self._key, _self_signed(self._key, self._certificate.subject, begins, until))

    @property
    def until(self) -> dt.datetime:
        """Its last moment."""
        return self._certificate.not_valid_after_utc

    def issued(self, passphrase: bytes | None) -> Issued:
        """Its own certificate and key, the key under a passphrase where one is given."""
        how = NoEncryption() if passphrase is None else BestAvailableEncryption(passphrase)
        return Issued(
            self._certificate.public_bytes(Encoding.PEM),
            self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, how),
        )

    def issue(self, wish: Wish) -> Issued:
        """A new key and a certificate for it. It never counts longer than the authority itself."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = (
            _about(
                _named(wish.name), self._certificate.subject, key, wish.begins, min(wish.until, self.until)
            )
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([_PURPOSE[wish.kind]]), critical=False)
            .add_extension(_identified_by(self._certificate), critical=False)
        )
        if wish.hosts:
            names = x509.SubjectAlternativeName([_host(one) for one in wish.hosts])
            builder = builder.add_extension(names, critical=False)
        return Issued(
            builder.sign(self._key, SHA256()).public_bytes(Encoding.PEM),
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        )


def hosts_of(der: bytes) -> list[str]:
    """The names and addresses that a certificate is for."""
    extensions = x509.load_der_x509_certificate(der).extensions
    try:
        names = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(one.value) for one in names]


def _self_signed(
    key: ec.EllipticCurvePrivateKey, name: x509.Name, begins: dt.datetime, until: dt.datetime
) -> x509.Certificate:
    return (
        _about(name, name, key, begins, until)
        # Nobody whom it vouches for may vouch for others.
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(key, SHA256())
    )


def _about(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    begins: dt.datetime,
    until: dt.datetime,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _identified_by(authority: x509.Certificate) -> x509.AuthorityKeyIdentifier:
    """How a certificate names the key that signed it."""
    own = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(own)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _host(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)
