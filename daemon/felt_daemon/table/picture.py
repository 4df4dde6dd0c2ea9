"""The picture of the table for people, panels and retained topics: what is so now, never how it came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_daemon.table.deal import cards_due, next_share
from felt_daemon.table.directives import directives
from felt_daemon.table.gates import gates_of, granted, key_of, missing
from felt_daemon.table.interlock import inhibits, locks, rule_of
from felt_daemon.table.measures import cards_left

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import Deck, Device, Hold, Incident, Round, State
    from felt_protocols.events import Moment

Payload = dict[str, Any]


def picture(pack: Pack, state: State) -> dict[str, Payload]:
    """Every retained payload by the end of its topic: `state`, `hold/{id}`, `device/{id}`."""
    found: dict[str, Payload] = {"state": _table(pack, state)}
    for hold in state.holds.values():
        found[f"hold/{hold.id}"] = _hold(pack, state, hold) | {"sequence": state.seq}
    for device in state.devices.values():
        found[f"device/{device.id}"] = _device(device) | {"sequence": state.seq}
    return found


def _table(pack: Pack, state: State) -> Payload:
    return {
        "table": state.setup.table,
        "game": state.setup.game,
        "sequence": state.seq,
        "state": state.table,
        "closing": state.closing,
        "round": _round(pack, state, state.round) if state.round else None,
        "rounds": state.rounds,
        "decks": {one.id: _deck(one) for one in state.decks.values()},
        "devices": {one.id: one.link for one in state.devices.values()},
        "due": list(_due(pack, state)),
        "aside": {one.id: aside for one in state.devices.values() if (aside := _aside(one))},
        "holds": [_hold(pack, state, hold) for hold in state.holds.values()],
        "incidents": [_incident(pack, one) for one in state.incidents.values()],
        "directives": _directives(pack, state),
        "interlocks": _interlocks(pack, state),
        "method": dict(state.method),
        "dealer": state.dealer or None,
        "floor_called": _time(state.called) if state.called else None,
        "timers": {
            one.id: {"since": _time(one.since), "after_s": one.after_s, "unknown": one.unknown}
            for one in state.timers.values()
        },
    }


def _round(pack: Pack, state: State, now: Round) -> Payload:
    return {
        "number": now.number,
        "phase": now.phase,
        "void": now.void or None,
        "bets_closed": now.bets_closed,
        "shakes": now.shakes,
        "dice_total": now.total,
        "start_seat": now.start_seat,
        "deck": now.deck or None,
        "stacks": now.stacks,
        "cards": now.cards,
        "cards_due": cards_due(state),
        "seats": None if now.seats is None else list(now.seats),
        "next": _next(state),
        "noted": dict(now.notes),
        "left": cards_left(state),
        "notices": [
            {
                "row": one.row,
                "cite": list(one.cite),
                "incident": one.incident,
                "says": _says(pack, one.row),
            }
            for one in now.notices
        ],
    }


def _next(state: State) -> Payload | None:
    """Who gets what comes out next, by the pattern of the deal."""
    share = next_share(state)
    return None if share is None else {"to": share.to, "seat": share.seat, "cards": share.cards}


def _deck(one: Deck) -> Payload:
    return {
        "back": one.back,
        "present": one.present,
        "places": {place: count for place, count in one.places.items() if count},
        "total": one.total,
        "shuffled": one.shuffled,
        "count": one.count,
        # Where no device reads faces, nobody can say more than a count.
        "composition": one.composition,
        "identity": "proved" if one.proved else "not proved",
        "last_round": one.last_round,
        "prepared": "preshuffled" if one.preshuffled else list(one.marks),
    }


def _hold(pack: Pack, state: State, hold: Hold) -> Payload:
    rule = pack.by_id.get(hold.row)
    words = rule_of(pack, hold)
    incident = state.incidents.get(hold.incident)
    return {
        "hold": hold.id,
        "incident": hold.incident,
        "row": hold.row,
        "cite": list(incident.cite) if incident else [],
        "basis": rule.basis if rule else "own",
        "says": _says(pack, hold.row),
        "subject": hold.subject,
        "subject_id": hold.subject_id,
        "gates": list(hold.gates),
        "stops": hold.stops or None,
        "cause": "there" if hold.cause else "gone",
        "until": hold.until,
        "owner": hold.owner or None,
        "asked": hold.step,
        "locks": locks(state, hold),
        "seen_by_dealer": hold.seen,
        "override": words.override if words else "one",
        "since": _time(hold.since),
        "rounds": hold.rounds,
        "hands": hold.hands,
    }


def _says(pack: Pack, row: str) -> str:
    """A row in words; nothing for one that this pack does not have, such as the daemon's own."""
    rule = pack.by_id.get(row)
    return rule.says if rule else ""


def _incident(pack: Pack, one: Incident) -> Payload:
    return {
        "incident": one.id,
        "row": one.row,
        "cite": list(one.cite),
        "says": _says(pack, one.row),
        "subject": one.subject,
        "subject_id": one.subject_id,
        "times": one.times,
        "since": _time(one.since),
        "rounds": one.rounds,
        "hands": one.hands,
    }


def _directives(pack: Pack, state: State) -> list[Payload]:
    return [
        {
            "do": one.do,
            "says": pack.directives.get(one.do, ""),
            "row": one.row,
            "cite": list(one.cite),
            "incident": one.incident,
        }
        for one in directives(pack, state)
    ]


def _interlocks(pack: Pack, state: State) -> list[Payload]:
    stopped = inhibits(state)
    found: list[Payload] = []
    for gate, device in gates_of(pack, state):
        key = key_of(state, gate, device)
        given = key is not None and granted(state, gate, device, key)
        found.append(
            {
                "gate": gate.id,
                "device": device.id,
                "for": key,
                "granted": given,
                "inhibited": stopped.get(device.id),
                "waits_for": [] if given else list(missing(pack, state, gate, device)),
            }
        )
    return found


def _device(one: Device) -> Payload:
    return {
        "device": one.id,
        "family": one.family,
        "link": one.link,
        "model": one.model or None,
        "serial": one.serial or None,
        "firmware": one.firmware or None,
        "digest": one.digest or None,
        "boot": one.boot or None,
        "jam": one.jam or None,
        "faults": dict(one.faults),
        "door_open": one.door_open,
        "light": one.light or None,
        "service": one.service or None,
        "retired": one.retired,
        "sign": one.sign or None,
        "inspected": one.inspected or None,
    }


def _due(pack: Pack, state: State) -> Iterator[Payload]:
    """Inspections that are due, by the pack that this release has."""
    # Gaming days are dates, year first: the later one is the greater text.
    for one in state.devices.values():
        if one.inspection_due > one.inspected and not one.retired:
            for rule in pack.inspections:
                if rule.family == one.family:
                    yield {"device": one.id, "says": rule.says, "cite": list(rule.cite)}


def _aside(one: Device) -> str:
    """Why a device is no part of the game, or looks so; nothing for one that is in use."""
    service = {"": "", "on": "in service", "ending": "in service, testing itself"}[one.service]
    words = (service, "out of use" if one.retired else "", f"sign: {one.sign}" if one.sign else "")
    return ", ".join(word for word in words if word)


def _time(at: Moment) -> Payload:
    return {"utc_us": at.utc_us, "trusted": at.trusted, "mono_ns": at.mono_ns, "boot": at.boot}
