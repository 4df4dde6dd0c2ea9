"""What a row says, in a plain sentence; out of its public body alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from felt_daemon.story.delivery_words import DELIVERY_WORDS
from felt_daemon.story.device_words import DEVICE_WORDS
from felt_daemon.story.phrase import Body, Sentence, of_deck, seats_words
from felt_daemon.story.span import length, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_daemon.story.record import Said

# Which rows hold a word that the pack explains, and which timers wait for the owner of a hold.
_REPORTS = {"reported", "panel-pressed"}
_ESCALATION = "escalation:"
_STEPS = {"dealer": "the dealer", "floor": "the floor", "shift-manager": "the shift manager"}
_SIGNS = {"covered": "covered", "out-of-order": "marked as out of order", "removed": "free of cover and sign"}
_HOW = {"observed": "its remedy was seen", "reported": "its remedy was reported", "override": "OVERRIDDEN"}
_PROOFS = {
    "account": "account of the box",
    "pin": "PIN",
    "signed": "signature",
    "panel": "at the dealer's panel, nobody named",
    "stated": "said in a simulated run",
    "inferred": "inferred, nobody said it",
}


def sentence(row: Said, reports: Mapping[str, str]) -> str:
    """What the row says; `reports` are the pack's words for what people can report.

    A kind of row that this release does not know is told by its name and its body.
    """
    said = WORDS.get(row.type)
    body = {"context": dict(row.context), **row.whole}
    if row.type in _REPORTS and body.get("report"):
        body["report"] = reports.get(str(body["report"]), str(body["report"]))
    if said is not None:
        try:
            return said(body)
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # a body of a later release, or one that somebody changed
    plain = {name: value for name, value in row.whole.items() if name != "context"}
    return f"{row.type} {json.dumps(plain, ensure_ascii=False, sort_keys=True)}"


def proof(kind: str, key: str | None) -> str:
    """How it is known who a person was."""
    words = _PROOFS.get(kind, kind)
    return f"{words} by key {key}" if key else words


def held(gates: tuple[str, ...], stops: str) -> str:
    """What a hold keeps from happening."""
    parts = [f"{stops} is inhibited"] if stops else []
    if gates:
        parts.append(f"keeps {' and '.join(gates)} closed")
    return "; ".join(parts) or "advises only"


def _thing(body: Body) -> str:
    if body.get("device"):
        return str(body["device"])
    return f"deck {body['deck']}" if body.get("deck") else "the table"


def _note(body: Body) -> str:
    return f": {body['note']}" if body.get("note") else ""


def _reported(body: Body) -> str:
    about = [
        f"{name} {body[name]}" for name in ("round", "seat", "deck", "device") if body.get(name) is not None
    ]
    if body.get("seats"):
        about.append(seats_words(body["seats"]))
    parts = [*about, *([str(body["note"])] if body.get("note") else [])]
    more = f" ({', '.join(parts)})" if parts else ""
    return f"Reported: {str(body['report']).rstrip('.')}{more}."


def _inspected(body: Body) -> str:
    found = "in order" if body["result"] == "in-order" else "NOT in order"
    return f"Inspected {_thing(body)}: {found}{_note(body)}."


def _ended(body: Body) -> str:
    reason = f" Reason: {body['reason']}" if body.get("reason") else ""
    by = f" by {body['by']['name'] or 'the ' + body['by']['role']}" if body.get("by") else ""
    dealt = f"{plural(body['rounds'], 'round')} and {plural(body['hands'], 'hand')} since it began"
    return f"Hold {body['hold']} ended: {_HOW[body['how']]}{by}; {dealt}.{reason}"


def _overridden(body: Body) -> str:
    second = body.get("second")
    known = f"{second['role']}, {proof(second['proof'], second.get('key'))}" if second else ""
    with_whom = f", with {second['name']} ({known}) as second person" if second else ""
    return f"OVERRODE hold {body['hold']}{with_whom}: {body['reason']}"


def _ruled(body: Body) -> str:
    return f"Ruling {', '.join(body['cite']) or '(own rule)'}: {body['says']}"


def _opened_hold(body: Body) -> str:
    thing = f"{body['subject']} {body['subject_id']}"
    return (
        f"Hold {body['hold']} on {thing}: {held(tuple(body['gates']), body['stops'])}; until {body['until']}."
    )


def _began(body: Body) -> str:
    earlier = f" It refers to incident {body['refers_to']}." if body.get("refers_to") else ""
    thing = f"{body['subject']} {body['subject_id']}"
    return f"Incident {body['incident']} began: {body['row']} on {thing}.{earlier}"


def _closed_round(body: Body) -> str:
    how = "was completed" if body["outcome"] == "completed" else "is over, void"
    return f"Round {body['round']} {how}: {plural(body['hands'], 'hand')}."


def _timer(body: Body) -> str:
    if body["timer"].startswith(_ESCALATION):
        return f"Nobody owned hold {body['timer'].removeprefix(_ESCALATION)} in time."
    overdue = f", {length(body['overdue_s'])} ago" if body["overdue_s"] else ""
    return f"The timer {body['timer']} fell due{overdue}."


def _refused(body: Body) -> str:
    way = {"control": "", "mqtt": " over MQTT", "panel": " at the panel"}.get(body.get("way", "control"), "")
    return f"REFUSED {body['command']}{way}: {body['reason']}"


def _pressed(body: Body) -> str:
    report = f": {str(body['report']).rstrip('.')}" if body.get("report") else ""
    return f"The button {body['button']} of {body['device']} was pressed{report}."


def _changed_deck(body: Body) -> str:
    how = ", preinspected and preshuffled" if body.get("preshuffled") else ""
    return f"A new deck lies at the table as {body['deck']}{how}."


def _noted(body: Body) -> str:
    name = str(body["name"]).replace("_", " ")
    return f"In round {body['round']}, {name} is {body['value']} from here."


WORDS: dict[str, Sentence] = {
    **DEVICE_WORDS,
    **DELIVERY_WORDS,
    # incidents
    "incident-opened": _began,
    "incident-joined": lambda _b: "The same trouble again.",
    "incident-closed": lambda b: (
        f"Incident {b['incident']} is over; {plural(b['rounds'], 'round')} and"
        f" {plural(b['hands'], 'hand')} were dealt meanwhile."
    ),
    "hold-opened": _opened_hold,
    "hold-cause-gone": lambda b: f"What caused hold {b['hold']} is gone; the hold stays.",
    "hold-escalated": lambda b: f"ESCALATED: nobody owns hold {b['hold']}; shown to {_STEPS[b['step']]}.",
    "hold-ended": _ended,
    "ruling-made": _ruled,
    # people
    "table-opened": lambda _b: "Opened the table.",
    "table-closed": lambda _b: "Closed the table.",
    "bets-closed": lambda _b: "No more bets.",
    "round-ended": lambda _b: "Finished the round.",
    "deck-changed": _changed_deck,
    "dice-changed": lambda b: f"New dice were placed in {b['device']}.",
    "floor-ordered": lambda b: f"Ordered a {b['what_ordered']}{of_deck(b)}.",
    "deck-counted": lambda b: (
        f"Counted {'what was left' if b['part'] == 'remaining' else 'all'}{of_deck(b)} by hand:"
        f" {plural(b['count'], 'card')}."
    ),
    "hold-acknowledged": lambda b: f"Owns hold {b['hold']}.",
    "hold-overridden": _overridden,
    "round-released": lambda b: f"Released the void round {b['round']}: the table may go on.",
    "trouble-seen": lambda b: (
        f"Has seen {' and '.join(f'hold {hold}' for hold in b['holds']) or 'the trouble'}."
    ),
    "floor-called": lambda _b: "Called a floorperson.",
    "dealer-came": lambda b: f"Another dealer deals{': ' + b['dealer'] if b.get('dealer') else ''}.",
    "replay-asked": lambda b: f"Asked that {b['consumer']} be sent all after row {b['after']} again.",
    "snapshot-asked": lambda b: f"Asked for the whole picture of the table, for {b['consumer']}.",
    "reported": _reported,
    "inspected": _inspected,
    "method-chosen": lambda b: (
        f"Method from here: shuffle {b['shuffle']}, deal {b['deal']}, start {b['start']}."
    ),
    "sign-moved": lambda b: f"{b['device']} is {_SIGNS[b['sign']]}.",
    "card-withdrawn": lambda b: f"Took a card of deck {b['deck']} out of play: {b['why']}.",
    "card-replaced": lambda b: f"Replaced a card of deck {b['deck']}.",
    "service-begun": lambda b: f"Took {b['device']} into service: {b['why']}.",
    "service-ending": lambda b: f"The service of {b['device']} is done, shown empty.",
    "device-retired": lambda b: f"Took {b['device']} out of use, shown empty{_note(b)}.",
    "device-accepted": lambda b: f"Put {b['device']} (plate {b['serial']}) into use, shown empty.",
    "command-rejected": _refused,
    "commands-uncounted": lambda b: f"{plural(b['count'], 'refused command')} more, not told one by one.",
    "panel-pressed": _pressed,
    # rounds
    "table-state-changed": lambda b: f"The table is {b['state']}.",
    "round-opened": lambda b: f"Round {b['round']} began.",
    "phase-changed": lambda b: f"Round {b['round']} is in phase {b['phase']}.",
    "round-voided": lambda b: f"Round {b['round']} is VOID ({b['row']}).",
    "round-closed": _closed_round,
    "cards-dealt": lambda b: (
        f"All hands are dealt by hand: {plural(b['cards'], 'card')} of deck {b['deck']}."
    ),
    "round-noted": _noted,
    # the daemon
    "started": lambda b: f"feltd {b['version']} started.",
    "stopped": lambda b: f"feltd stopped: {b['why']}.",
    "gaming-day-began": lambda b: f"The gaming day {b['day']} began.",
    "clock-trusted": lambda _b: "The wall clock is synchronized.",
    "timer-due": _timer,
    "timer-unknown": lambda b: f"Nobody can say how old the timer {b['timer']} is.",
    "timer-set": lambda b: f"The timer {b['timer']} runs: due after {length(b['after_s'])}.",
    "timer-cancelled": lambda b: f"The timer {b['timer']} runs no more.",
    "dead-lettered": lambda b: f"Row {b['sequence']} could not be told to the floor.",
    "undecided": lambda b: f"The rules FAILED on {b['what_failed']}: nothing was decided from it.",
}
