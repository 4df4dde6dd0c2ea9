"""The game that a configuration names, as far as its settings depend on it: read from the rule pack."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from felt_daemon.config.document import as_table
from felt_daemon.config.elections import Election
from felt_daemon.config.fields import Expect
from felt_daemon.config.hints import with_nearest
from felt_daemon.config.model import Family
from felt_daemon.config.positions import dotted
from felt_daemon.config.problems import Problem
from felt_daemon.rules import load
from felt_daemon.rules.library import BadPack
from felt_daemon.table import set_up, unfit_ways, ways_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from felt_daemon.config.document import Document
    from felt_daemon.config.elections import Choice, ElectionSchema
    from felt_daemon.config.packs import Packs
    from felt_daemon.config.positions import Key
    from felt_daemon.rules import Pack

# Of a pack's own mistakes so many are told.
MOST_TOLD = 20
TOLD = "told"
ADVICE = "advice"
# What each key of [panel] is about, in the words of packs; of the end of a round nobody may be left unsure.
_PANEL = {"no_more_bets": "no-more-bets", "round_end": "round-end"}
_MAY_BE_ADVICE = frozenset({"no_more_bets"})


@dataclass(frozen=True, slots=True)
class Game:
    """What a rule pack lets a configuration say.

    `says` is what people call it. `families` are the devices that it has rules for. `in_use` is the election
    whose answer is how many decks are in use, `panel` the words that are valid under each key of [panel].
    """

    name: str
    says: str
    elections: ElectionSchema
    families: tuple[str, ...]
    in_use: str | None
    panel: Mapping[str, tuple[str, ...]]

    def expected(self, key: Key) -> Expect | None:
        """What a value must be, where this game says it; None where every game takes the same."""
        for name, words in self.panel.items():
            if key == ("panel", name):
                return one_of(words)
        return None


def one_of(words: tuple[str, ...]) -> Expect:
    """One of these words."""
    shown = ", ".join(f'"{word}"' for word in words)
    return Expect(f"one of {shown}" if len(words) > 1 else shown, lambda: words)


@functools.cache
def shipped(name: str) -> Game:
    """The game of a pack that comes along; raises `BadPack` where there is none of that name."""
    return game_of(name, load(name))


def game_of(name: str, pack: Pack) -> Game:
    """What a pack lets a configuration say."""
    return Game(
        name=name,
        says=pack.source.game,
        elections={
            question: Election(
                choices=one.choices,
                about=f"{one.says.rstrip('.')} ({', '.join(one.cite)})." if one.cite else one.says,
                needs={choice: tuple(_families(pack, question, choice)) for choice in one.choices},
                default=one.by_default,
            )
            for question, one in pack.elections.items()
        },
        families=pack.families,
        in_use=next((question for question, one in pack.elections.items() if one.in_use), None),
        panel={key: _panel_words(pack, key) for key in _PANEL},
    )


def _families(pack: Pack, question: str, choice: Choice) -> Iterator[str]:
    """The devices that an answer takes for granted: what the pack says of it, and its way of playing."""
    if (named := pack.elections[question].needs.get(str(choice))) is not None:
        yield named
    if pack.methods is not None and question in pack.methods.by_default:
        way = next(pack.methods.chosen({question: str(choice)}), None)
        if way is not None and way.family is not None and way.family != named:
            yield way.family


def _panel_words(pack: Pack, key: str) -> tuple[str, ...]:
    inferred = dict.fromkeys(one.choice for one in pack.inferences if one.told == _PANEL[key])
    return (TOLD, *inferred, *((ADVICE,) if key in _MAY_BE_ADVICE else ()))


def found(document: Document, packs: Packs) -> tuple[Game | None, list[Problem]]:
    """The game that a file names, or why it names none."""
    key = ("table", "game")
    name = document.value(*key)
    if not isinstance(name, str):
        return None, []
    if name not in packs.names:
        text = with_nearest(f"must be {one_of(packs.names).words}", name, packs.names)
        return None, [_problem(document, key, text)]
    try:
        return game_of(name, packs.load(name)) if name in packs.own else shipped(name), []
    except BadPack as error:
        return None, _pack_problems(document, packs.where(name), str(error).splitlines())
    except OSError as error:
        return None, [_problem(document, key, f"{packs.where(name)}: cannot be read: {error.strerror}")]


def elected_problems(
    document: Document, game: Game, packs: Packs, held: Mapping[str, Choice]
) -> list[Problem]:
    """What is wrong with the game as these answers make it, where it was sound before.

    A pack of the house's own may not load with them; a way to shuffle, to deal or to begin may want another.
    """
    try:
        pack = packs.load(game.name, held)
    except BadPack as error:
        return _pack_problems(document, packs.where(game.name), str(error).splitlines())
    devices = {
        name: str(document.value("devices", name, "family"))
        for name in as_table(document.value("devices")) or {}
    }
    setup = set_up(pack, table="", devices=devices, decks={}, method=ways_of(pack, held))
    return [
        _problem(document, ("elections", name), f"{setup.method[name]} does not fit: {words}")
        for name, words in unfit_ways(pack, setup)
    ]


def _pack_problems(document: Document, where: str, mistakes: list[str]) -> list[Problem]:
    key = ("table", "game")
    told = [f"no valid pack, {where}: {mistake}" for mistake in mistakes[:MOST_TOLD]]
    if more := len(mistakes[MOST_TOLD:]):
        told.append(f"no valid pack, {where}: {more} more mistake{'s' if more > 1 else ''} in it")
    return [_problem(document, key, text) for text in told]


def game_problems(document: Document, game: Game) -> Iterator[Problem]:
    """What contradicts the game: devices that it has no rules for, and words of [panel] that it lacks."""
    for name in as_table(document.value("devices")) or {}:
        family = document.value("devices", name, "family")
        if family in get_args(Family) and family not in game.families:
            text = f"game {game.name} has no rules for it; its devices are {', '.join(game.families)}"
            yield _problem(document, ("devices", name, "family"), text)
    for name, words in game.panel.items():
        given = document.value("panel", name)
        if isinstance(given, str) and given not in words:
            text = with_nearest(f"must be {one_of(words).words}", given, words)
            yield _problem(document, ("panel", name), text)


def _problem(document: Document, key: Key, text: str) -> Problem:
    return Problem(document.file, document.line(key), dotted(key), document.written(key), text)
