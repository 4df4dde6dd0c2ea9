"""Writing the register: whole or not at all, and one writer after the other."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from felt_daemon.people.register import NoRegister, Register, RegisterError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

# Hashes of PINs are in it: nobody else may read it.
_MODE = 0o640


class NotWritten(RegisterError):  # noqa: N818 - the name says what happened
    """The register could not be written, and is as it was."""


def change(
    path: str | os.PathLike[str], how: Callable[[Register], Register], *, create: bool = False
) -> Register:
    """Read the register, change it, write it; no other writer comes between. Gives what was written.

    `create`: begin an empty one where there is no file. Raises RegisterError, and whatever `how` raises;
    the file is as it was then.
    """
    file = Path(path).resolve()
    with _alone(file.with_name(f"{file.name}.lock")):
        if create and not file.exists():
            register = how(Register(version=1, entries=()))
        else:
            register = how(Register.load(file))
        data = text_of(register).encode("utf-8")
        # What cannot be read again is not written.
        Register.read(data, str(file))
        _replace(file, data)
    return register


def text_of(register: Register) -> str:
    """The register as its file has it."""
    content = register.model_dump(mode="json", exclude_none=True)
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


@contextlib.contextmanager
def _alone(lock: Path) -> Generator[None]:
    """Keep other writers out.

    A file beside the register is locked, as the register itself is replaced. Only its owner can open it: a
    folder that others may read would let each of them hold up a key's revocation. It is never removed, since
    two writers could then lock two files of the same name.
    """
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise NoRegister(f"{lock}: cannot be opened: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _replace(file: Path, data: bytes) -> None:
    """Put a file of this content in the place of the old one, with its owner and group."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        fresh = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                if file.exists():
                    _take_after(handle, file)
                os.fchmod(handle, _MODE)
                os.fsync(handle)
            fresh.replace(file)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
        _sync(file.parent)
    except OSError as error:
        raise NotWritten(f"{file}: cannot be written: {error.strerror}") from error


def _take_after(handle: int, file: Path) -> None:
    old, new = file.stat(), os.fstat(handle)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        os.fchown(handle, old.st_uid, old.st_gid)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
