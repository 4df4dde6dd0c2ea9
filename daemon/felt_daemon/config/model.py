"""The configuration of one table: frozen, strict and closed, with every limit beside its field.

The descriptions are the reference that `docs/configuration.md` shows.
"""

from __future__ import annotations

import warnings
import zoneinfo
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from felt_daemon.config.document import as_table
from felt_daemon.config.fields import (
    AbsolutePath,
    AccountNames,
    Answer,
    Baud,
    Colour,
    DisplayName,
    GameName,
    HostName,
    Id,
    LocalDate,
    MinuteOfDay,
    Otherwise,
    PanelWord,
    Sha256,
    SocketPath,
    Switch,
    TimeZone,
    Unit,
)
from felt_protocols.events.person import Role

# The ports of brokers that speak plain, and of those that speak TLS, as they are registered.
# Source: https://www.iana.org/assignments/service-names-port-numbers ("mqtt", "secure-mqtt").
PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883

Family = Literal[
    "shuffler",
    "continuous-shuffler",
    "shoe",
    "hole-card-reader",
    "progressive-station",
    "shaker",
    "rng",
    "dealers-panel",
]


class Section(BaseModel):
    """One table of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Table(Section):
    """Which table this is, which game it deals and where it stands."""

    id: Annotated[
        Id,
        Field(
            description="The table's name in topics, in the journal and as the client id at the broker."
            " Unique in the house; changing it begins a new history."
        ),
    ]
    name: Annotated[DisplayName, Field(description="What people call the table, in any script.")]
    game: Annotated[
        GameName,
        Field(
            description="What is dealt here: a chapter of the regulation that a rule pack comes along for"
            " (below, and in `felt rules list`), or a pack of the house's own (`rules.packs`)."
        ),
    ]
    time_zone: Annotated[
        TimeZone,
        Field(description="Where the table stands; for the gaming day and for times shown to people."),
    ]
    gaming_day_start: Annotated[
        MinuteOfDay, Field(description="When a gaming day begins, on the clock of `time_zone`.")
    ]

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The time zone itself."""
        return zoneinfo.ZoneInfo(self.time_zone)


class RulesSubmission(Section):
    """The Rules Submission that the elections answer to; the journal keeps it with every start."""

    reference: Annotated[
        DisplayName, Field(description="The submission's reference, as the regulator files it.")
    ]
    date: Annotated[LocalDate, Field(description="The submission's date.")]


class Rules(Section):
    """The rule packs beside those that come along."""

    packs: Annotated[
        AbsolutePath | None,
        Field(
            description="The folder of the house's own packs: a file `NAME.toml` in it is what `table.game`"
            " may name as `NAME`. Files in its folder `parts/` are parts of packs. Left out: there are none."
        ),
    ] = None


class Device(Section):
    """One device on the felt; the table's name, `shoe-1` in `[devices.shoe-1]`, is its id."""

    family: Annotated[
        Family,
        Field(description="What the device is. A device that says it is something else is refused."),
    ]
    link: Annotated[
        Literal["felt-link"],
        Field(description="The protocol that the device speaks."),
    ] = "felt-link"
    port: Annotated[
        AbsolutePath,
        Field(
            description="The serial port. Take the name under `/dev/serial/by-id/`: names like"
            " `/dev/ttyUSB0` change places when the box restarts. One device for each port."
        ),
    ]
    baud: Annotated[Baud, Field(description="The speed of the serial port.")] = 115200
    serial: Annotated[
        DisplayName | None,
        Field(
            description="The serial number that is expected; a device with another one is refused."
            " Left out: any unit of the family is taken."
        ),
    ] = None
    digest: Annotated[
        Sha256 | None,
        Field(
            description="The digest of the approved firmware; a device that reports another one is"
            " refused. Left out: any firmware is taken, and shown."
        ),
    ] = None


class Deck(Section):
    """One deck in use at the table, or one batch of several decks that are shuffled and dealt together.

    The table's name, `red` in `[decks.red]`, is its id.
    """

    back: Annotated[
        Colour,
        Field(
            description="The colour of the backs, as devices that recognise cards report it. Two that"
            " alternate in and out of play have different ones."
        ),
    ]


class Panel(Section):
    """How feltd learns of the two moments that no shuffler, shoe, reader or shaker shows.

    A dealer's panel among the devices tells both; beside it only `"told"` is valid. What else may be said
    depends on the game.
    """

    no_more_bets: Annotated[
        PanelWord,
        Field(
            description='That bets are closed. `"told"`: the panel says it, or a person\'s command.'
            ' `"advice"`: nobody says it, and nothing waits for it.'
        ),
    ] = "told"
    round_end: Annotated[
        PanelWord,
        Field(description='That a round has ended. `"told"`: the panel says it, or a person\'s command.'),
    ] = "told"


with warnings.catch_warnings():
    # pydantic takes ABCMeta.register, which no instance has, for an attribute that this key would hide.
    warnings.filterwarnings("ignore", 'Field name "register"', UserWarning)

    class People(Section):
        """The people who may be asked to prove who they are."""

        register: Annotated[
            AbsolutePath | None,
            Field(
                description="The file with each person's and each program's name, roles, PIN and public keys,"
                " kept with `felt keys`. Left out: an account of this box is the person, and nobody is asked"
                " for a PIN."
            ),
        ] = None


class Escalation(Section):
    """Who hears of a hold that nobody owns, and when.

    The dealer is told at once. Both times count from the hold's opening, and acknowledging it stops them.
    """

    floor_after_s: Annotated[
        int,
        Field(ge=10, le=3600, description="When the hold is shown to the floor."),
        Unit("seconds"),
    ] = 60
    shift_manager_after_s: Annotated[
        int,
        Field(
            ge=11,
            le=7200,
            description="When the hold is shown to the shift manager: after the floor, so more than"
            " `floor_after_s`.",
        ),
        Unit("seconds"),
    ] = 300


class Journal(Section):
    """The record of everything that happened; it must survive a restart of the box."""

    directory: Annotated[
        AbsolutePath,
        Field(description="The folder of the journal, on a disk of the box and not in memory."),
    ] = Path("/var/lib/feltd")


KeepaliveS = Annotated[
    int,
    Field(
        ge=5,
        le=60,
        description="After this long without a word the connection is tried; a dead broker is noticed"
        " after about twice this time.",
    ),
    Unit("seconds"),
]


Commands = Annotated[
    Switch,
    Field(
        description="Whether commands are taken over MQTT. Each is signed, and `people.register` must be"
        " given: it has the keys, and who may do what."
    ),
]


class Tls(Section):
    """The way to the broker by mutual TLS. There is no way around it: without it there is no connection.

    The files are looked at every minute, so that a certificate is renewed without a restart.
    """

    authority: Annotated[
        AbsolutePath,
        Field(
            description="The certificate of the authority that vouches for the broker, in PEM."
            " No other counts, and none of the system's."
        ),
    ]
    certificate: Annotated[
        AbsolutePath,
        Field(description="The table's certificate, in PEM; its common name is the table's id."),
    ]
    key: Annotated[
        AbsolutePath,
        Field(
            description="The key of the table's certificate, in PEM, without a password; for the service"
            " alone, mode 0600."
        ),
    ]


class ExternalBroker(Section):
    """The floor system's broker."""

    mode: Annotated[
        Literal["external"], Field(description="The broker is a program of its own, on the floor's network.")
    ]
    host: Annotated[HostName, Field(description="Where the broker is.")]
    port: Annotated[
        int,
        Field(ge=1, le=65535, description="The broker's TCP port. Left out, it is the usual one."),
        Otherwise(f"`{TLS_PORT}` with `[broker.tls]`, `{PLAIN_PORT}` without"),
    ] = PLAIN_PORT
    keepalive_s: KeepaliveS = 10
    user: Annotated[
        DisplayName | None, Field(description="The account at the broker, if it asks for one.")
    ] = None
    password_file: Annotated[
        AbsolutePath | None,
        Field(
            description="The file whose first line is the account's password. Passwords never stand in"
            " this configuration, which people send each other."
        ),
    ] = None
    tls: Annotated[
        Tls | None,
        Field(description="Mutual TLS. Left out: nothing is encrypted, for a network of the table's own."),
    ] = None
    commands: Commands = False

    @model_validator(mode="before")
    @classmethod
    def _usual_port(cls, given: object) -> object:
        table = as_table(given)
        return given if table is None or table.get("tls") is None else {"port": TLS_PORT, **table}


class EmbeddedBroker(Section):
    """A broker of the daemon's own, on 127.0.0.1 only: for the demo and for a table without a floor."""

    mode: Annotated[Literal["embedded"], Field(description="The daemon starts a broker as its child.")]
    port: Annotated[
        int, Field(ge=0, le=65535, description="Its TCP port on 127.0.0.1; 0 takes a free one.")
    ] = 0
    keepalive_s: KeepaliveS = 10
    commands: Commands = False


class Consumer(Section):
    """A program of the floor that says what it has stored.

    An event counts as delivered once every consumer has acknowledged it. The table's name, `pit` in
    `[consumers.pit]`, is its id in topics.
    """

    composition: Annotated[
        Switch,
        Field(
            description="Whether it is told what a deck is made of where that was wrong: which cards are"
            " foreign, missing or extra. Nobody else is."
        ),
    ] = False


_NO_CONSUMERS: Mapping[Id, Consumer] = {}


class Grant(Section):
    """Who has a role: accounts of this box, by user or by group."""

    users: Annotated[AccountNames, Field(description="Users that have the role.")] = ()
    groups: Annotated[AccountNames, Field(description="Groups whose members have the role.")] = ()


_NO_GRANTS: Mapping[Role, Grant] = {}


class Control(Section):
    """The socket on which `felt` and local programs give commands."""

    socket: Annotated[
        SocketPath,
        Field(description="The socket's path. Whoever may open it may ask; commands need a role as well."),
    ] = Path("/run/feltd/control")
    roles: Annotated[
        Mapping[Role, Grant],
        Field(
            description="Who has which role. Nobody has one by default, root neither.",
        ),
    ] = _NO_GRANTS


class Sections(Section):
    """The tables of a configuration file."""

    table: Table
    rules: Rules = Rules()
    rules_submission: RulesSubmission
    elections: Annotated[
        Mapping[str, Answer],
        Field(description="What the regulation lets the casino choose, as answered in the Rules Submission."),
    ]
    devices: Mapping[Id, Device]
    decks: Mapping[Id, Deck]
    panel: Panel = Panel()
    people: People = People()
    escalation: Escalation = Escalation()
    journal: Journal = Journal()
    broker: Annotated[ExternalBroker | EmbeddedBroker, Field(discriminator="mode")]
    consumers: Annotated[
        Mapping[Id, Consumer],
        Field(
            description="The programs that acknowledge events. Left out: an event is delivered when the"
            " broker has taken it."
        ),
    ] = _NO_CONSUMERS
    control: Control = Control()
