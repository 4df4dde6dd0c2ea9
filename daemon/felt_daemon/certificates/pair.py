"""The three files of a table's way to the broker: held against each other, and made ready for connections."""

from __future__ import annotations

import hashlib
import ssl
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from felt_daemon.certificates.reading import Certificate, certificates

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator
    from pathlib import Path

    from felt_daemon.config.model import Tls

Which = Literal["authority", "certificate", "key"]

# A file of certificates has some kilobytes; whatever is larger is something else.
LARGEST_FILE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one of the files, in words that follow its name, and what would be right."""

    file: Which
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Files that fit together. `authority` is of its certificates the one that ends last.

    `digest` is of the content of all three files; it changes when, and only when, one of them does.
    """

    context: ssl.SSLContext = field(compare=False)
    certificate: Certificate
    authority: Certificate
    digest: str


def examined(files: Tls, table: str | None) -> tuple[Pair | None, list[Fault]]:
    """The pair in these files, and what is wrong with them; a pair is there if nothing is.

    The certificate's common name is to be `table`, if that is known. What is past or to come is another
    question: `untimely`.
    """
    faults: list[Fault] = []
    texts = {which: _text(path, which, faults) for which, path in _paths(files)}
    anchors = _certificates(texts["authority"], "authority", faults)
    own = _certificates(texts["certificate"], "certificate", faults)
    if own and table is not None and own[0].name != table:
        faults.append(Fault("certificate", _another_name(own[0].name, table)))
    key = texts["key"]
    if key is not None and (wrong := _key_fault(key)):
        faults.append(Fault("key", wrong))
    if faults:
        return None, faults
    context = _context()
    try:
        context.load_verify_locations(cadata=b"".join(one.der for one in anchors))
        context.load_cert_chain(files.certificate, files.key, password=_no_password)
    except (ssl.SSLError, ValueError, OSError) as error:
        return None, [_refused(error, files)]
    content = "\0".join(text for text in texts.values() if text is not None)
    return (
        Pair(
            context=context,
            certificate=own[0],
            authority=max(anchors, key=lambda one: one.until),
            digest=hashlib.sha256(content.encode()).hexdigest(),
        ),
        [],
    )


def untimely(certificate: Certificate, now: dt.datetime) -> str:
    """Why a certificate does not count at this moment; empty if it does."""
    if now < certificate.begins:
        return f"it is not valid before {shown(certificate.begins)}"
    if now > certificate.until:
        return f"it has expired: it was valid until {shown(certificate.until)}"
    return ""


def shown(moment: dt.datetime) -> str:
    """A moment for people, to the minute."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _context() -> ssl.SSLContext:
    """A client that trusts nobody yet, and never a broker without a certificate for its name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # A name counts where RFC 9525 says that it stands, and not in the subject.
    context.hostname_checks_common_name = False
    # An authority of the house's that stands under another one is trusted by itself.
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _paths(files: Tls) -> Iterator[tuple[Which, Path]]:
    yield "authority", files.authority
    yield "certificate", files.certificate
    yield "key", files.key


def _text(path: Path, which: Which, faults: list[Fault]) -> str | None:
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        faults.append(Fault(which, f"it cannot be read: {error.strerror}"))
        return None
    if len(data) > LARGEST_FILE:
        faults.append(Fault(which, f"it is larger than {LARGEST_FILE} bytes: no PEM file of certificates"))
        return None
    # PEM is ASCII; what stands around it may be in any script.
    return data.decode("utf-8", errors="replace")


def _certificates(text: str | None, which: Which, faults: list[Fault]) -> tuple[Certificate, ...]:
    if text is None:
        return ()
    try:
        return certificates(text)
    except ValueError as error:
        faults.append(Fault(which, str(error)))
        return ()


def _another_name(name: str, table: str) -> str:
    has = f'the common name "{name}"' if name else "no common name"
    return f"it has {has}; a table's certificate has the table's id there, \"{table}\""


def _key_fault(text: str) -> str:
    """What can be told of a key without its certificate."""
    if "PRIVATE KEY-----" not in text.partition("-----BEGIN ")[2]:
        return "there is no private key in it (-----BEGIN PRIVATE KEY-----)"
    if "ENCRYPTED" in text:
        return "the key has a password, and nobody is there to give it; store it without one, mode 0600"
    if "-----END " not in text:
        return "it is cut off: the key begins in it and does not end"
    return ""


def _no_password() -> str:
    raise ValueError("the key has a password, and nobody is there to give it")


def _refused(error: Exception, files: Tls) -> Fault:
    """OpenSSL's verdict on files that look whole."""
    reason = getattr(error, "reason", None)
    if reason == "KEY_VALUES_MISMATCH":
        return Fault("key", f"it does not belong to {files.certificate}: one of the two is of another pair")
    if reason in {"EE_KEY_TOO_SMALL", "CA_KEY_TOO_SMALL", "CA_MD_TOO_WEAK"}:
        weak = f"it is too weak for TLS ({reason}); take ECDSA P-256, or RSA of 2048 bits or more"
        return Fault("certificate", weak)
    return Fault("key", f"it cannot be used with {files.certificate}: {error}")
