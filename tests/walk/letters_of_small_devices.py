"""What shakers, generators, readers, stations and panels may tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from felt_protocols.events import draw, panel, reader, station

from .hands import Letter
from .telling import letters_told_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from felt_daemon.rules import Pack
    from felt_daemon.table import State
    from felt_daemon.table.state import Device
    from felt_protocols.events import Fact

    from .hands import Hands


def _shaker(_pack: Pack, name: str) -> Iterator[Letter]:
    letter = letters_told_by(name)

    def dice(faces: tuple[int, int, int], *, flat: bool = True, inside: bool = True) -> Fact:
        return draw.DiceRead(device=name, faces=faces, flat=flat, inside=inside)

    def shaken(hands: Hands) -> None:
        hands.tell(draw.ShakerCovered(device=name))
        hands.tell(*(draw.ShakerShaken(device=name) for _ in range(3)))
        hands.tell(draw.ShakerUncovered(device=name), dice((1, 2, 3)))

    def always(_one: Device, _state: State) -> bool:
        return True

    yield Letter(
        f"{name}: it is shaken three times and read",
        "play",
        shaken,
        lambda state: state.devices[name].link == "ready" and state.round is not None,
        name,
    )
    yield letter("it is covered", lambda _one, _state: draw.ShakerCovered(device=name), always, "strange")
    yield letter(
        "it is shaken",
        lambda _one, _state: draw.ShakerShaken(device=name),
        always,
        natural=lambda state: state.phase in {"dealt", "playing"},
    )
    yield letter("it is uncovered", lambda _one, _state: draw.ShakerUncovered(device=name), always, "strange")
    for says, read in (
        ("read", dice((1, 2, 3))),
        ("not flat", dice((1, 0, 3), flat=False)),
        ("not inside", dice((1, 0, 3), inside=False)),
        ("not legible", dice((1, 0, 3))),
    ):
        yield letter(f"its dice are {says}", lambda _one, _state, read=read: read, always, "trouble")
    yield letter(
        "nobody is with it",
        lambda _one, _state: draw.ShakerLeftUnattended(device=name, seconds=30),
        always,
        "strange",
    )


def _generator(_pack: Pack, name: str) -> Iterator[Letter]:
    letter = letters_told_by(name)

    def asked(one: Device, state: State) -> bool:
        return any(grant.device == one.id for grant in state.grants.values())

    def always(_one: Device, _state: State) -> bool:
        return True

    yield letter(
        "it draws a number", lambda _one, _state: draw.NumberDrawn(device=name, number=3, draw=0), asked
    )
    for health in ("ok", "failed"):
        yield letter(
            f"it says that it is {health}",
            lambda _one, _state, health=health: draw.GeneratorHealthTold(device=name, state=health),
            always,
            "strange" if health == "ok" else "trouble",
        )


def _reader(_pack: Pack, name: str) -> Iterator[Letter]:
    letter = letters_told_by(name)

    def on(_one: Device, state: State) -> bool:
        return state.round is not None and state.round.cards > 0

    def always(_one: Device, _state: State) -> bool:
        return True

    yield letter("a card is put in", lambda _one, _state: reader.HoleCardInserted(device=name), on)
    for blackjack in (True, False):
        yield letter(
            f"it says {'' if blackjack else 'no '}Blackjack",
            lambda _one, _state, blackjack=blackjack: reader.HoleCardRead(device=name, blackjack=blackjack),
            on,
        )
    yield letter(
        "it cannot read",
        lambda _one, _state: reader.HoleCardUnreadable(device=name, why="dirt"),
        on,
        "trouble",
    )
    yield letter(
        "the card is taken out", lambda _one, _state: reader.HoleCardRemoved(device=name), on, "strange"
    )
    for is_open in (True, False):
        yield letter(
            f"its case is {'opened' if is_open else 'closed'}",
            lambda _one, _state, is_open=is_open: reader.ReaderTampered(device=name, open=is_open),
            always,
            "trouble" if is_open else "remedy",
        )


def _station(_pack: Pack, name: str) -> Iterator[Letter]:
    letter = letters_told_by(name)

    def always(_one: Device, _state: State) -> bool:
        return True

    facts: Mapping[str, tuple[str, Any]] = {
        "a wager lies on a sensor": ("play", station.ProgressiveBet(device=name, seat=1, present=True)),
        "a wager is taken back": ("strange", station.ProgressiveBet(device=name, seat=1, present=False)),
        "Start Game is pressed": ("play", station.StartGamePressed(device=name)),
        "it takes the wagers": ("play", station.ProgressiveBetsLocked(device=name, seats=(1,))),
        "a wager comes late": ("trouble", station.LateBetSeen(device=name, seat=2)),
        "a taken wager is gone": ("trouble", station.LockedBetRemoved(device=name, seat=1)),
        "a hand is keyed in": ("trouble", station.ProgressiveHand(device=name, seat=1, rank="royal")),
        "a key is turned": ("strange", station.KeyTurned(device=name, which="service", on=True)),
    }
    for says, (kind, fact) in facts.items():
        yield letter(says, lambda _one, _state, fact=fact: fact, always, kind)


def _panel(_pack: Pack, name: str) -> Iterator[Letter]:
    letter = letters_told_by(name)
    for button in ("no-more-bets", "round-end", "new-dealer", "call-floor", "acknowledge", "report"):
        yield letter(
            f"{button} is pressed",
            lambda _one, _state, button=button: panel.PanelPressed.model_validate(
                {"device": name, "button": button, "report": "no-such-word"}
            ),
            lambda _one, _state: True,
            "strange",
        )


SMALL_LETTERS: Mapping[str, Callable[[Pack, str], Iterator[Letter]]] = {
    "shaker": _shaker,
    "rng": _generator,
    "hole-card-reader": _reader,
    "progressive-station": _station,
    "dealers-panel": _panel,
}
