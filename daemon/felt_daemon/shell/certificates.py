"""How long the certificates on the way to the floor are still valid: recorded in time, and each warning once.

Where the last warning about each of them stands in the journal, a cursor of the journal says, so that a start
finds it without a search and does not warn again. A clock that nobody has set judges nothing.
"""

from __future__ import annotations

import datetime as dt
import logging
from typing import TYPE_CHECKING, Final, get_args

from felt_daemon.certificates.reading import days_left
from felt_daemon.shell.rows import row_of
from felt_protocols.events import delivery

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from felt_daemon.shell.core import Core

LOG = logging.getLogger(__name__)

# People are told when a certificate is valid for so many days or fewer; 0 says that it is over.
STEPS: Final = (0, 1, 7, 30)
_WHICH: Final[tuple[delivery.Which, ...]] = get_args(delivery.Which)
# What a row's text has room for; the log has it all.
_LONGEST_WHY: Final = 400


class Certificates:
    """What the publisher says of certificates, made rows of the table's.

    `now_us` gives microseconds since 1970, None while nobody can say.
    """

    def __init__(self, core: Core, now_us: Callable[[], int | None]) -> None:
        self._core = core
        self._now_us = now_us
        self._ends: dict[delivery.Which, str] = {}
        # The lowest step that people were told, by whose certificate it is and when it ends.
        self._told: dict[tuple[delivery.Which, str], int] = {}
        self._unusable = ""
        for which in _WHICH:
            self._recall(which)

    def heard(self, said: Mapping[str, str]) -> None:
        """The publisher says something about certificates, in the words of `publisher.report`."""
        if "unusable" in said:
            self._cannot_be_used(said["unusable"])
        elif "renewed" in said:
            self._unusable = ""
            LOG.warning("the table's certificate was renewed; it is valid until %s", said["until"])
            self._core.take(delivery.CertificateRenewed(fingerprint=said["renewed"], until=said["until"]))
        for which in _WHICH:
            if said.get("seen") == which:
                self._ends[which] = said["until"]
        self.look()

    def look(self) -> None:
        """Record what is due by now."""
        now_us = self._now_us()
        if now_us is None:
            return
        now = dt.datetime.fromtimestamp(now_us / 1e6, dt.UTC)
        for which, until in self._ends.items():
            days = days_left(dt.datetime.fromisoformat(until), now)
            step = _step(days)
            if step is not None and step < self._told.get((which, until), STEPS[-1] + 1):
                self._warn(which, until, days, step)

    def shown(self) -> dict[str, str]:
        """The last moment of each certificate in use, for whoever asks how all is."""
        ends = {str(which): until for which, until in self._ends.items()}
        return {**ends, "unusable": self._unusable} if self._unusable else ends

    def _cannot_be_used(self, why: str) -> None:
        if why != self._unusable:
            self._unusable = why
            LOG.error("the files of the table's certificate cannot be used: %s", why)
            self._core.take(delivery.CertificateUnusable(why=why[:_LONGEST_WHY]))

    def _warn(self, which: delivery.Which, until: str, days: int, step: int) -> None:
        core = self._core
        table = core.table.state.setup.table
        seq = core.table.state.seq + 1
        self._told[which, until] = step
        LOG.warning("the certificate of the %s ends at %s: days left: %d", which, until, days)
        core.take(
            delivery.CertificateExpiring(which=which, until=until, days=days),
            lambda: self._remember(which, table, seq),
        )

    def _remember(self, which: delivery.Which, table: str, seq: int) -> None:
        self._core.journal.set_cursor(_cursor(which), table, seq)

    def _recall(self, which: delivery.Which) -> None:
        """What the journal knows of the last warning about one of them."""
        table = self._core.table.state.setup.table
        seq = self._core.journal.cursor(_cursor(which), table)
        for stored in self._core.journal.read(table, seq - 1, 1) if seq else ():
            event = row_of(stored).event
            if isinstance(event, delivery.CertificateExpiring) and (step := _step(event.days)) is not None:
                self._told[which, event.until] = step


def _step(days: int) -> int | None:
    """The warning that is due with so many days left; None where there is time."""
    return next((step for step in STEPS if days <= step), None)


def _cursor(which: delivery.Which) -> str:
    return f"certificate:{which}"
