"""What must hold of every step of every table, told again without the engine.

Each law looks at the rows that a fact led to, at the state before it and at the one after, and at the pack's
own words. None asks the functions that the engine itself asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table import evolve, inhibits
from felt_daemon.table.rulings import stops
from felt_protocols.events import Fact, device, incident

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from felt_daemon.rules.pack import Gate, Pack
    from felt_daemon.table import State
    from felt_daemon.table.state import Device, Hold
    from felt_protocols.events import Row

# Games in which no card is dealt before "no more bets": 659a, 663a, 671a and 687a .8(b), .9(a)(3), .10(a).
BETS_CLOSE_FIRST = {"659a", "663a", "671a", "687a"}
# Games whose text, as far as it is here, wants every deck shuffled before it is dealt: .5(a) of each.
SHUFFLED_FIRST = {*BETS_CLOSE_FIRST, "665a", "672a", "673a", "686a"}
# Devices whose silence never keeps anything from being done.
NEVER_LOCK = {"shaker", "dealers-panel"}
DOUBTS = {
    "device-stale": "stale",
    "device-lost": "lost",
    "device-restarted": "unverified",
    "events-lost": "unverified",
}
CARDS_COME_FROM = {"shoe", "continuous-shuffler"}


def broken(pack: Pack, before: State, rows: Sequence[Row], after: State) -> list[str]:
    """The laws that this step breaks, each in words; none is what there should be."""
    return [
        *_cards(after),
        *_permits(pack, before, rows),
        *_wishes(before, rows, after),
        *_early_stops(pack, before, rows, after),
        *_doubts(pack, before, rows),
        *_stops_in_a_deal(pack, before, rows),
        *_kept_permits(pack, after),
    ]


def _cards(after: State) -> Iterator[str]:
    for one in after.decks.values():
        if sum(one.places.values()) != one.total or min(one.places.values()) < 0:
            yield f"cards of {one.id} are not conserved: {dict(one.places)}"


def _permits(pack: Pack, before: State, rows: Sequence[Row]) -> Iterator[str]:
    if not any(isinstance(row.event, device.OrderIssued) for row in rows):
        return
    state = before
    for row in rows:
        order = row.event
        if isinstance(order, device.OrderIssued):
            gate = next((one for one in pack.gates if one.id == order.gate), None)
            if gate is not None:
                yield from (
                    f"{order.device} was permitted ({gate.id}) although {why}"
                    for why in forbids(pack, state, gate, state.devices[order.device])
                )
        state = evolve(state, row)


def forbids(pack: Pack, state: State, gate: Gate, about: Device) -> Iterator[str]:
    """Why this gate may not be opened for this device now."""
    if about.link != "ready":
        yield f"it is {about.link}"
    if about.retired:
        yield "it is out of use"
    if about.service:
        # A test shuffle is allowed, and nothing of a round.
        if gate.per == "round":
            yield "it is in service"
        return
    if about.sign:
        yield f"it is {about.sign}"
    yield from _holds_forbid(pack, state, gate, about)
    if gate.per == "round":
        yield from _round_forbids(pack, state, about, goes_on=_goes_on(state, gate))
    elif not about.deck:
        yield "nobody knows which deck is in it"


def _goes_on(state: State, gate: Gate) -> bool:
    """Whether a round is being dealt from a shoe of many rounds."""
    now = state.round
    shoe = gate.lasts == "round" and gate.family == "shoe"
    return shoe and now is not None and now.permitted and now.cards > 0


def _holds_forbid(pack: Pack, state: State, gate: Gate, about: Device) -> Iterator[str]:
    # What closes the next round lets one that is being dealt from a shoe of many rounds be finished.
    goes_on = _goes_on(state, gate)
    for hold in state.holds.values():
        if hold.stops == about.id and hold.cause:
            yield f"hold {hold.row} stops it"
        elif not goes_on and _closes(pack, state, hold, gate, about):
            yield f"hold {hold.row} on {hold.subject_id} closes it"


def _round_forbids(pack: Pack, state: State, about: Device, *, goes_on: bool) -> Iterator[str]:
    now = state.round
    if now is None:
        yield "no round is on"
        return
    if now.void:
        yield "the round is void"
    if about.family not in CARDS_COME_FROM:
        return
    place = "shoe" if about.family == "shoe" else "shuffler"
    there = [one for one in state.decks.values() if one.places[place]]
    if not there:
        yield "no card is in it"
    # Whatever lies in a box that shuffles without end is shuffled.
    wanted = pack.source.chapter in SHUFFLED_FIRST and not goes_on and place == "shoe"
    if there and not there[0].shuffled and wanted:
        yield f"{there[0].id} is not shuffled"
    advice = state.setup.told.get("no-more-bets") == "advice"
    if pack.source.chapter in BETS_CLOSE_FIRST and not (now.bets_closed or advice):
        yield "bets are open"


def _closes(pack: Pack, state: State, hold: Hold, gate: Gate, about: Device) -> bool:
    words = pack.by_id[hold.row].holds[hold.index]
    if gate.id not in words.gates and not (hold.cause and gate.id in words.while_cause):
        return False
    now, about_it = state.round, state.incidents.get(hold.incident)
    if words.after_round and now is not None and about_it is not None and about_it.round == now.number:
        # The round in which it came is finished first.
        return False
    if hold.subject == "deck":
        return hold.subject_id == (_deck_in(state, about) if gate.per == "round" else about.deck)
    if hold.subject == "device" and hold.subject_id != about.id:
        if gate.per == "batch":
            return False
        return not _done_without(pack, state, hold.subject_id)
    return True


def _deck_in(state: State, about: Device) -> str:
    """The deck that would be dealt."""
    endless = any(one.family == "continuous-shuffler" for one in state.devices.values())
    places = ("shoe", "shuffler") if endless and about.family != "shoe" else ("shoe",)
    found = [one.id for place in places for one in state.decks.values() if one.places[place]]
    return found[0] if found else state.round.deck if state.round else ""


def _done_without(pack: Pack, state: State, name: str) -> bool:
    """Whether the house has put a sign on a device and goes ways that need none of its family."""
    about = state.devices[name]
    if not about.sign or pack.methods is None:
        return False
    ways = (pack.methods.shuffle, pack.methods.deal, pack.methods.start)
    taken = [
        way
        for words, known in zip(("shuffle", "deal", "start"), ways, strict=True)
        for word, way in known.items()
        if state.method.get(words) == word
    ]
    return all(way.family != about.family for way in taken)


def _kept_permits(pack: Pack, after: State) -> Iterator[str]:
    """No shoe that knows no end of a round keeps its permit for one that is held before its first card.

    A hold that closes a gate only while its cause is there does not take a permit back; it gives no new one.
    """
    now = after.round
    if now is None or now.cards:
        return
    for gate in pack.gates:
        if gate.per != "round" or gate.lasts != "round":
            continue
        for about in after.devices.values():
            grant = after.grants.get(f"{gate.id}/{about.id}")
            if grant is None or grant.key != str(now.number) or about.id in inhibits(after):
                continue
            yield from (
                f"{about.id} keeps its permit ({gate.id}) although {hold.row} on {hold.subject_id} closes it"
                for hold in after.holds.values()
                if gate.id in hold.gates and _closes(pack, after, hold, gate, about)
            )


def _wishes(before: State, rows: Sequence[Row], after: State) -> Iterator[str]:
    """A device is wished to be inhibited exactly while a hold that stops it has its cause.

    Beside these there are devices that have no permit for the round that is on.
    """
    wanted = {hold.id: hold.stops for hold in before.holds.values() if hold.stops and hold.cause}
    for row in rows:
        event = row.event
        if isinstance(event, incident.HoldOpened) and event.stops and event.cause:
            wanted[event.hold] = event.stops
        elif isinstance(event, (incident.HoldCauseGone, incident.HoldEnded)):
            wanted.pop(event.hold, None)
    wished = {name for name, why in inhibits(after).items() if why not in {"round-over", "permit-withdrawn"}}
    if wished != set(wanted.values()):
        yield f"the wish is to stop {sorted(wished)}, and holds stop {sorted(set(wanted.values()))}"


def _early_stops(pack: Pack, before: State, rows: Sequence[Row], after: State) -> Iterator[str]:
    """What is stopped before there is a row is stopped by the rows as well."""
    first = rows[0].event
    assert isinstance(first, Fact)
    early = {name for name, _row in stops(pack, before, first)}
    if not early <= set(inhibits(after)):
        yield f"{sorted(early - set(inhibits(after)))} is stopped at once, and no row says so"


def _doubts(pack: Pack, before: State, rows: Sequence[Row]) -> Iterator[str]:
    """Silence and loss hold only what a doubt of the pack names, and of some devices never anything."""
    fact = rows[0].event
    doubt = DOUBTS.get(fact.what())
    about = before.devices.get(getattr(fact, "device", "")) if doubt else None
    if about is None:
        return
    named = {
        row.rule
        for row in pack.doubts
        if (row.family, row.doubt) == (about.family, doubt) and (not row.phases or before.phase in row.phases)
    }
    listening = {
        rule.id
        for rule in pack.rules
        if fact.what() in rule.on and rule.id not in {row.rule for row in pack.doubts}
    }
    for row in rows:
        opened = row.event
        if not isinstance(opened, incident.HoldOpened):
            continue
        locks = bool(opened.gates or opened.stops)
        if opened.row not in named | listening:
            yield f"{opened.row} is held by {fact.what()} of {about.id}, and no doubt of the pack names it"
        if locks and about.family in NEVER_LOCK:
            yield f"{opened.row}: {fact.what()} of {about.id} locks"


def _stops_in_a_deal(pack: Pack, before: State, rows: Sequence[Row]) -> Iterator[str]:
    """While cards come out, the shoe is stopped only by what voids the round or ends its dealing."""
    if before.phase not in pack.deals_in:
        return
    for row in rows:
        opened = row.event
        if isinstance(opened, incident.HoldOpened) and opened.stops:
            rule = pack.by_id[opened.row]
            shoe = before.devices[opened.stops].family in CARDS_COME_FROM
            if shoe and not (rule.void or rule.ends_dealing):
                yield f"{rule.id} stops the shoe in {before.phase} and does not void the round"
