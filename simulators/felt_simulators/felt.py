"""A whole table in a simulated run: its devices on their cables, the cards, the panel, and time."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from felt_simulators.cable import Cable
from felt_simulators.chance import seeded
from felt_simulators.devices.continuous import ContinuousShuffler
from felt_simulators.devices.continuous_build import ContinuousBuild
from felt_simulators.devices.deal_keys import SETTINGS
from felt_simulators.devices.dealers_panel import DealersPanel, PanelBuild
from felt_simulators.devices.generator import Generator, GeneratorBuild
from felt_simulators.devices.hole_card_reader import HoleCardReader, ReaderBuild
from felt_simulators.devices.manual_shoe import ManualShoe
from felt_simulators.devices.manual_shoe_build import ManualShoeBuild
from felt_simulators.devices.progressive_station import ProgressiveStation
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.devices.shoe import Shoe
from felt_simulators.devices.shoe_build import ShoeBuild
from felt_simulators.devices.shuffler import Shuffler
from felt_simulators.devices.shuffler_build import ShufflerBuild
from felt_simulators.devices.station_build import StationBuild
from felt_simulators.faults import CONTINUOUS, GENERATOR, PANEL, READER, SHAKER, SHOE, SHUFFLER, STATION
from felt_simulators.games.game import GAMES, as_elected
from felt_simulators.line import Line

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

    from _typeshed import DataclassInstance

    from felt_simulators.games.game import Game
    from felt_simulators.station import Machine

_Kind = TypeVar("_Kind")
_Build = TypeVar("_Build", bound="DataclassInstance")
# A run begins on the links at this second; see `felt_simulators.host`.
START_S = 1_000.0


class NoTable(Exception):  # noqa: N818 - the name says what is missing
    """The configuration does not describe a table that can be simulated; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a configuration puts on the felt: device ids with family and serial number, decks with backs.

    `builds` says how simulated devices are built otherwise than usual: by id, fields of the family's build.
    """

    table: str
    devices: Mapping[str, tuple[str, str]]
    decks: Mapping[str, str]
    control: Path
    document: Mapping[str, Any] = field(repr=False)
    builds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Any])

    def only(self, family: str) -> str:
        """The id of the table's one device of this family. Raises `NoTable`."""
        found = self._of(family)
        if len(found) != 1:
            raise NoTable(f"a simulated table has one {family}; this configuration has {len(found)}")
        return found[0]

    @property
    def game(self) -> str:
        """The chapter that is dealt."""
        return str(self.document["table"].get("game", "659a"))

    def complete(self) -> None:
        """Raise `NoTable` unless people can shuffle, deal and find where the deal starts."""
        needed = [] if self.perhaps(CONTINUOUS) else [SHUFFLER, SHOE]
        start = {"shaker": SHAKER, "generator": GENERATOR}.get(self.elected("start", "shaker"))
        for family in [*needed, *([start] if start and self.deals.everywhere else [])]:
            self.only(family)

    @property
    def deals(self) -> Game:
        """The game as people know it. Raises `NoTable` for one that they do not know."""
        if self.game not in GAMES:
            raise NoTable(f"nobody here can deal {self.game}; people know {', '.join(GAMES)}")
        return as_elected(GAMES[self.game], self.elected)

    def serial(self, name: str) -> str:
        """The serial number of one device."""
        return self.devices[name][1]

    def build(self, name: str, usual: _Build) -> _Build:
        """How this device is built. Raises `NoTable` for a field that its family has not."""
        wanted = dict(self.builds.get(name, {}))
        if "set_to" in wanted:
            wanted["set_to"] = SETTINGS.get(wanted["set_to"])
        try:
            return replace(usual, serial=self.serial(name), **wanted)
        except TypeError as error:
            raise NoTable(f"{name} cannot be built so: {error}") from error

    def elected(self, election: str, otherwise: str = "") -> str:
        """What the house chose of what its regulation lets it choose, as text."""
        return str(self.document.get("elections", {}).get(election, otherwise))

    def perhaps(self, family: str) -> str | None:
        """The id of the table's device of this family, None when it has none. Raises `NoTable` for two."""
        return self.only(family) if self._of(family) else None

    def _of(self, family: str) -> list[str]:
        return [name for name, (its, _) in self.devices.items() if its == family]


def read_plan(
    path: Path,
    changes: Mapping[str, Any] = MappingProxyType({}),
    builds: Mapping[str, Any] = MappingProxyType({}),
) -> Plan:
    """Read a daemon's configuration, with these changes, as far as a simulation needs it.

    `builds`: how simulated devices are built, by their ids.

    Raises `NoTable`.
    """
    try:
        document = _changed(tomllib.loads(path.read_text(encoding="utf-8-sig")), changes)
        devices = {
            name: (str(device["family"]), str(device.get("serial", f"{name}-0001")))
            for name, device in document["devices"].items()
        }
        return Plan(
            table=document["table"]["id"],
            devices=devices,
            decks={name: str(deck["back"]) for name, deck in document["decks"].items()},
            control=Path(document["control"]["socket"]),
            document=document,
            builds=builds,
        )
    except OSError as error:
        raise NoTable(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NoTable(f"{path}: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise NoTable(f"{path}: not a complete configuration ({error} is missing)") from error


def _changed(document: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the changes in it, table by table; `false` takes a whole table out."""
    found = dict(document)
    for key, value in changes.items():
        if value is False and isinstance(found.get(key), dict):
            del found[key]
            continue
        inner = isinstance(value, dict)
        found[key] = _changed(found.get(key, {}), cast("dict[str, Any]", value)) if inner else value
    return found


@dataclass(frozen=True, slots=True)
class Machines:
    """The devices of the table and their cables, by device id."""

    devices: Mapping[str, Machine]
    cables: Mapping[str, Cable]

    @property
    def shuffler(self) -> Shuffler:
        """The table's shuffler. Raises `NoTable`."""
        return self.the(Shuffler)

    @property
    def shoe(self) -> Shoe:
        """The table's automated shoe. Raises `NoTable`."""
        return self.the(Shoe)

    @property
    def shaker(self) -> Shaker:
        """The table's shaker. Raises `NoTable`."""
        return self.the(Shaker)

    @property
    def panel(self) -> DealersPanel | None:
        """The dealer's panel, where the table has one."""
        return self.perhaps(DealersPanel)

    def the(self, kind: type[_Kind]) -> _Kind:
        """The table's one device of this class. Raises `NoTable`."""
        found = self.perhaps(kind)
        if found is None:
            raise NoTable(f"this table has no {kind.__name__}, which its game is dealt with")
        return found

    def perhaps(self, kind: type[_Kind]) -> _Kind | None:
        """The table's device of this class, None when it has none."""
        return next((device for device in self.devices.values() if isinstance(device, kind)), None)

    def cable(self, name: str) -> Cable:
        """One device's cable. Raises `NoTable`."""
        if name not in self.cables:
            raise NoTable(f"there is no device {name}; there are: {', '.join(self.cables)}")
        return self.cables[name]

    def close(self) -> None:
        """Take the lines away."""
        for cable in self.cables.values():
            cable.line.close()


# Chapters that know a shoe that dispenses stacks, and those that know a double shoe.
# Source: 58 Pa. Code §§ 659a.10, 663a.10, 671a.10, 687a.10; 672a.12(a), 673a.13(a).
_STACKS = frozenset({"659a", "663a", "671a", "687a"})
_DOUBLE = frozenset({"672a", "673a"})


def _shoe(plan: Plan, name: str, rng: random.Random) -> Shoe | ManualShoe:
    """The shoe that the game, or what the house chose, asks for."""
    if plan.game not in _STACKS or plan.elected("deal") == "manual-shoe":
        build = plan.build(name, ManualShoeBuild(double=plan.game in _DOUBLE))
        return ManualShoe(build, rng, START_S)
    return Shoe(plan.build(name, ShoeBuild()), rng, START_S)


# How a device of each family is made, in this order: of a plan, by its id, with chance of its own.
MAKERS: Mapping[str, Callable[[Plan, str, random.Random], Machine]] = MappingProxyType(
    {
        SHUFFLER: lambda plan, name, rng: Shuffler(plan.build(name, ShufflerBuild()), rng, START_S),
        SHOE: _shoe,
        SHAKER: lambda plan, name, rng: Shaker(plan.build(name, ShakerBuild()), rng, START_S),
        PANEL: lambda plan, name, rng: DealersPanel(plan.build(name, PanelBuild()), rng, START_S),
        READER: lambda plan, name, rng: HoleCardReader(plan.build(name, ReaderBuild()), rng, START_S),
        STATION: lambda plan, name, rng: ProgressiveStation(plan.build(name, StationBuild()), rng, START_S),
        CONTINUOUS: lambda plan, name, rng: ContinuousShuffler(
            plan.build(name, ContinuousBuild()), rng, START_S
        ),
        GENERATOR: lambda plan, name, rng: Generator(plan.build(name, GeneratorBuild()), rng, START_S),
    }
)


def set_up(plan: Plan, folder: Path, seed: int) -> Machines:
    """Make the devices of a plan, each on a line in this folder. Raises `NoTable` and `OSError`."""
    rng = seeded(seed)

    def chance() -> random.Random:
        return seeded(rng.getrandbits(64))

    devices: dict[str, Machine] = {}
    for family, make in MAKERS.items():
        name = plan.perhaps(family)
        if name is not None:
            devices[name] = make(plan, name, chance())
    cables: dict[str, Cable] = {}
    folder.mkdir(parents=True, exist_ok=True)
    for name, (family, _) in plan.devices.items():
        if name not in devices:
            raise NoTable(f"no {family} can be simulated; {', '.join(MAKERS)} can")
        line = Line(folder / name, chance())
        line.open()
        cables[name] = Cable(name, devices[name], line)
    return Machines(devices, cables)


def shoe_of(machines: Machines) -> Shoe | ManualShoe:
    """The table's shoe, of either kind. Raises `NoTable`."""
    stacks = machines.perhaps(Shoe)
    return machines.the(ManualShoe) if stacks is None else stacks


def drawn_from(machines: Machines) -> ManualShoe | ContinuousShuffler:
    """What a hand draws one card at a time from. Raises `NoTable`."""
    shoe = machines.perhaps(ManualShoe)
    return machines.the(ContinuousShuffler) if shoe is None else shoe
