"""The register while people change it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from felt_daemon.people.register import NoRegister, Register, RegisterError

if TYPE_CHECKING:
    import os


class _Seen(NamedTuple):
    """What tells one content of a file from the next."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


class Book:
    """Follows a register's file.

    A new content counts from the next look. While the file is missing or broken the last good content
    counts, and `complaint` says so: neither a slip nor half a file takes roles away or gives any.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read the file. Raises RegisterError: without a register there is nothing to fall back on."""
        self._path = Path(path)
        self._complaint: str | None = None
        self._seen = self._look()
        self._register = Register.load(self._path)

    @property
    def complaint(self) -> str | None:
        """Why the last look found no register, for a person to put right; None while all is well."""
        return self._complaint

    def look(self) -> Register:
        """The register that counts. Reads the file where it has changed, which takes milliseconds."""
        try:
            # Before reading, so that what is written meanwhile is found by the next look.
            seen = self._look()
            if seen != self._seen:
                self._seen = seen
                self._register = Register.load(self._path)
                self._complaint = None
        except RegisterError as error:
            if isinstance(error, NoRegister):
                # Nothing was read of it, as where the process had no file handle left: that passes.
                self._seen = None
            self._complaint = f"{error}\nUntil that is put right, the register read last goes on to count."
        return self._register

    def _look(self) -> _Seen | None:
        try:
            stat = self._path.stat()
        except OSError:
            return None
        return _Seen(stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
