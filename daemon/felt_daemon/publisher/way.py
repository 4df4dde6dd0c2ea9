"""How a table goes to its broker, and why there may be no way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from felt_mqtt import way

if TYPE_CHECKING:
    import ssl
    from pathlib import Path


class Untrusted(way.BrokerLost):
    """There is no connection, as TLS does not hold or the password is not to be had: people must act.

    `by_clock`: another time of day would give another verdict.
    """

    def __init__(self, evidence: str, *, by_clock: bool = False) -> None:
        super().__init__("no connection", evidence)
        self.by_clock = by_clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Access(way.Access):
    """Where the broker is and as whom to go there. The client id is the table's id.

    With `tls` there is a connection only to a broker that proves itself; without, nothing is encrypted. The
    password is the first line of `password_file`, where there is one.
    """

    keepalive_s: int = 5
    tls: ssl.SSLContext | None = None
    password_file: Path | None = None

    def entitled(self) -> Self:
        """The same with the password that its file has at this moment; Untrusted where none can be read."""
        if self.password_file is None:
            return self
        try:
            text = self.password_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Untrusted(f"the file of the broker's password cannot be read: {error}") from None
        return replace(self, password=text.partition("\n")[0])
