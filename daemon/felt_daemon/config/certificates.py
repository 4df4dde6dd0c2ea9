"""The files that `[broker.tls]` names: looked at with the configuration, so that a slip is seen at once."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from felt_daemon.certificates.pair import examined, shown, untimely
from felt_daemon.certificates.reading import days_left
from felt_daemon.config.document import as_table
from felt_daemon.config.model import PLAIN_PORT, TLS_PORT, ExternalBroker, Tls
from felt_daemon.config.problems import Problem

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator
    from pathlib import Path

    from felt_daemon.certificates.pair import Pair, Which
    from felt_daemon.config.config import Config
    from felt_daemon.config.document import Document

# The keys that name files of their own, which may be wrong while the configuration is sound.
FILES: Final = ("broker.tls.authority", "broker.tls.certificate", "broker.tls.key")
# The account and the group that the service runs as, where it is installed: see systemd/feltd.service.
SERVICE: Final = "feltd"
GROUP: Final = "felt"


def certificate_problems(document: Document, now: dt.datetime | None) -> Iterator[Problem]:
    """Why there would be no connection with the named files; nothing where none are named validly.

    With `now` None nobody knows what time it is, and no certificate is too old or too new.
    """
    files = _named(document)
    if files is None:
        return
    table = document.value("table", "id")
    pair, faults = examined(files, table if isinstance(table, str) else None)
    for fault in faults:
        yield _problem(document, fault.file, fault.text)
    if pair is not None and now is not None:
        yield from _untimely(document, pair, now)
    if mode := _open_to_others(files.key):
        text = f"everybody on this machine can read or write it (mode {mode:04o}); its mode is to be 0600"
        yield _problem(document, "key", text)
    if not any(fault.text.startswith("it cannot be read") for fault in faults):
        yield from _not_for_the_service(document, files)


def certificate_notes(config: Config, now: dt.datetime) -> list[str]:
    """How long the certificates of a valid configuration are still valid, and what else is worth a look."""
    broker = config.broker
    if not isinstance(broker, ExternalBroker) or broker.tls is None:
        return []
    pair, _ = examined(broker.tls, config.table.id)
    notes: list[str] = []
    if pair is not None:
        for name, one in (("certificate", pair.certificate), ("authority", pair.authority)):
            left = days_left(one.until, now)
            notes.append(f"broker.tls.{name}: valid until {shown(one.until)}; days left: {left}")
    if broker.port == PLAIN_PORT:
        other = f"for TLS it is mostly {TLS_PORT}"
        notes.append(f"broker.port: {PLAIN_PORT} is where brokers speak plain; {other}")
    return notes


def _named(document: Document) -> Tls | None:
    found = as_table(document.value("broker", "tls"))
    if found is None or document.value("broker", "mode") != "external":
        return None
    try:
        return Tls.model_validate(found)
    except ValidationError:
        return None


def _untimely(document: Document, pair: Pair, now: dt.datetime) -> Iterator[Problem]:
    named: tuple[tuple[Which, str], ...] = (
        ("certificate", untimely(pair.certificate, now)),
        ("authority", untimely(pair.authority, now)),
    )
    for which, wrong in named:
        if wrong:
            yield _problem(document, which, f"{wrong}, by the clock of this machine")


def _open_to_others(key: Path) -> int:
    """The mode of a key that everybody may read or write; else 0."""
    try:
        mode = stat.S_IMODE(key.stat().st_mode)
    except OSError:
        return 0
    return mode if mode & (stat.S_IROTH | stat.S_IWOTH) else 0


def _not_for_the_service(document: Document, files: Tls) -> Iterator[Problem]:
    """Files that whoever checks can read, and the service cannot."""
    try:
        service, group = pwd.getpwnam(SERVICE), grp.getgrnam(GROUP)
    except KeyError:
        return  # this may be another machine than the table's
    if os.geteuid() == service.pw_uid:
        return
    # Its unit names the group, which takes the place of the account's own.
    groups = os.getgrouplist(SERVICE, group.gr_gid)
    named: tuple[tuple[Which, Path], ...] = (
        ("authority", files.authority),
        ("certificate", files.certificate),
        ("key", files.key),
    )
    for which, path in named:
        for place, right in (*((folder, 1) for folder in reversed(path.resolve().parents)), (path, 4)):
            if not _may(place, right, service.pw_uid, groups):
                what = "read it" if place == path else f"enter the folder {place}"
                yield _problem(document, which, f"{SERVICE}, as whom the service runs, may not {what}")
                break


def _may(place: Path, right: int, uid: int, groups: list[int]) -> bool:
    """Whether an account has a right (4 to read, 1 to enter), as far as modes say."""
    about = place.stat()
    if _has_a_list(place):
        return True  # that says who may, and the mode does not
    shift = 6 if about.st_uid == uid else 3 if about.st_gid in groups else 0
    return bool(about.st_mode >> shift & right)


def _has_a_list(place: Path) -> bool:
    """Whether a list of its own says who may do what with a file or folder."""
    try:
        return "system.posix_acl_access" in os.listxattr(place)
    except OSError:
        return False  # its file system has none


def _problem(document: Document, which: Which, text: str) -> Problem:
    key = ("broker", "tls", which)
    return Problem(document.file, document.line(key), ".".join(key), document.written(key), text)
