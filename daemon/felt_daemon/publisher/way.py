"""How a table goes to its broker, and why there may be no way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from felt_mqtt import way

if TYPE_CHECKING:
    import ssl


class Untrusted(way.BrokerLost):
    """There is no connection, as TLS does not hold: only people can put that right.

    `by_clock`: another time of day would give another verdict.
    """

    def __init__(self, evidence: str, *, by_clock: bool = False) -> None:
        super().__init__("no connection", evidence)
        self.by_clock = by_clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Access(way.Access):
    """Where the broker is and as whom to go there. The client id is the table's id.

    With `tls` there is a connection only to a broker that proves itself; without, nothing is encrypted.
    """

    keepalive_s: int = 5
    tls: ssl.SSLContext | None = None
