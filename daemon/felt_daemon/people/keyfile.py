"""A key pair made for somebody: the private half in a file, the public half for the register."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from felt_daemon.people.register import Key
from felt_protocols.signed.making import new_key, pem_of, public_of
from felt_protocols.signed.public import public_text

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


def write_new_key(file: Path, now: datetime) -> Key:
    """Make a key pair and write its private half, for its owner alone; gives the public half.

    Raises OSError; a file that is there is never written over.
    """
    private = new_key()
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(pem_of(private))
            stream.flush()
            os.fsync(handle)
    except OSError as error:
        file.unlink()
        raise OSError(error.errno, error.strerror, str(file)) from error
    return Key.of(public_text(public_of(private)), now)
