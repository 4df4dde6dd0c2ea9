"""Facts that follow from a fact within its own step: a press is a command, and some need no telling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from felt_daemon.table.admit import admit
from felt_daemon.table.lookup import all_hold, lookup_for
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import panel, person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from felt_daemon.rules.pack import Pack
    from felt_daemon.table.state import State
    from felt_protocols.events import Event, Fact

_COMMANDS: dict[str, commands.Command] = {
    "no-more-bets": commands.NoMoreBets(),
    "round-end": commands.RoundEnd(),
    "new-dealer": commands.NewDealer(),
    "call-floor": commands.CallFloor(),
}
_INFERRED: dict[str, type[person.BetsClosed | person.RoundEnded]] = {
    "bets-closed": person.BetsClosed,
    "round-ended": person.RoundEnded,
}


def consequences(pack: Pack, state: State, fact: Event, *, late: bool) -> Iterator[Fact]:
    """Every fact that follows. `late`: the fact was told long after it happened."""
    if isinstance(fact, panel.PanelPressed):
        yield _pressed(pack, state, fact, late=late)
    for one in pack.inferences:
        if (
            fact.what() in one.on
            and state.setup.told.get(one.told) == one.choice
            and all_hold(one.when, lookup_for(pack, state, fact))
        ):
            by = person.Person(role="dealer", name=state.dealer, proof="inferred")
            yield _INFERRED[one.becomes](by=by)


def _pressed(pack: Pack, state: State, fact: panel.PanelPressed, *, late: bool) -> Fact:
    # Who comes to deal may press it as well as who goes.
    name = "" if fact.button == "new-dealer" else state.dealer
    by = person.Person(role="dealer", name=name, proof="panel")
    try:
        return _meant(pack, state, fact, by, late=late)
    except CommandRefused as refusal:
        return person.CommandRejected(
            command=fact.button, by=by, reason=str(refusal)[:400], way="panel", request=fact.report
        )


def _meant(pack: Pack, state: State, fact: panel.PanelPressed, by: person.Person, *, late: bool) -> Fact:
    """The fact that the press stands for. Raises `CommandRefused`."""
    if late:
        raise CommandRefused("it was pressed while nobody listened; press it again")
    if fact.button == "acknowledge":
        return _seen(state, by)
    return admit(pack, state, _COMMANDS.get(fact.button) or commands.Report(what=fact.report), by)


def _seen(state: State, by: person.Person) -> Fact:
    unseen = tuple(hold.id for hold in state.holds.values() if not hold.seen)
    if not unseen:
        raise CommandRefused("nothing is held that you have not seen")
    return person.TroubleSeen(by=by, holds=unseen)
