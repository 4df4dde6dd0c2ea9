"""What people at a table may tell: of decks, of the round, of devices, and every report that the pack has."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from felt_daemon.table.deal import begun
from felt_protocols import commands
from felt_protocols.errors import CommandRefused
from felt_protocols.events import person, system

from .felt_walked import started
from .hands import PEOPLE, Letter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from felt_daemon.rules import Pack
    from felt_daemon.rules.pack import ReportKind
    from felt_daemon.table import Setup, State
    from felt_protocols.commands import Command
    from felt_protocols.events import Fact

    from .hands import Hands


def people_letters(pack: Pack, setup: Setup) -> Iterator[Letter]:
    """Everything that people may do."""
    for name in setup.decks:
        yield from _deck_letters(pack, name)
    yield from _round_letters()
    for word, kind in pack.reports.items():
        yield from _report_letters(pack, setup, word, kind)
    for name in setup.devices:
        yield from _device_letters(name)
    yield from _method_letters(pack, setup)
    yield from _time_letters(pack, setup)


def _always(_state: State) -> bool:
    return True


def _gives(  # noqa: PLR0913, PLR0917 - a letter's own fields
    says: str,
    command: Command,
    kind: str,
    role: str = "floor",
    fits: Callable[[State], bool] = _always,
    about: str = "",
) -> Letter:
    return Letter(says, kind, lambda hands: hands.give(command, role), fits, about=about)


def prepare(pack: Pack, hands: Hands, name: str) -> None:
    """Report every step of a deck's preparation, each by somebody who may."""
    for mark in pack.opening.marks if pack.opening else ():
        word, kind = next((word, kind) for word, kind in pack.reports.items() if kind.marks == mark)
        hands.give(commands.Report(what=word, deck=name), "dealer" if "dealer" in kind.by else kind.by[0])


def _deck_letters(pack: Pack, name: str) -> Iterator[Letter]:
    def whole(state: State) -> int:
        return state.setup.deck_total

    def change(hands: Hands) -> None:
        hands.give(commands.ChangeDeck(deck=name))
        # A deck that is not prepared is at the table all the same.
        with contextlib.suppress(CommandRefused):
            prepare(pack, hands, name)

    def count(hands: Hands, less: int) -> None:
        hands.give(commands.CountCards(deck=name, count=whole(hands.state) - less), "dealer")

    def left(hands: Hands, less: int) -> None:
        now = hands.state.round
        right = whole(hands.state) - (now.cards if now else 0)
        hands.give(commands.CountCards(deck=name, count=max(0, right - less), part="remaining"), "dealer")

    yield _gives(
        f"{name} comes preshuffled", commands.ChangeDeck(deck=name, preshuffled=True), "remedy", about=name
    )
    yield Letter(f"{name} comes and is prepared", "remedy", change, _always, about=name)
    yield _gives(f"{name} comes and is not prepared", commands.ChangeDeck(deck=name), "strange")
    for says, less in (("all there", 0), ("one short", 1)):
        kind = "trouble" if less else "remedy"
        yield Letter(
            f"{name} is counted, {says}",
            kind,
            lambda hands, less=less: count(hands, less),
            _always,
            about=name,
        )
        yield Letter(
            f"what is left of {name} is counted, {says}",
            "trouble" if less else "play",
            lambda hands, less=less: left(hands, less),
            _always,
            natural=lambda state: state.phase == "dealt",
        )
    for what in ("shuffle", "reshuffle", "burn", "recut"):
        kind = "trouble" if what in {"shuffle", "burn"} else "strange"
        yield _gives(
            f"a {what} of {name} is ordered",
            commands.Order.model_validate({"what": what, "deck": name}),
            kind,
        )
    yield _gives(f"{name} is not in order", commands.Inspect(deck=name, result="not-in-order"), "trouble")
    for place in ("hand", "table", "discard"):
        yield _gives(
            f"a card of {name} is taken out of {place}",
            commands.WithdrawCard.model_validate({"deck": name, "place": place, "why": "bent"}),
            "trouble" if place == "hand" else "strange",
        )
    yield _gives(f"a card of {name} is replaced", commands.ReplaceCard(deck=name), "remedy", about=name)


def _round_letters() -> Iterator[Letter]:
    yield _gives("the table opens", commands.OpenTable(), "play")
    yield _gives("the table closes", commands.CloseTable(), "trouble")
    yield _gives("no more bets", commands.NoMoreBets(), "play", "dealer")
    yield _gives("the round ends", commands.RoundEnd(), "play", "dealer")
    yield _gives("the void round is released", commands.ReleaseRound(), "remedy")
    yield _gives("another dealer comes", commands.NewDealer(), "strange", "dealer")


def _report_letters(pack: Pack, setup: Setup, word: str, kind: ReportKind) -> Iterator[Letter]:
    role = "dealer" if "dealer" in kind.by else kind.by[0]
    decks: tuple[str | None, ...] = tuple(setup.decks) if "deck" in kind.asks else (None,)
    seats = tuple(range(1, min(2, setup.positions) + 1)) if "seats" in kind.asks else None
    seat = 1 if "seat" in kind.asks else None
    prepares = pack.opening is not None and kind.marks in pack.opening.marks
    what = "strange" if prepares else "play" if kind.marks or kind.deals or kind.sets or seats else "trouble"
    for deck in decks:
        about = "" if deck is None else f" ({deck})"
        yield _gives(
            f"{word} is reported{about}",
            commands.Report(what=word, deck=deck, seat=seat, seats=seats),
            "remedy" if kind.table == "open" else what,
            role,
        )


def _out_of_use(name: str) -> Callable[[State], bool]:
    """Whether a device cannot be used, as anybody at the table can see."""

    def fits(state: State) -> bool:
        one = state.devices[name]
        return bool(one.link in {"lost", "refused"} or one.faults or one.jam)

    return fits


def _not(fits: Callable[[State], bool]) -> Callable[[State], bool]:
    return lambda state: not fits(state)


def _device_letters(name: str) -> Iterator[Letter]:
    broken = _out_of_use(name)
    for kind, when in (("remedy", broken), ("trouble", _not(broken))):
        yield _gives(
            f"{name} gets a sign, {kind}",
            commands.Sign(device=name, sign="out-of-order"),
            kind,
            fits=lambda state, when=when: when(state) and not state.devices[name].sign,
            about=name,
        )
        yield _gives(
            f"{name} is retired, {kind}",
            commands.DeviceRetire(device=name, shown_empty=True),
            kind,
            "tech",
            when,
            name,
        )
        yield _gives(
            f"the service of {name} begins, {kind}",
            commands.ServiceBegin(device=name, why="a new belt"),
            kind,
            "tech",
            when,
            name,
        )
    yield _gives(f"{name} loses its sign", commands.Sign(device=name, sign="removed"), "remedy", about=name)
    yield _gives(
        f"{name} is inspected", commands.Inspect(device=name, result="in-order"), "remedy", "tech", about=name
    )
    yield _gives(
        f"{name} is not in order", commands.Inspect(device=name, result="not-in-order"), "trouble", "tech"
    )
    yield _gives(
        f"the service of {name} ends",
        commands.ServiceEnd(device=name, shown_empty=True),
        "remedy",
        "tech",
        about=name,
    )
    yield _gives(
        f"{name} is accepted",
        commands.DeviceAccept(device=name, serial="s-1", shown_empty=True),
        "remedy",
        "tech",
        about=name,
    )


def _method_letters(pack: Pack, setup: Setup) -> Iterator[Letter]:
    if pack.methods is None:
        return
    for name, ways in (
        ("shuffle", pack.methods.shuffle),
        ("deal", pack.methods.deal),
        ("start", pack.methods.start),
    ):
        for word in ways:
            by_default = setup.method.get(name) == word
            yield _gives(
                f"{name} by {word}",
                commands.Method.model_validate({name: word}),
                "remedy" if by_default else "trouble",
                fits=lambda state, name=name, word=word: state.method.get(name) != word,
            )


def _time_letters(pack: Pack, setup: Setup) -> Iterator[Letter]:
    for clock in pack.clocks:
        for name in setup.decks if clock.on == "deck-changed" else setup.devices:
            timer = f"{clock.id}/{name}"
            yield _tells(
                f"{timer} is due", system.TimerDue(timer=timer, overdue_s=0), "trouble", _runs(timer)
            )
            yield _tells(
                f"the age of {timer} is unknown", system.TimerUnknown(timer=timer), "trouble", _runs(timer)
            )
    for name, family in setup.devices.items():
        if family == "shaker":
            yield _gives(f"new dice in {name}", commands.ChangeDice(device=name), "remedy", about=name)
    yield _tells("the clock is trusted", system.ClockTrusted(), "remedy", _always)
    yield _tells("a gaming day begins", system.GamingDayBegan(day="2030-05-02"), "strange", _always)
    yield _tells("the daemon starts again", started(), "trouble", _always)
    by = PEOPLE["dealer"]
    yield _tells("bets close without a command", person.BetsClosed(by=by), "strange", _always)
    yield _tells("the round ends without a command", person.RoundEnded(by=by), "strange", begun)


def _runs(timer: str) -> Callable[[State], bool]:
    return lambda state: timer in state.timers


def _tells(says: str, fact: Fact, kind: str, fits: Callable[[State], bool]) -> Letter:
    return Letter(says, kind, lambda hands: hands.tell(fact), fits)
