"""Every MQTT topic there is, in one place.

A table's topics begin with `felt/1/{table}`. A name that is no id is refused here, so that nobody can
place a wildcard, a level or an empty name into a topic.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from felt_protocols.events import ID_PATTERN, KINDS

PREFIX = "felt/1"
# The floor's birth stands where a table would, so no table may have this name.
FLOOR = "floor"
FLOOR_STATUS = f"{PREFIX}/{FLOOR}/status"

# What stands behind the table's name, and whether one more level follows.
_PLAIN = frozenset({"status", "state"})
_NAMED = frozenset({"hold", "device", "meter", "event", "command", "reply", "private", "replay", "ack"})

_ID = re.compile(ID_PATTERN.removesuffix("$") + r"\Z")


class Place(NamedTuple):
    """A topic taken apart: `felt/1/table-1/hold/7` is table `table-1`, what `hold`, item `7`."""

    table: str
    what: str
    item: str = ""


def checked(name: str) -> str:
    """Return the name of a table, device, meter, consumer or client; raises ValueError if it is none."""
    if not _ID.match(name) or name == FLOOR:
        raise ValueError(
            f"{name!r} cannot stand in a topic: 1 to 32 of a-z, 0-9 and -, not - first, and not 'floor'"
        )
    return name


def status(table: str) -> str:
    """Whether the table is online; also the topic of its will. Retained."""
    return f"{PREFIX}/{checked(table)}/status"


def state(table: str) -> str:
    """The table as it is now. Retained."""
    return f"{PREFIX}/{checked(table)}/state"


def hold(table: str, number: int) -> str:
    """One open hold. Retained, and empty when the hold ends."""
    return f"{PREFIX}/{checked(table)}/hold/{checked(str(number))}"


def device(table: str, name: str) -> str:
    """One device and its health. Retained."""
    return f"{PREFIX}/{checked(table)}/device/{checked(name)}"


def meter(table: str, name: str) -> str:
    """One progressive meter. Retained."""
    return f"{PREFIX}/{checked(table)}/meter/{checked(name)}"


def event(table: str, kind: str) -> str:
    """The events of one kind; raises ValueError for a kind that there is not."""
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of event; the kinds are {', '.join(KINDS)}")
    return f"{PREFIX}/{checked(table)}/event/{kind}"


def command(table: str, name: str) -> str:
    """Requests to the table. Never retained."""
    return f"{PREFIX}/{checked(table)}/command/{checked(name)}"


def reply(table: str, client: str) -> str:
    """The answers to one client's requests."""
    return f"{PREFIX}/{checked(table)}/reply/{checked(client)}"


def private(table: str, consumer: str) -> str:
    """What only this consumer may have."""
    return f"{PREFIX}/{checked(table)}/private/{checked(consumer)}"


def replay(table: str, consumer: str) -> str:
    """Events sent again because this consumer asked for them."""
    return f"{PREFIX}/{checked(table)}/replay/{checked(consumer)}"


def ack(table: str, consumer: str) -> str:
    """What this consumer says that it has stored. Retained, written by the consumer."""
    return f"{PREFIX}/{checked(table)}/ack/{checked(consumer)}"


def pictured(table: str, key: str) -> str:
    """The retained topic of a key of the table's picture: `status`, `state`, `hold/7`, `device/shoe-1`.

    Raises ValueError for a key that is no retained topic of a table.
    """
    what, slash, item = key.partition("/")
    if (what in _PLAIN and not slash) or (what in {"hold", "device", "meter"} and slash):
        rest = f"{what}/{checked(item)}" if slash else what
        return f"{PREFIX}/{checked(table)}/{rest}"
    raise ValueError(f"{key!r} is no retained topic of a table")


def events_filter(table: str | None = None) -> str:
    """Subscription to all events of one table, or of every table."""
    return f"{PREFIX}/{_one_or_all(table)}/event/+"


def holds_filter(table: str | None = None) -> str:
    """Subscription to all holds of one table, or of every table."""
    return f"{PREFIX}/{_one_or_all(table)}/hold/+"


def devices_filter(table: str | None = None) -> str:
    """Subscription to all devices of one table, or of every table."""
    return f"{PREFIX}/{_one_or_all(table)}/device/+"


def commands_filter(table: str) -> str:
    """Subscription to all requests to one table."""
    return f"{PREFIX}/{checked(table)}/command/+"


def acks_filter(table: str) -> str:
    """Subscription to what all consumers say that they have stored of one table."""
    return f"{PREFIX}/{checked(table)}/ack/+"


def everything_filter(table: str | None = None) -> str:
    """Subscription to all that one table, or every table, has to say."""
    return f"{PREFIX}/{_one_or_all(table)}/#"


def parse(topic: str) -> Place | None:
    """Take a table's topic apart; None for a topic that is none of a table's."""
    head, _, rest = topic.removeprefix(f"{PREFIX}/").partition("/")
    if not topic.startswith(f"{PREFIX}/") or head == FLOOR or not _ID.match(head):
        return None
    what, slash, item = rest.partition("/")
    if what in _PLAIN and not slash:
        return Place(head, what)
    if what in _NAMED and _ID.match(item):
        return Place(head, what, item)
    return None


def _one_or_all(table: str | None) -> str:
    return "+" if table is None else checked(table)
