"""A request over MQTT, as the publisher found it and hands it to the device process."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from felt_protocols.events.person import Role

# Words of an answer beside those of the control socket; programs rely on them. Its time or its run is over.
LATE: Final = "late"
# Its id was used for another request.
REPLAYED: Final = "replayed"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Signer(_Part):
    """Somebody whose signature was found right: the register's entry, and the key.

    `client` is the entry's id, and where answers go; `name` is what the journal calls it.
    """

    client: str
    name: str
    key: str
    roles: tuple[Role, ...]


class Refusal(_Part):
    """Why the publisher did not take it: a word for programs, and a reason for people."""

    code: str
    why: str


class RemoteRequest(_Part):
    """What came on a command's topic.

    `command`: the name in the topic; the signed one is the same unless it is refused for that. `by` and `id`
    are there only where the signature was right, so that there is somebody to answer. `exp`: seconds since
    1970. `retained`: the digest of a payload that the broker had kept.
    """

    command: str
    by: Signer | None = None
    id: str = ""
    start: str = ""
    args: dict[str, Any] = Field(default_factory=dict[str, Any])
    role: Role | None = None
    exp: int | None = None
    second: Signer | None = None
    retained: str = ""
    refusal: Refusal | None = None
