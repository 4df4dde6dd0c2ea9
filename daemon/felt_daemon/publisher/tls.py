"""Mutual TLS on the way to the broker: the table's certificate, and handshakes that say what failed.

There is no way around it. A broker that speaks plain, or whose certificate is another authority's, for
another host, expired or not yet valid, gets no connection, and people are told in words. The connection is
tried again with the usual pauses.
"""

from __future__ import annotations

import datetime as dt
import ssl
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from felt_daemon.certificates.pair import Pair, examined, untimely
from felt_mqtt.tls import Socket

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_daemon.config.model import Tls

# How often the files are looked at while a connection stands.
LOOK_EVERY_S: Final = 60.0

# Verdicts on the broker's certificate. Source: OpenSSL, X509_verify_cert_error_string(3).
_NOT_YET_VALID: Final = 9
_EXPIRED: Final = 10
_NO_PURPOSE: Final = 26
_HOST_DIFFERS: Final = frozenset({62, 64})
_UNKNOWN_AUTHORITY: Final = frozenset({2, 18, 19, 20, 21})

# What a broker says of the table's certificate. Source: RFC 8446, 6.2, by OpenSSL's names.
_ALERTS: Final = {
    "TLSV1_ALERT_UNKNOWN_CA": "it does not know the authority that issued it",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "it has expired, or is not yet valid, by the broker's clock",
    "SSLV3_ALERT_CERTIFICATE_REVOKED": "it is revoked",
    "SSLV3_ALERT_BAD_CERTIFICATE": "it is not one that the broker takes",
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN": "it is not one that the broker takes",
    "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE": "it is not for TLS clients (extended key usage)",
    "TLSV1_ALERT_ACCESS_DENIED": "it may not come in",
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "none was given",
    "TLSV1_ALERT_DECRYPT_ERROR": "its signature does not hold",
}
_PLAIN: Final = frozenset(
    {"WRONG_VERSION_NUMBER", "UNEXPECTED_EOF_WHILE_READING", "HTTP_REQUEST", "UNKNOWN_PROTOCOL"}
)
_OLD: Final = frozenset({"UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION", "NO_PROTOCOLS_AVAILABLE"})


class Distrust(OSError):  # noqa: N818 - it is what there is, not how it came about
    """TLS does not hold; the text is for people. `by_clock`: another time would give another verdict."""

    def __init__(self, text: str, *, by_clock: bool = False) -> None:
        super().__init__(text)
        self.by_clock = by_clock


class Wire(Socket):
    """A TLS connection that keeps why it broke."""

    refused: Distrust | None = None
    # The last moment of the certificate that the other end has shown.
    ends: dt.datetime | None = None

    @override
    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError as error:
            raise verdict(error, self.server_hostname or "") from None
        self.ends = _ends(self.getpeercert())

    @override
    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        try:
            return super().recv(buflen, flags)
        except ssl.SSLError as error:
            self._keep(error)
            raise

    @override
    def send(self, data: Any, flags: int = 0) -> int:
        try:
            return super().send(data, flags)
        except ssl.SSLError as error:
            self._keep(error)
            raise

    def _keep(self, error: ssl.SSLError) -> None:
        if not isinstance(error, ssl.SSLWantReadError | ssl.SSLWantWriteError):
            self.refused = verdict(error, self.server_hostname or "")


def verdict(error: OSError, host: str) -> Distrust:
    """What a failed handshake with `host` means, and what would be right."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _of_the_broker(error.verify_code, error.verify_message, host)
    reason = getattr(error, "reason", None) or ""
    if reason in _ALERTS:
        return Distrust(f"the broker does not take the table's certificate: {_ALERTS[reason]}")
    if reason in _PLAIN or isinstance(error, ConnectionError | TimeoutError | ssl.SSLEOFError):
        return Distrust("the broker gives no TLS handshake on this port; give the port of its TLS listener")
    if reason in _OLD:
        return Distrust("the broker speaks TLS 1.1 or older; let it speak TLS 1.2 or 1.3")
    return Distrust(f"no TLS with the broker: {reason or error}")


def _of_the_broker(code: int, message: str, host: str) -> Distrust:
    """What is wrong with the broker's certificate."""
    if code == _NOT_YET_VALID:
        return Distrust("the broker's certificate is not yet valid by the clock of this box", by_clock=True)
    if code == _EXPIRED:
        text = "the broker's certificate, or its authority's, has expired by the clock of this box"
        return Distrust(text, by_clock=True)
    if code in _HOST_DIFFERS:
        return Distrust(
            f"the broker's certificate is not for {host}: give a name as broker.host that stands in it, or"
            f" the broker a certificate with {host} among its subject alternative names"
        )
    if code in _UNKNOWN_AUTHORITY:
        return Distrust(
            "the broker's certificate is not from the authority in broker.tls.authority: give the authority"
            " that issued it, or the broker a certificate of that authority"
        )
    if code == _NO_PURPOSE:
        return Distrust("the broker's certificate is not for TLS servers (extended key usage serverAuth)")
    return Distrust(f"the broker's certificate does not hold: {message}")


def _ends(certificate: Mapping[str, object] | None) -> dt.datetime | None:
    until = None if certificate is None else certificate.get("notAfter")
    if not isinstance(until, str):
        return None
    return dt.datetime.fromtimestamp(ssl.cert_time_to_seconds(until), dt.UTC)


class Credentials:
    """The files of one table's certificate, as connections use them.

    A pair that fits takes the place of the one in use; one that does not leaves it there. `report` is told of
    each certificate that is in use, of a renewal, and, once, of files that cannot be used.
    """

    def __init__(self, files: Tls, table: str, report: Callable[[dict[str, str]], None]) -> None:
        self._files = files
        self._table = table
        self._report = report
        self._pair: Pair | None = None
        # How the files were when they were last found good.
        self._stamp: tuple[object, ...] | None = None
        self.trouble = ""

    @property
    def context(self) -> ssl.SSLContext | None:
        """What the next connection is made with; None where there is no pair that could be used."""
        return None if self._pair is None else self._pair.context

    def look(self, now: dt.datetime | None) -> bool:
        """Look at the files; whether connections are made with another pair from here on.

        `now` is the time, None while nobody can say: then no certificate is too old or too new.
        """
        stamp = self._stamped()
        if stamp == self._stamp:
            return False
        pair, faults = examined(self._files, self._table)
        if stamp != self._stamped():
            return False  # somebody writes in them: next time
        wrong = "; ".join(f"{getattr(self._files, fault.file)}: {fault.text}" for fault in faults)
        if pair is not None and now is not None and (late := untimely(pair.certificate, now)):
            wrong = f"{self._files.certificate}: {late}"
        if pair is None or wrong:
            self._refuse(wrong)
            return False
        self._stamp = stamp
        return self._take(pair)

    def broker(self, until: dt.datetime | None) -> None:
        """A handshake with the broker held; its certificate is valid until this moment."""
        if until is not None:
            self._seen("broker", until)

    def _refuse(self, wrong: str) -> None:
        self._stamp = None
        if wrong != self.trouble:
            self.trouble = wrong
            self._report({"unusable": wrong})

    def _take(self, pair: Pair) -> bool:
        before, troubled = self._pair, self.trouble
        self.trouble = ""
        if before is not None and before.digest == pair.digest:
            return False  # what was wrong meanwhile is as it was again
        pair.context.sslsocket_class = Wire
        self._pair = pair
        own = pair.certificate
        if troubled if before is None else before.certificate != own:
            self._report({"renewed": own.fingerprint, "until": written(own.until)})
        self._seen("table", own.until)
        self._seen("authority", pair.authority.until)
        return True

    def _seen(self, which: str, until: dt.datetime) -> None:
        self._report({"seen": which, "until": written(until)})

    def _stamped(self) -> tuple[object, ...]:
        """How the files look from outside: it changes when one of them is written or replaced."""
        found: list[object] = []
        for path in (self._files.authority, self._files.certificate, self._files.key):
            try:
                about = path.stat()
            except OSError as error:
                found.append(error.errno)
            else:
                found.append((about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns))
        return tuple(found)


def written(moment: dt.datetime) -> str:
    """A moment as rows have it: UTC, RFC 3339."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
