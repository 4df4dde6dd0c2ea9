"""What a row says of the way to the floor, in a plain sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.story.span import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_daemon.story.phrase import Body, Sentence

_WAITS = {
    "no-subscriber": "nobody is subscribed",
    "refused": "the broker refuses it",
    "poison": "the broker breaks the connection over it",
}
_REFUSED = {
    "unknown-consumer": "no such consumer is configured",
    "other-epoch": "it is of another journal",
    "above-head": "no row has this number yet",
    "malformed": "it cannot be read",
}
_WHOSE = {
    "table": "The table's certificate",
    "authority": "The authority's certificate",
    "broker": "The broker's certificate",
}


def _expiring(body: Body) -> str:
    whose = _WHOSE[body["which"]]
    if not body["days"]:
        return f"{whose} has EXPIRED ({body['until']})."
    return f"{whose} is valid for {plural(body['days'], 'day')} more, until {body['until']}."


DELIVERY_WORDS: Mapping[str, Sentence] = {
    "events-held": lambda b: f"Events wait at row {b['sequence']}: {_WAITS[b['why']]}.",
    "events-freed": lambda b: f"Events go to the floor again from row {b['sequence']}.",
    "consumer-suspended": lambda b: (
        f"Consumer {b['consumer']} has not been heard for too long: nothing waits for it. It has all up to"
        f" row {b['sequence']}."
    ),
    "consumer-returned": lambda b: (
        f"Consumer {b['consumer']} is heard again. It has all up to row {b['sequence']}."
    ),
    "ack-refused": lambda b: (
        f"An acknowledgement of {b['consumer']} was refused ({b['said']}): {_REFUSED[b['why']]}."
    ),
    "certificate-expiring": _expiring,
    "certificate-renewed": lambda b: f"The table's certificate was renewed; valid until {b['until']}.",
    "certificate-unusable": lambda b: f"The table's certificate cannot be used: {b['why']}.",
}
