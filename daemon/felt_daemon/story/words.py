"""What a row says, in a plain sentence; out of its public body alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from felt_daemon.story.span import length, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from felt_daemon.story.record import Said

Body = dict[str, Any]
Sentence = Callable[[Body], str]

# Which rows hold a word that the pack explains, and which timers wait for the owner of a hold.
_REPORTS = {"reported", "panel-pressed"}
_ESCALATION = "escalation:"
_STEPS = {"dealer": "the dealer", "floor": "the floor", "shift-manager": "the shift manager"}
_SIGNS = {"covered": "covered", "out-of-order": "marked as out of order", "removed": "free of cover and sign"}
_HOW = {"observed": "its remedy was seen", "reported": "its remedy was reported", "override": "OVERRIDDEN"}
_INTERRUPTED = {
    "jam": "jammed",
    "stopped": "stopped in a shuffle",
    "incomplete": "did not complete its cycle",
}
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


def _at(body: Body) -> str:
    return f" ({body['where']})" if body.get("where") else ""


def _cards(body: Body) -> str:
    count = body.get("count")
    return "" if count is None else f", {plural(count, 'card')}"


def _deck(body: Body) -> str:
    name = body.get("deck") or body["context"].get("deck")
    return f" of deck {name}" if name else ""


def _thing(body: Body) -> str:
    if body.get("device"):
        return str(body["device"])
    return f"deck {body['deck']}" if body.get("deck") else "the table"


def _note(body: Body) -> str:
    return f": {body['note']}" if body.get("note") else ""


def _card(body: Body) -> str:
    if not body["face_up"]:
        return f"One card came out of {body['device']} face down."
    name = " of ".join(str(body[part]) for part in ("rank", "suit") if body.get(part))
    return f"A card came out of {body['device']} face up{': ' + name if name else ''}."


def _dice(body: Body) -> str:
    faces = ", ".join(str(face) if face else "unreadable" for face in body["faces"])
    lying = "" if body["flat"] else "; not all lie flat"
    inside = "" if body["inside"] else "; not all are inside"
    return f"{body['device']} read the dice: {faces}{lying}{inside}."


def _seat(seat: int) -> str:
    return f"seat {seat}" if seat else "the dealer"


def _reported(body: Body) -> str:
    about = [
        f"{name} {body[name]}" for name in ("round", "seat", "deck", "device") if body.get(name) is not None
    ]
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


def _order(body: Body) -> str:
    return f"Order to {body['device']}: {body['order']} (gate {body['gate']}, for {body['key']})."


def _answered(body: Body) -> str:
    why = f": {body['why']}" if body.get("why") else ""
    return f"{body['device']} answered order {body['order']}: {body['result']}{why}."


def _lost(body: Body) -> str:
    whys = {"silent": "it is silent", "link": "its line is gone", "never-seen": "it was never seen"}
    return f"{body['device']} is lost: {whys.get(body['why'], body['why'])}."


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


def _moved(body: Body) -> str:
    return f"{plural(body['count'], 'card')} of deck {body['deck']}: {body['source']} to {body['target']}."


WORDS: dict[str, Sentence] = {
    # shoes
    "shoe-loaded": lambda b: f"Cards{_deck(b)} were put into {b['device']}{_cards(b)}.",
    "card-drawn": _card,
    "stack-dispensed": lambda b: f"{b['device']} dispensed a stack of {plural(b['size'], 'card')}{_deck(b)}.",
    "cover-card-drawn": lambda b: f"The cover card came out of {b['device']}.",
    "shoe-jammed": lambda b: f"{b['device']} JAMMED{_at(b)}.",
    "shoe-stopped": lambda b: f"{b['device']} STOPPED dealing cards.",
    "shoe-emptied": lambda b: f"{b['device']} has no card left.",
    "shoe-unloaded": lambda b: f"The cards{_deck(b)} were taken out of {b['device']}{_cards(b)}.",
    # shufflers and decks
    "deck-loaded": lambda b: f"Cards were put into {b['device']} (batch {b['batch']}){_cards(b)}.",
    "shuffle-started": lambda b: f"{b['device']} began to work on batch {b['batch']}{_deck(b)}.",
    "shuffle-completed": lambda b: (
        f"{b['device']} completed a {b['mode']} of batch {b['batch']}{_deck(b)}{_cards(b)}."
    ),
    "shuffle-interrupted": lambda b: (
        f"{b['device']} {_INTERRUPTED[b['why']]}{_at(b)}, batch {b['batch']}{_deck(b)}."
    ),
    "deck-unloaded": lambda b: f"Batch {b['batch']}{_deck(b)} was taken out of {b['device']}{_cards(b)}.",
    "inside-counted": lambda b: f"{b['device']} counts {plural(b['count'], 'card')} inside.",
    "batch-mapped": lambda b: (
        f"Batch {b['batch']} in {b['device']} is taken to be deck {b['deck']}: {b['how']}."
    ),
    "shoe-mapped": lambda b: f"The cards in {b['device']} are taken to be deck {b['deck']}: {b['how']}.",
    "cards-moved": _moved,
    "deck-marked": lambda b: f"Deck {b['deck']}: {b['mark']}.",
    # devices
    "device-connected": lambda b: f"{b['device']} is connected ({b['model']} {b['serial']}).",
    "device-restarted": lambda b: f"{b['device']} RESTARTED: what it counted in memory is void.",
    "device-refused": lambda b: f"{b['device']} was not accepted: {b['why']}.",
    "device-drained": lambda b: f"All that {b['device']} had kept has arrived.",
    "device-stale": lambda b: f"{b['device']} has been silent for {length(b['silent_ms'] / 1000)}.",
    "device-lost": _lost,
    "device-back": lambda b: f"{b['device']} is heard again.",
    "device-faulted": lambda b: f"{b['device']} reports the fault {b['code']}{_at(b)}.",
    "device-cleared": lambda b: (
        f"{b['device']} reports {'the fault ' + b['code'] if b['code'] else 'the jam'} cleared{_at(b)}."
    ),
    "door-moved": lambda b: f"A door of {b['device']} was {'opened' if b['open'] else 'closed'}.",
    "light-shown": lambda b: f"{b['device']} shows {b['colour']}.",
    "events-lost": lambda b: f"{b['device']} lost its events {b['first']} to {b['last']} for ever.",
    "order-leaked": lambda b: (
        f"{b['device']} offered the order of undealt cards; its bytes were dropped unread."
    ),
    "interlock-unconfirmed": lambda b: (
        f"{b['device']} does not show an inhibit sent {b['after_ms']} ms before."
    ),
    "inhibit-found": lambda b: f"{b['device']} is inhibited for a reason of its own: {b['why']}.",
    "lease-lapsed": lambda b: f"{b['device']} inhibited itself: its permit was not renewed.",
    "inspection-due": lambda b: f"{b['device']} was not inspected in the gaming day {b['day']}.",
    "order-issued": _order,
    "order-answered": _answered,
    "service-ended": lambda b: f"The service of {b['device']} is over.",
    # the shaker
    "shaker-shaken": lambda b: f"{b['device']} was shaken.",
    "shaker-uncovered": lambda b: f"{b['device']} was uncovered.",
    "shaker-covered": lambda b: f"{b['device']} was covered.",
    "shaker-left-unattended": lambda b: f"Nobody has been at {b['device']} for {length(b['seconds'])}.",
    "dice-read": _dice,
    "start-position-set": lambda b: f"Dealing starts at {_seat(b['seat'])}.",
    "start-position-withdrawn": lambda b: f"The starting position does not count: {b['row']}.",
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
    "floor-ordered": lambda b: f"Ordered a {b['what_ordered']}{_deck(b)}.",
    "deck-counted": lambda b: (
        f"Counted {'what was left' if b['part'] == 'remaining' else 'all'}{_deck(b)} by hand:"
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
