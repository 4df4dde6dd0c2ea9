"""A small site's authority as a folder: its own certificate and key, and all that it has issued.

    authority.pem  authority.key  tables/ID.pem  tables/ID.key  brokers/HOST.pem ...  consumers/ID.pem ...

Keys can be read by their owner alone. Nothing is ever written over unless it is to be renewed, and then the
new file takes the old one's place whole.
"""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from felt_daemon.certificates.authority import (
    BACKDATED,
    Authority,
    Issued,
    Kind,
    Wish,
    WrongPassphrase,
    hosts_of,
)
from felt_daemon.certificates.reading import Certificate, certificates, days_left
from felt_protocols.errors import FeltError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDERS: Final[dict[Kind, str]] = {"table": "tables", "broker": "brokers", "consumer": "consumers"}
_FOLDER_MODE: Final = 0o700
_KEY_MODE: Final = 0o600
_CERTIFICATE_MODE: Final = 0o644


class NotPossible(FeltError):  # noqa: N818 - a refusal is an answer
    """Nothing was made; the text says what would be right."""


class Damaged(FeltError):  # noqa: N818 - it says how the folder is
    """A file of the authority's folder is not what it should be."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that the folder has: `kind` is "authority" or whom it was issued to."""

    kind: str
    name: str
    file: Path
    certificate: Certificate

    @property
    def key(self) -> Path:
        """The file of its key, which need not be in the folder any more."""
        return self.file.with_suffix(".key")

    @property
    def hosts(self) -> list[str]:
        """The names and addresses of a broker; none of anybody else."""
        return hosts_of(self.certificate.der)

    def days(self, now: dt.datetime) -> int:
        """How many days it is still valid, the one that has begun counted whole; 0 where it is over."""
        return days_left(self.certificate.until, now)


class Folder:
    """An authority's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def _files(self) -> tuple[Path, Path]:
        return self.path / "authority.pem", self.path / "authority.key"

    def begin(self, name: str, days: int, now: dt.datetime, passphrase: bytes | None) -> Entry:
        """Make a new authority; raises `NotPossible` where there is one, and OSError."""
        if any(file.exists() for file in self._files):
            raise NotPossible(f"{self.path} has an authority; --renew gives it more time and keeps its key")
        self.path.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        authority = Authority.new(name, now - BACKDATED, now + dt.timedelta(days=days))
        self._write(self._files, authority.issued(passphrase), renew=False)
        return self.authority()

    def renew(self, days: int, now: dt.datetime, passphrase: bytes | None) -> Entry:
        """Give the authority more time: the same key and name, so that what it has issued stays good."""
        authority = self._opened(passphrase).renewed(now - BACKDATED, now + dt.timedelta(days=days))
        _place(self._files[0], authority.issued(None).certificate, _CERTIFICATE_MODE, renew=True)
        return self.authority()

    def issue(self, wish: Wish, passphrase: bytes | None, *, renew: bool) -> Entry:
        """Make a key and a certificate; raises `NotPossible`, `Damaged` and OSError."""
        authority = self._opened(passphrase)
        file = self._place_of(wish.kind, wish.name)
        self._refuse_same_name(wish)
        if file.exists() and not renew:
            raise NotPossible(f"{file} is there; --renew puts a new certificate and a new key in its place")
        if wish.begins > authority.until:
            raise NotPossible(
                f"the authority in {self.path} has expired; felt keys ca init {self.path} --renew"
            )
        file.parent.mkdir(mode=_FOLDER_MODE, exist_ok=True)
        self._write((file, file.with_suffix(".key")), authority.issue(wish), renew=renew)
        return self._entry(wish.kind, file)

    def authority(self) -> Entry:
        """The authority itself; raises `NotPossible` where the folder has none, `Damaged` and OSError."""
        file = self._files[0]
        if not file.exists():
            raise NotPossible(f"{self.path} has no authority; make one with: felt keys ca init {self.path}")
        return self._entry("authority", file)

    def entries(self) -> Iterator[Entry]:
        """The authority and all that it has issued, by kind and name; raises as `authority` does."""
        yield self.authority()
        for kind, folder in FOLDERS.items():
            for file in sorted((self.path / folder).glob("*.pem")):
                yield self._entry(kind, file)

    def has_passphrase(self) -> bool:
        """Whether the authority's key asks for one; raises as `authority` does."""
        self.authority()
        return b"ENCRYPTED" in self._files[1].read_bytes()

    def _opened(self, passphrase: bytes | None) -> Authority:
        self.authority()
        certificate, key = self._files
        try:
            return Authority.read(certificate.read_bytes(), key.read_bytes(), passphrase)
        except WrongPassphrase:
            if passphrase is None:
                raise NotPossible(f"{key} needs its passphrase") from None
            which = "another" if self.has_passphrase() else "no"
            raise NotPossible(f"{key} has {which} passphrase") from None
        except ValueError as error:
            raise Damaged(f"{key}: {error}") from None

    def _place_of(self, kind: Kind, name: str) -> Path:
        # A host's address may have colons, which some file systems do not take.
        return self.path / FOLDERS[kind] / f"{name.replace(':', '_')}.pem"

    def _refuse_same_name(self, wish: Wish) -> None:
        """A common name is a user at the broker: whoever shares it could speak for the other."""
        for kind in FOLDERS:
            if kind != wish.kind and self._place_of(kind, wish.name).exists():
                raise NotPossible(
                    f"a {kind} has the name {wish.name}, and a broker would take one for the other;"
                    " give another name"
                )

    @staticmethod
    def _entry(kind: str, file: Path) -> Entry:
        try:
            found = certificates(file.read_text(encoding="ascii", errors="replace"))[0]
        except ValueError as error:
            raise Damaged(f"{file}: {error}") from None
        return Entry(kind, found.name, file, found)

    @staticmethod
    def _write(files: tuple[Path, Path], issued: Issued, *, renew: bool) -> None:
        """The key first: a certificate without one is of no use to anybody."""
        certificate, key = files
        _place(key, issued.key, _KEY_MODE, renew=renew)
        try:
            _place(certificate, issued.certificate, _CERTIFICATE_MODE, renew=renew)
        except OSError:
            if not renew:
                key.unlink()
            raise


def _place(file: Path, data: bytes, mode: int, *, renew: bool) -> None:
    """Write a file whole; one that is there is replaced only to `renew` it.

    Raises `NotPossible`, and OSError that names the file.
    """
    fresh = file.with_name(f".{file.name}.new") if renew else file
    if renew:
        fresh.unlink(missing_ok=True)
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    except FileExistsError:
        raise NotPossible(f"{file} is there, and is not written over without --renew") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
        if renew:
            fresh.replace(file)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(file)) from error
