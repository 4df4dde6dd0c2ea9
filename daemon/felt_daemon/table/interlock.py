"""What holds keep devices from: inhibits at once, and gates that stay closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.whereabouts import deck_in_shoe, is_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Gate, HoldRule, Pack
    from felt_daemon.table.state import Device, Grant, Hold, State


def rule_of(pack: Pack, hold: Hold) -> HoldRule | None:
    """The pack's words on a hold; none for one that this pack does not know, which only an override ends."""
    rule = pack.by_id.get(hold.row)
    return rule.holds[hold.index] if rule is not None and hold.index < len(rule.holds) else None


# Why a device is inhibited that was open for a round, where no hold says so.
ROUND_OVER = "round-over"
# The same where the house deals in another way since the permit, or the table closed or fell idle.
WITHDRAWN = "permit-withdrawn"


def inhibits(state: State) -> dict[str, str]:
    """The devices that must be inhibited now, each with the row that says so, or with one of the words above.

    This is a wish, not an order: it is sent again for as long as the device does not show it.
    """
    # What cannot know the end of its round is closed until there is a permit for the next one.
    rounds = [grant for grant in state.grants.values() if _knows_no_end(state, grant)]
    open_now = {grant.device for grant in rounds if not _is_over(state, grant.key)}
    over = {grant.device: ROUND_OVER for grant in rounds if grant.device not in open_now}
    for one in state.devices.values():
        gates = [gate for gate, family in state.setup.whole_rounds.items() if is_of(one, family)]
        if gates and not one.aside and all(f"{gate}/{one.id}" not in state.grants for gate in gates):
            over[one.id] = ROUND_OVER
    over |= {grant.device: WITHDRAWN for grant in state.grants.values() if grant.withdrawn}
    return over | {hold.stops: hold.row for hold in state.holds.values() if hold.stops and hold.cause}


def _knows_no_end(state: State, grant: Grant) -> bool:
    """Whether a permit is for a round whose end the device cannot see: it was told no number of stacks."""
    stackless = "round" in grant.args and "stacks" not in grant.args
    return stackless or grant.gate in state.setup.whole_rounds


def _is_over(state: State, number: str) -> bool:
    now = state.round
    return now is None or bool(now.void) or number != str(now.number)


def locks(state: State, hold: Hold) -> bool:
    """Whether a hold keeps something from being done, and does not only advise."""
    about = state.incidents.get(hold.incident)
    return bool(hold.gates) or (about is not None and about.effect != "advise")


def deck_held(state: State, deck: str) -> bool:
    """Whether a hold binds this deck."""
    return any(hold.subject == "deck" and hold.subject_id == deck for hold in state.holds.values())


def closing(pack: Pack, state: State, gate: Gate, device: Device) -> Iterator[Hold]:
    """The holds that keep this gate closed for this device now."""
    deck = device.deck if gate.per == "batch" else deck_in_shoe(state)
    for hold in state.holds.values():
        if hold.cause and hold.stops == device.id:
            yield hold
            continue
        if not _closes(pack, hold, gate.id) or _waits_for_the_end(pack, state, hold):
            continue
        if hold.subject == "deck" and hold.subject_id != deck:
            continue
        # A device's hold closes its own gates, and those of the round, which may need any device.
        others = hold.subject == "device" and hold.subject_id != device.id
        if others and (gate.per == "batch" or _done_without(pack, state, hold.subject_id)):
            continue
        yield hold


def _waits_for_the_end(pack: Pack, state: State, hold: Hold) -> bool:
    """Whether a hold lets the round be played in which it came."""
    rule, about, now = rule_of(pack, hold), state.incidents.get(hold.incident), state.round
    if rule is None or not rule.after_round or about is None or now is None:
        return False
    return about.round == now.number


def _done_without(pack: Pack, state: State, device: str) -> bool:
    """Whether a device is covered or signed, and the house goes ways that need none of its family."""
    about = state.devices.get(device)
    if about is None or not about.sign or pack.methods is None:
        return False
    return all(way.family != about.family for way in pack.methods.chosen(state.method))


def _closes(pack: Pack, hold: Hold, gate: str) -> bool:
    if gate in hold.gates:
        return True
    rule = rule_of(pack, hold)
    return hold.cause and rule is not None and gate in rule.while_cause
