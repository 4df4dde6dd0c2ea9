"""What a signed command says, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from felt_protocols.errors import FeltError
from felt_protocols.events.core import Id
from felt_protocols.events.person import Role
from felt_protocols.signed.public import KID_PATTERN
from felt_protocols.signed.strict import LARGEST_INTEGER

if TYPE_CHECKING:
    from collections.abc import Mapping

ALGORITHM: Final = "EdDSA"
# One type for each use, so that a token made for one is none for the other. Source: RFC 8725, 3.11.
COMMAND_TYPE: Final = "felt-command+jwt"
SECOND_TYPE: Final = "felt-second+jwt"
LARGEST_TOKEN: Final = 16 * 1024

Why = Literal[
    "too-large",
    "malformed",
    "algorithm",
    "unknown-key",
    "forged",
    "bad-claims",
    "wrong-table",
    "wrong-start",
    "wrong-command",
    "expired",
    "same-key",
    "second-differs",
    # These three the register says, after the signatures were found right.
    "revoked-key",
    "not-their-role",
    "same-person",
]

# Visible ASCII, so that it can stand in a log and in an answer as it is.
Token = Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]
Kid = Annotated[str, Field(pattern=KID_PATTERN)]


class TokenRefused(FeltError):  # noqa: N818 - a refusal is an answer
    """A token is not taken. `reason` is one of a closed set, the text is for people.

    `kid` is the key that the token names, None where it names none. `jti` is given only once the first
    signature was found right, and `kid` is then the key that made it: only then is there somebody to answer.
    """

    def __init__(self, reason: Why, text: str, kid: str | None = None, jti: str | None = None) -> None:
        super().__init__(text)
        self.reason: Why = reason
        self.kid = kid
        self.jti = jti


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is signed: a command for one table in one run of its daemon.

    `jti` names the wish and is never used again. `start` stands in the table's retained `status`.
    """

    jti: str
    table: str
    start: str
    command: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """A command whose signature, table, run and time were found right.

    `exp` is in seconds since 1970 and was compared only where a time was given. `second_kid` is the key of
    a second signature, also found right; whether it is another person's, the register knows.
    """

    jti: str
    aud: str
    start: str
    cmd: str
    args: Mapping[str, Any]
    kid: str
    role: Role | None = None
    exp: int | None = None
    second_kid: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a token must be for: this table, this run of its daemon, the command of its topic.

    `now_s` is the time in seconds since 1970, None while the clock is not trusted: then no token is expired.
    """

    table: str
    start: str
    command: str
    now_s: float | None


class Header(BaseModel):
    """The protected header: these three and no other, so no key, address or extension of the sender's."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    alg: str
    kid: Kid
    typ: str


class Same(BaseModel):
    """The claims that both signers of a command say alike."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    jti: Token
    aud: Id
    start: Token
    cmd: Id
    args: dict[str, Any]


class CommandBody(Same):
    """The claims of a command."""

    role: Role | None = None
    exp: Annotated[int, Field(ge=0, le=LARGEST_INTEGER)] | None = None
    second: Annotated[str, Field(max_length=LARGEST_TOKEN)] | None = None


class SecondBody(Same):
    """The claims of the second signature; `first` is the key whose command it is for."""

    first: Kid
