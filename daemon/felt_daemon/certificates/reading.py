"""What a certificate says of itself: for whom it is, and from when until when it counts.

Only that is read out of it. Whether it is genuine, OpenSSL decides in each handshake.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import re
from dataclasses import dataclass, field
from typing import Final

_BLOCK = re.compile(
    r"-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----",
    flags=re.DOTALL,
)
_BEGIN = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----")
_LABELS: Final = frozenset({"CERTIFICATE", "X509 CERTIFICATE"})

# Tags of DER. Source: ITU-T X.690, 8.
_SEQUENCE: Final = 0x30
_SET: Final = 0x31
_OID: Final = 0x06
_UTC_TIME: Final = 0x17
_GENERALIZED_TIME: Final = 0x18
_BMP_STRING: Final = 0x1E
_VERSION: Final = 0xA0
_LONG_FORM: Final = 0x80
# id-at-commonName, 2.5.4.3. Source: RFC 5280, appendix A.1.
_COMMON_NAME: Final = bytes((0x55, 0x04, 0x03))
# "Where YY is greater than or equal to 50, the year SHALL be interpreted as 19YY".
# Source: RFC 5280, 4.1.2.5.1.
_PIVOT: Final = 50
_UTC_TIME_LENGTH: Final = 13

_Part = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate: its subject's common name, "" where it has none, and when it counts, ends included."""

    name: str
    begins: dt.datetime
    until: dt.datetime
    der: bytes = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the whole, in hexadecimal."""
        return hashlib.sha256(self.der).hexdigest()


def days_left(until: dt.datetime, now: dt.datetime) -> int:
    """How many days are left, the one that has begun counted whole; 0 where it is over."""
    return max(0, -((now - until) // dt.timedelta(days=1)))


def certificates(text: str) -> tuple[Certificate, ...]:
    """Every certificate in a PEM text, in its order; raises `ValueError` with words for people."""
    blocks = _BLOCK.findall(text)
    if len(blocks) != len(_BEGIN.findall(text)):
        raise ValueError("it is cut off: a block begins in it that does not end")
    found = tuple(certificate(_bytes(body)) for label, body in blocks if label in _LABELS)
    if not found:
        raise ValueError("there is no certificate in it (-----BEGIN CERTIFICATE-----)")
    return found


def certificate(der: bytes) -> Certificate:
    """The certificate in DER; raises `ValueError`. Source: RFC 5280, 4.1."""
    try:
        whole = _inside(_parts(der)[0], _SEQUENCE)
        fields = _inside(whole[0], _SEQUENCE)
        if fields[0][0] == _VERSION:
            fields = fields[1:]
        _serial, _signature, _issuer, validity, subject = fields[:5]
        begins, until = (_time(part) for part in _inside(validity, _SEQUENCE))
        name = _common_name(subject)
    except (IndexError, ValueError):
        raise ValueError("a certificate in it is damaged") from None
    return Certificate(name, begins, until, der)


def _bytes(body: str) -> bytes:
    try:
        return base64.b64decode("".join(body.split()), validate=True)
    except ValueError:
        raise ValueError("a certificate in it is damaged") from None


def _parts(content: bytes) -> list[_Part]:
    """The tag and the content of every element, one after the other."""
    found: list[_Part] = []
    at = 0
    while at < len(content):
        tag, length = content[at], content[at + 1]
        at += 2
        if length & _LONG_FORM:
            size = length & ~_LONG_FORM
            length = int.from_bytes(content[at : at + size], "big")
            at += size
        if at + length > len(content):
            raise ValueError("longer than what holds it")
        found.append((tag, content[at : at + length]))
        at += length
    return found


def _inside(part: _Part, tag: int) -> list[_Part]:
    if part[0] != tag:
        raise ValueError("another element than expected")
    return _parts(part[1])


def _time(part: _Part) -> dt.datetime:
    tag, content = part
    text = content.decode("ascii")
    if tag == _UTC_TIME and len(text) == _UTC_TIME_LENGTH:
        text = ("19" if int(text[:2]) >= _PIVOT else "20") + text
    elif tag != _GENERALIZED_TIME:
        raise ValueError("no time")
    return dt.datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=dt.UTC)


def _common_name(subject: _Part) -> str:
    """The last common name of a subject, which is the most specific one."""
    name = ""
    for relative in _inside(subject, _SEQUENCE):
        for attribute in _inside(relative, _SET):
            kind, value = _inside(attribute, _SEQUENCE)
            if kind == (_OID, _COMMON_NAME):
                coding = "utf-16-be" if value[0] == _BMP_STRING else "utf-8"
                name = value[1].decode(coding)
    return name
