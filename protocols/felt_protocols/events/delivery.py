"""Between the table and the floor: who has what, and what keeps it from them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from felt_protocols.events.core import Count, Id, Text, Word, published
from felt_protocols.events.system import SystemFact

Which = Literal["table", "authority", "broker"]


@published
class EventsHeld(SystemFact):
    """Nothing has gone to the floor for a while: events wait at `sequence`.

    `why`: nobody is subscribed, the broker refuses the event, or the event breaks the connection. `code`
    is the broker's reason code of MQTT 5.
    """

    sequence: Count
    why: Literal["no-subscriber", "refused", "poison"]
    code: Annotated[int, Field(ge=0, le=255)]


@published
class EventsFreed(SystemFact):
    """Events go to the floor again, from `sequence` on."""

    sequence: Count


@published
class ConsumerSuspended(SystemFact):
    """A consumer has not been heard for too long: nothing waits for it. It has all up to `sequence`."""

    consumer: Id
    sequence: Count


@published
class ConsumerReturned(SystemFact):
    """A consumer that was suspended is heard again, and has all up to `sequence`."""

    consumer: Id
    sequence: Count


@published
class AckRefused(SystemFact):
    """An acknowledgement that cannot be: it was not taken.

    `consumer` is whom its topic names and `said` what stood in it, cut short. `why`: no such consumer is
    configured; it is of another epoch; it is above the last row; it cannot be read.
    """

    consumer: Word
    why: Literal["unknown-consumer", "other-epoch", "above-head", "malformed"]
    said: Word


@published
class CertificateExpiring(SystemFact):
    """A certificate is valid for `days` days more. `which`: the table's, its authority's, the broker's.

    `until` is its last moment, UTC in RFC 3339. Told at 30, 7 and 1 days, and at 0 when it is over.
    """

    which: Which
    until: Word
    days: Count


@published
class CertificateRenewed(SystemFact):
    """The files of the table's certificate changed, and connections use it from here on.

    `fingerprint`: SHA-256 of the certificate, in hexadecimal. `until` as in `CertificateExpiring`.
    """

    fingerprint: Word
    until: Word


@published
class CertificateUnusable(SystemFact):
    """The files of the table's certificate changed and cannot be used: the ones before stay in use."""

    why: Text
